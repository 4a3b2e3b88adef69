package dev.postrider.server.api;

import dev.postrider.store.message.Page;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON: read as a tree, written as a stream. */
public final class Json {
  public static final String TYPE = "application/json";
  public static final String LINES = "application/x-ndjson";

  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /**
   * Reads an object.
   *
   * @param example what to send instead if it is none
   * @throws HttpProblem if it is not JSON, not an object, or goes on after it
   */
  public static JsonNode read(byte[] bytes, int offset, int length, String example) {
    try (JsonParser parser = JsonMapper.shared().createParser(bytes, offset, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw HttpProblem.malformed(
            "The body is not a JSON object; send one like " + example + ".");
      }
      JsonNode object = parser.readValueAsTree();
      if (parser.nextToken() != null) {
        throw HttpProblem.malformed("The body goes on after the end of the JSON object.");
      }
      return object;
    } catch (JacksonException e) {
      throw HttpProblem.malformed(e);
    }
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

  /** A list that is whole; see {@link #page(Page, BiConsumer)}. */
  public static <T> ApiResponse page(List<T> items, BiConsumer<JsonGenerator, T> members) {
    return page(new Page<>(items, null), members);
  }

  /**
   * A page of a list: its items, where it goes on, and how far it looked if it had to.
   *
   * @param members writes those of an item
   */
  public static <T> ApiResponse page(Page<T> page, BiConsumer<JsonGenerator, T> members) {
    Page.@Nullable Scanned scanned = page.scanned();
    return ApiResponse.json(
        200,
        json -> {
          objects(json, "items", page.items(), item -> members.accept(json, item));
          text(json, "next", page.next());
          if (scanned != null) {
            json.writeNumberProperty("scanned", scanned.count());
            instant(json, "scannedUntil", scanned.until());
          }
        });
  }

  /** A list of objects under a name; the writer fills in the members of each. */
  public static <T> void objects(
      JsonGenerator json, String name, Iterable<T> items, Consumer<T> members) {
    json.writeArrayPropertyStart(name);
    for (T item : items) {
      json.writeStartObject();
      members.accept(item);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** An object under a name; the writer fills in its members. */
  public static void object(JsonGenerator json, String name, Runnable members) {
    json.writeObjectPropertyStart(name);
    members.run();
    json.writeEndObject();
  }

  /** Whatever it is, under a name. */
  public static void value(JsonGenerator json, String name, @Nullable Object value) {
    json.writeName(name);
    value(json, value);
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
}
