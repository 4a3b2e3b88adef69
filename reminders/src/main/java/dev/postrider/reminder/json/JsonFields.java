package dev.postrider.reminder.json;

import dev.postrider.config.Durations;
import dev.postrider.config.NearestName;
import dev.postrider.config.StorableTime;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the fields of a JSON object as typed values. What is wrong with them goes to the problems;
 * reading goes on, so that one answer can name everything. A field that is null is not there.
 */
public final class JsonFields {
  private static final List<String> MEDIA =
      List.of("id", "url", "kind", "filename", "loop", "asDocument");

  private final JsonNode json;
  private final String path;
  private final Problems problems;

  /**
   * @param path what problems say before a field's name
   */
  public JsonFields(JsonNode json, String path, Problems problems) {
    this.json = json;
    this.path = path;
    this.problems = problems;
  }

  public Problems problems() {
    return problems;
  }

  public void wrong(String field, String problem) {
    problems.add(path + field, problem);
  }

  /** Takes over what was found wrong with a value that was made of these fields. */
  public void wrong(InvalidInput invalid) {
    problems.addUnder(path.isEmpty() ? "" : path.substring(0, path.length() - 1), invalid);
  }

  /** Says of every other field that it is not known, and which one may have been meant. */
  public JsonFields only(Collection<String> known) {
    return only(known, List.of());
  }

  JsonFields only(Collection<String> known, List<String> ignored) {
    for (String field : json.propertyNames()) {
      if (!known.contains(field) && !ignored.contains(field)) {
        wrong(field, "is not known" + (problems.isFull() ? "" : NearestName.hint(field, known)));
      }
    }
    return this;
  }

  public boolean has(String field) {
    return value(field) != null;
  }

  /** Whether a field is there, be it as null. */
  public boolean mentions(String field) {
    return json.has(field);
  }

  private @Nullable JsonNode value(String field) {
    JsonNode value = json.get(field);
    return value == null || value.isNull() ? null : value;
  }

  /** The value of a field if it is there and of the right kind. */
  private @Nullable JsonNode value(String field, Predicate<JsonNode> kind, String remedy) {
    JsonNode value = value(field);
    if (value == null || kind.test(value)) {
      return value;
    }
    wrong(field, remedy);
    return null;
  }

