package dev.postrider.channels.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON of platforms: what we write is always valid, what we read may be anything. */
public final class Json {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private Json() {}

  public static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** An object as plain values, to be kept. */
  @SuppressWarnings("unchecked") // a JSON object has string keys
  public static Map<String, @Nullable Object> map(JsonNode object) {
    return MAPPER.convertValue(object, Map.class);
  }

  /** The object in the text, or null if the text is cut, is a web page, is no JSON object. */
  public static @Nullable JsonNode readObject(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isObject() ? node : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /** The array in the text, or null if the text holds none. */
  public static @Nullable JsonNode readArray(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isArray() ? node : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /** A text that says something; null if the field has none. */
  public static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isString() && !value.asString().isEmpty() ? value.asString() : null;
  }

  /** A whole number, as platforms give sizes; null if it is none, or none that can be kept. */
  public static @Nullable Long count(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : null;
  }
}
