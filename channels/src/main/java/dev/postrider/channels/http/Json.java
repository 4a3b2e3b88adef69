package dev.postrider.channels.http;

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

  /** The object in the text, or null if the text is cut, is a web page, is no JSON object. */
  public static @Nullable JsonNode readObject(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node.isObject() ? node : null;
    } catch (JacksonException e) {
      return null;
    }
  }
}