  /** All fields that are there, as they are. */
  public Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = map(json);
    values.values().removeIf(Objects::isNull);
    return values;
  }

  // ---- texts

  public @Nullable String text(String field) {
    JsonNode value = value(field, JsonNode::isString, "must be a text in quotes");
    return value == null ? null : value.asString();
  }

  /** Whether the field is this text. */
  boolean isWord(String field, String word) {
    JsonNode value = value(field);
    return value != null && value.isString() && value.asString().equals(word);
  }

  /** A text that is not blank. */
  public @Nullable String filled(String field) {
    String text = text(field);
    if (text != null && text.isBlank()) {
      wrong(field, "must not be empty");
    }
    return text;
  }

  public String filled(String field, String otherwise) {
    String text = filled(field);
    return text == null ? otherwise : text;
  }

  /** A text that must be there; empty if it is not. */
  public String required(String field) {
    if (!has(field)) {
      wrong(field, "is missing");
    }
    return filled(field, "");
  }

  public @Nullable List<String> texts(String field) {
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

  public <E extends Enum<E>> E word(String field, Class<E> type, E otherwise) {
    E word = word(field, type);
    return word == null ? otherwise : word;
  }

  public <E extends Enum<E>> @Nullable E word(String field, Class<E> type) {
    String written = text(field);
    if (written == null) {
      return null;
    }
    List<String> known =
        Arrays.stream(type.getEnumConstants())
            .map(word -> word.name().toLowerCase(Locale.ROOT))
            .toList();
    if (known.contains(written)) {
      return type.getEnumConstants()[known.indexOf(written)];
    }
    String nearest =
        NearestName.to(written, known).map(n -> "; did you mean '" + n + "'?").orElse("");
    wrong(field, "must be one of " + String.join(", ", known) + nearest);
    return null;
  }

  // ---- numbers, flags, times

  public @Nullable Integer number(String field) {
    JsonNode value = value(field, JsonNode::isInt, "must be a whole number");
    return value == null ? null : value.asInt();
  }

  int number(String field, int otherwise) {
    Integer number = number(field);
    return number == null ? otherwise : number;
  }

  public int number(String field, int least, int most, int otherwise) {
    JsonNode value =
        value(
            field,
            it -> it.isInt() && it.asInt() >= least && it.asInt() <= most,
            "must be a whole number from " + least + " to " + most);
    return value == null ? otherwise : value.asInt();
  }

  public boolean flag(String field, boolean otherwise) {
    JsonNode value = value(field, JsonNode::isBoolean, "must be true or false");
    return value == null ? otherwise : value.asBoolean();
  }

  public @Nullable Duration duration(String field) {
    return parsed(
        field,
        text -> StorableTime.checked(Durations.parse(text)),
        "must be a duration such as \"30m\", of a hundred years at most");
  }

  public @Nullable Duration duration(String field, Duration least, Duration most) {
    Duration duration = parsed(field, Durations::parse, "must be a duration such as \"10s\"");
    if (duration != null && duration.compareTo(least) < 0) {
      wrong(field, "must be at least " + Durations.format(least));
    } else if (duration != null && duration.compareTo(most) > 0) {
      wrong(field, "must be at most " + Durations.format(most));
    }
    return duration;
  }

  public @Nullable Instant instant(String field) {
    return parsed(
        field,
        text -> StorableTime.checked(OffsetDateTime.parse(text).toInstant()),
        "must be an instant with its zone, such as \"2026-11-20T09:00:00Z\", before"
            + " the year 10000");
  }

  public @Nullable UUID uuid(String field) {
    return parsed(
        field, UUID::fromString, "must be an id such as \"0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70\"");
  }

  private <T> @Nullable T parsed(String field, Function<String, T> parse, String remedy) {
    JsonNode value = value(field);
    if (value == null) {
      return null;
    }
    try {
      return parse.apply(value.isString() ? value.asString() : "");
    } catch (IllegalArgumentException | DateTimeException e) {
      wrong(field, remedy);
      return null;
    }
  }

  // ---- what has fields of its own

  public @Nullable JsonFields object(String field) {
    return object(field, "must be an object");
  }

  @Nullable JsonFields object(String field, String remedy) {
    JsonNode value = value(field, JsonNode::isObject, remedy);
    return value == null ? null : new JsonFields(value, path + field + ".", problems);
  }

  public List<JsonFields> objects(String field) {
    List<JsonFields> all = new ArrayList<>();
    JsonNode list = value(field, JsonNode::isArray, "must be a list of objects");
    for (int i = 0; list != null && i < list.size(); i++) {
      String at = field + "[" + i + "]";
      if (list.get(i).isObject()) {
        all.add(new JsonFields(list.get(i), path + at + ".", problems));
      } else {
        wrong(at, "must be an object");
      }
    }
    return all;
  }

  public Map<String, @Nullable Object> map(String field) {
    JsonNode value = value(field, JsonNode::isObject, "must be an object");
    if (value == null) {
      return Map.of();
    }
    if (!isFinite(value)) {
      wrong(field, "has a number that is beyond what can be kept");
      return Map.of();
    }
    return map(value);
  }

  @SuppressWarnings("unchecked") // an object reads as such a map
  static Map<String, @Nullable Object> map(JsonNode object) {
    return JsonMapper.shared().convertValue(object, Map.class);
  }

  private static boolean isFinite(JsonNode value) {
    return value.isContainer()
        ? value.valueStream().allMatch(JsonFields::isFinite)
        : !value.isNumber() || Double.isFinite(value.doubleValue());
  }

  /** Says of files of this machine that somebody elsewhere may not name them. */
  public static void noLocalFiles(String path, List<Media> media, Problems problems) {
    for (int i = 0; i < media.size(); i++) {
      if (media.get(i).url().toLowerCase(Locale.ROOT).startsWith("file:")) {
        problems.add(
            path + "media[" + i + "].url",
            "would be a file of the server; upload yours to /v1/media and give its id");
      }
    }
  }

  /** The files of a message. */
  public List<Media> media() {
    List<Media> all = new ArrayList<>();
    for (JsonFields file : objects("media")) {
      file.only(MEDIA);
      String id = file.text("id");
      String url = id == null ? file.text("url") : Media.held(id).url();
      if (url == null || url.isBlank()) {
        file.wrong("url", "is missing; give the address of the file, or the id of an upload");
        continue;
      }
      all.add(
          new Media(
              url,
              file.word("kind", MediaKind.class),
              file.text("filename"),
              file.flag("loop", false),
              file.flag("asDocument", false)));
    }
    return all;
  }
}
