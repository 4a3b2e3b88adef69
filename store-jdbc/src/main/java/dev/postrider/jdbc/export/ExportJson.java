package dev.postrider.jdbc.export;

import dev.postrider.jdbc.export.ExportField.Json;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.store.StoreExport.Kind;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Writes an exported line and reads it. Contents in it stay as they are: parsing alters numbers.
 */
final class ExportJson {
  static final String KIND = "kind";

  private ExportJson() {}

  static String write(Kind kind, Map<String, Object> fields) {
    StringWriter out = new StringWriter(256);
    try (JsonGenerator json = MessageCodec.JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringProperty(KIND, kind.label());
      write(json, fields);
      json.writeEndObject();
    }
    return out.toString();
  }

  private static void write(JsonGenerator json, Map<?, ?> fields) {
    fields.forEach(
        (name, value) -> {
          json.writeName((String) name);
          write(json, value);
        });
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Json(String text) -> json.writeRawValue(text);
      case Long number -> json.writeNumber(number);
      case Boolean flag -> json.writeBoolean(flag);
      case Map<?, ?> fields -> {
        json.writeStartObject();
        write(json, fields);
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(item -> write(json, item));
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }

  /** Text, whole numbers, true, and what is an object or an array as it is written. */
  static Map<String, Object> read(String object) {
    Map<String, Object> fields = new HashMap<>();
    try (JsonParser json = MessageCodec.JSON.createParser(object)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("it is not a JSON object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        switch (json.nextToken()) {
          case VALUE_STRING -> fields.put(name, json.getString());
          case VALUE_NUMBER_INT -> fields.put(name, json.getLongValue());
          case VALUE_TRUE -> fields.put(name, true);
          case START_OBJECT, START_ARRAY -> fields.put(name, new Json(slice(json, object)));
          case VALUE_NULL, VALUE_FALSE -> {}
          default -> throw new IllegalArgumentException("'" + name + "' is a fraction");
        }
      }
    }
    return fields;
  }

  /** The objects in an array, as they are written. */
  static List<String> items(@Nullable Object array) {
    List<String> items = new ArrayList<>();
    if (array instanceof Json(String text)) {
      try (JsonParser json = MessageCodec.JSON.createParser(text)) {
        json.nextToken();
        while (json.nextToken() == JsonToken.START_OBJECT) {
          items.add(slice(json, text));
        }
      }
    }
    return items;
  }

  private static String slice(JsonParser json, String of) {
    int from = (int) json.currentTokenLocation().getCharOffset();
    json.skipChildren();
    return of.substring(from, (int) json.currentLocation().getCharOffset());
  }
}
