package dev.postrider.testkit.internal.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Odd values, and odd forms of given ones. The same seed gives the same. For one thread. */
public final class Noise {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * What readers stumble over: limits of numbers and times, characters with a meaning, and none.
   */
  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "null",
          "true",
          "0",
          "-1",
          "1e999",
          "NaN",
          "99999999999999999999999999",
          "-9223372036854775808",
          "2147483648",
          "0x10",
          "\u0000",
          "\uFEFF",
          "\uD800",
          "\uDC00x",
          "\u202Eabc",
          "👩‍👩‍👧‍👦🏳️‍🌈",
          "e\u0301\u0301\u0301\u0301",
          "%00",
          "%",
          "%zz",
          "../../etc/passwd",
          "'; DROP TABLE message; --",
          "<script>alert(1)</script>",
          "{{name}}",
          "${HOME}",
          "\r\nX-Injected: 1",
          "=1+1",
          "+999999999-12-31T23:59:59Z",
          "-999999999-01-01T00:00:00Z",
          "2026-02-30T00:00:00Z",
          "2026-11-20T09:00:00Z",
          "PT9223372036854775807S",
          "-PT1S",
          "PT0.0000000001S",
          "1e9d",
          "10ms",
          "99999999999h",
          "00000000-0000-0000-0000-000000000000",
          "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
          "0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70",
          "http://[::1",
          "file:///etc/passwd",
          "sandbox",
          "a,b,,c",
          "[]",
          "{}",
          "\"");

  private final Random random;

  public Noise(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** True once in so many times. */
  public boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  public <T> T of(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  public byte[] bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Text that is short most of the time. */
  public String text() {
    return switch (random.nextInt(8)) {
      case 0 -> "x".repeat(random.nextInt(5_000));
      case 1 -> of(ODD) + of(ODD);
      case 2 -> characters(random.nextInt(40));
      default -> of(ODD);
    };
  }

  private String characters(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int point =
          oneIn(3)
              ? random.nextInt(0x110000)
              : oneIn(3) ? random.nextInt(32) : 32 + random.nextInt(95);
      text.appendCodePoint(point);
    }
    return text.toString();
  }

  /** Any JSON. */
  public JsonNode json() {
    return json(0);
  }

  private JsonNode json(int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 9)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.valueToTree(random.nextBoolean());
      case 2 -> JSON.valueToTree(random.nextInt(10) - 5);
      case 3 ->
          JSON.valueToTree(
              of(
                  List.<Number>of(
                      Long.MAX_VALUE,
                      Long.MIN_VALUE,
                      Integer.MIN_VALUE,
                      1e308,
                      -0.0,
                      1e-320,
                      new java.math.BigDecimal("1e400"),
                      new java.math.BigInteger("9".repeat(40)))));
      case 4, 5 -> JSON.valueToTree(text());
      case 6 -> {
        ArrayNode array = JSON.createArrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(json(depth + 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = JSON.createObjectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          object.set(oneIn(2) ? text() : "name" + i, json(depth + 1));
        }
        yield object;
      }
    };
  }

  /** The same document with some of its values changed, dropped, repeated, moved or added. */
  public JsonNode mutated(JsonNode document) {
    JsonNode copy = document.deepCopy();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      List<JsonNode> containers = new ArrayList<>();
      collect(copy, containers);
      if (containers.isEmpty()) {
        return json();
      }
      change(of(containers));
    }
    return copy;
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainer()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }

  private void change(JsonNode container) {
    if (container instanceof ObjectNode object) {
      List<String> names = List.copyOf(object.propertyNames());
      String name = names.isEmpty() || oneIn(6) ? text() : of(names);
      switch (random.nextInt(4)) {
        case 0 -> object.remove(name);
        case 1 -> object.set(name, names.isEmpty() ? json() : object.get(of(names)).deepCopy());
        default -> object.set(name, oneIn(2) ? JSON.valueToTree(text()) : json());
      }
    } else if (container instanceof ArrayNode array) {
      if (array.isEmpty() || oneIn(3)) {
        array.add(json());
      } else if (oneIn(3)) {
        array.remove(random.nextInt(array.size()));
      } else if (oneIn(2)) {
        array.add(array.get(random.nextInt(array.size())).deepCopy());
      } else {
        array.set(random.nextInt(array.size()), json());
      }
    }
  }

  /** The same bytes with some of them changed, dropped or repeated. */
  public byte[] mutated(byte[] bytes) {
    List<Byte> changed = new ArrayList<>();
    for (byte each : bytes) {
      changed.add(each);
    }
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = changed.isEmpty() ? 0 : random.nextInt(changed.size());
      switch (random.nextInt(4)) {
        case 0 -> {
          int end = Math.min(changed.size(), at + 1 + random.nextInt(20));
          changed.subList(at, end).clear();
        }
        case 1 -> {
          int end = Math.min(changed.size(), at + 1 + random.nextInt(20));
          changed.addAll(at, List.copyOf(changed.subList(at, end)));
        }
        case 2 -> {
          byte[] odd = of(ODD).getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < odd.length; i++) {
            changed.add(at + i, odd[i]);
          }
        }
        default -> {
          if (!changed.isEmpty()) {
            changed.set(at, (byte) random.nextInt(256));
          }
        }
      }
    }
    byte[] result = new byte[changed.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = changed.get(i);
    }
    return result;
  }

  /** Text in which some bytes were changed. */
  public String mutated(String text) {
    return new String(mutated(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }
}
