package dev.postrider.server.api;

import dev.postrider.store.message.Page;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonGeneratorDelegate;

/** JSON, read and written as a stream: the cheapest way, and the only one that knows positions. */
public final class Json {
  public static final String TYPE = "application/json";
  public static final String LINES = "application/x-ndjson";

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  public static JsonParser parser(byte[] bytes, int offset, int length) {
    return FACTORY.createParser(ObjectReadContext.empty(), bytes, offset, length);
  }

  public static JsonGenerator generator(OutputStream out) {
    return new FiniteNumbers(FACTORY.createGenerator(ObjectWriteContext.empty(), out));
  }

  /** JSON has no word for what is not finite: it is written as null. */
  private static final class FiniteNumbers extends JsonGeneratorDelegate {
    FiniteNumbers(JsonGenerator to) {
      super(to, false);
    }

    @Override
    public JsonGenerator writeNumber(double value) {
      return Double.isFinite(value) ? super.writeNumber(value) : writeNull();
    }

    @Override
    public JsonGenerator writeNumber(float value) {
      return Float.isFinite(value) ? super.writeNumber(value) : writeNull();
    }
  }

  /** An object; the writer fills in its members. */
  public static byte[] object(Consumer<JsonGenerator> members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = generator(out)) {
      json.writeStartObject();
      members.accept(json);
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  /** A page of a list: its items and where it goes on. */
  public static <T> Answer page(
      List<T> items, @Nullable String next, BiConsumer<JsonGenerator, T> item) {
    return Answer.json(
        200,
        json -> {
          json.writeName("items");
          json.writeStartArray();
          items.forEach(each -> item.accept(json, each));
          json.writeEndArray();
          text(json, "next", next);
        });
  }

  /**
   * A page of a list that may have been looked for: its items, where it goes on, how far it saw.
   */
  public static <T> Answer page(Page<T> page, BiConsumer<JsonGenerator, T> item) {
    Page.@Nullable Scanned scanned = page.scanned();
    return Answer.json(
        200,
        json -> {
          json.writeName("items");
          json.writeStartArray();
          page.items().forEach(each -> item.accept(json, each));
          json.writeEndArray();
          text(json, "next", page.next());
          if (scanned != null) {
            json.writeNumberProperty("scanned", scanned.count());
            instant(json, "scannedUntil", scanned.until());
          }
        });
  }

  public static void text(JsonGenerator json, String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, value);
    }
  }

  public static void instant(JsonGenerator json, String name, @Nullable Instant value) {
    text(json, name, value == null ? null : value.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  public static void word(JsonGenerator json, String name, @Nullable Enum<?> value) {
    text(json, name, value == null ? null : word(value));
  }

  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Writes strings, numbers, booleans, null, lists and maps. */
  public static void value(JsonGenerator json, @Nullable Object value) {
    switch (value) {
      case null -> json.writeNull();
      case Boolean flag -> json.writeBoolean(flag);
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Float number -> json.writeNumber(number);
      case Number number -> json.writeNumber(number.toString());
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach(
            (key, item) -> {
              json.writeName(String.valueOf(key));
              value(json, item);
            });
        json.writeEndObject();
      }
      case Iterable<?> items -> {
        json.writeStartArray();
        items.forEach(item -> value(json, item));
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  /** Reads the value the parser stands on, as {@link #value(JsonGenerator, Object)} writes it. */
  static @Nullable Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case null, default -> null;
    };
  }

  private static Number number(JsonParser parser) {
    Number number = parser.getNumberValue();
    if (Double.isInfinite(number.doubleValue())) {
      var at = parser.currentTokenLocation();
      throw HttpProblem.malformed(
          "The body has a number that is beyond what can be kept (line %d, column %d)."
              .formatted(at.getLineNr(), at.getColumnNr()));
    }
    return number;
  }
}
