package dev.postrider.server.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a command sends along, by name: in a query, or as a body. */
public final class Values {
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  public static Values of(String name, @Nullable Object value) {
    return new Values().and(name, value);
  }

  public Values and(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  public boolean isEmpty() {
    return values.values().stream().allMatch(Objects::isNull);
  }

  /** With its question mark; empty if no value is there. */
  public String query() {
    String text =
        values.entrySet().stream()
            .filter(value -> value.getValue() != null)
            .map(value -> Client.step(value.getKey()) + "=" + Client.step("" + value.getValue()))
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? "" : "?" + text;
  }

  /** What is there, without what is not. */
  public Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value != null) {
            body.put(name, value);
          }
        });
    return body;
  }
}
