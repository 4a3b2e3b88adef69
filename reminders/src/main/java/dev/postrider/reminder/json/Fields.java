package dev.postrider.reminder.json;

import dev.postrider.config.NearestName;
import dev.postrider.reminder.problem.Problems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of a JSON object, and says by name what is wrong with them. */
final class Fields {
  private final JsonNode json;
  private final String path;
  private final Problems problems;

  /**
   * @param path what problems say before a field's name
   */
  Fields(JsonNode json, String path, Problems problems) {
    this.json = json;
    this.path = path;
    this.problems = problems;
  }

  Problems problems() {
    return problems;
  }

  void wrong(String field, String problem) {
    problems.add(path + field, problem);
  }

  Fields only(List<String> known) {
    return only(known, List.of());
  }

  /** Says of every other field that it is not known, and which one may have been meant. */
  Fields only(List<String> known, List<String> ignored) {
    for (String field : json.propertyNames()) {
      if (!known.contains(field) && !ignored.contains(field)) {
        wrong(
            field,
            problems.isFull() ? "is not known" : "is not known" + NearestName.hint(field, known));
      }
    }
    return this;
  }

  private @Nullable JsonNode value(String field) {
    JsonNode value = json.get(field);
    return value == null || value.isNull() ? null : value;
  }

  @Nullable String text(String field) {
    JsonNode value = value(field);
    if (value != null && !value.isString()) {
      wrong(field, "must be a text in quotes");
      return null;
    }
    return value == null ? null : value.asString();
  }

  @Nullable List<String> texts(String field) {
    JsonNode value = value(field);
    if (value == null) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (JsonNode item : value) {
      all.add(item.isString() ? item.asString() : "");
    }
    if (!value.isArray() || all.contains("")) {
      wrong(field, "must be a list of texts");
      return List.of();
    }
    return all;
  }

  @Nullable Integer number(String field) {
    JsonNode value = value(field);
    if (value != null && !value.isInt()) {
      wrong(field, "must be a whole number");
      return null;
    }
    return value == null ? null : value.asInt();
  }

  boolean flag(String field, boolean otherwise) {
    JsonNode value = value(field);
    if (value != null && !value.isBoolean()) {
      wrong(field, "must be true or false");
    }
    return value == null ? otherwise : value.asBoolean(otherwise);
  }

  <E extends Enum<E>> E word(String field, Class<E> type, E otherwise) {
    E word = wordOrNull(field, type);
    return word == null ? otherwise : word;
  }

  <E extends Enum<E>> @Nullable E wordOrNull(String field, Class<E> type) {
    String written = text(field);
    if (written == null) {
      return null;
    }
    for (E word : type.getEnumConstants()) {
      if (word.name().toLowerCase(Locale.ROOT).equals(written)) {
        return word;
      }
    }
    String known =
        Arrays.stream(type.getEnumConstants())
            .map(word -> word.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    wrong(field, "'" + written + "' is not known; write one of " + known);
    return null;
  }

  @Nullable Fields object(String field) {
    JsonNode value = value(field);
    if (value != null && !value.isObject()) {
      wrong(field, "must be an object");
      return null;
    }
    return value == null ? null : new Fields(value, path + field + ".", problems);
  }

  List<Fields> objects(String field) {
    JsonNode value = value(field);
    List<Fields> all = new ArrayList<>();
    if (value == null) {
      return all;
    }
    if (!value.isArray()) {
      wrong(field, "must be a list");
      return all;
    }
    for (int i = 0; i < value.size(); i++) {
      String at = field + "[" + i + "]";
      if (value.get(i).isObject()) {
        all.add(new Fields(value.get(i), path + at + ".", problems));
      } else {
        wrong(at, "must be an object");
      }
    }
    return all;
  }

  Map<String, @Nullable Object> map(String field) {
    JsonNode value = value(field);
    if (value == null || !value.isObject()) {
      if (value != null) {
        wrong(field, "must be an object");
      }
      return Map.of();
    }
    if (!isFinite(value)) {
      wrong(field, "has a number that is beyond what can be kept");
      return Map.of();
    }
    return ScriptJson.map(value);
  }

  private static boolean isFinite(JsonNode value) {
    return value.isContainer()
        ? value.valueStream().allMatch(Fields::isFinite)
        : !value.isNumber() || Double.isFinite(value.doubleValue());
  }
}
