package dev.postrider.server.http;

import static java.util.Objects.requireNonNull;

import dev.postrider.config.Durations;
import dev.postrider.config.Nearest;
import dev.postrider.message.Format;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.InvalidMessage;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.PartState;
import dev.postrider.message.Priority;
import dev.postrider.store.StoredMessage;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Messages as JSON: the one place that knows the names of the fields. Reading goes on after a wrong
 * field, so that one answer names them all.
 */
final class MessageJson {
  static final List<String> FIELDS =
      List.of(
          "account",
          "to",
          "text",
          "format",
          "media",
          "threadId",
          "replyToId",
          "silent",
          "channelData",
          "idempotencyKey",
          "ordering",
          "priority",
          "sendAt",
          "expiresIn",
          "maxAttempts",
          "bestEffort",
          "onUnknown",
          "sessionId",
          "turnId",
          "metadata");
  private static final List<String> MEDIA_FIELDS = List.of("url", "kind", "filename");

  private final JsonParser parser;
  private final List<FieldError> errors = new ArrayList<>();

  private MessageJson(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Reads one message.
   *
   * @throws HttpProblem if it is not JSON, or naming every field that is wrong
   */
  static Message read(byte[] bytes, int offset, int length) {
    try (JsonParser parser = Json.parser(bytes, offset, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw HttpProblem.malformed(
            "The body is not a JSON object; send one like {\"account\": …}.");
      }
      MessageJson reader = new MessageJson(parser);
      @Nullable Message message = reader.message();
      if (parser.nextToken() != null) {
        throw HttpProblem.malformed("The body goes on after the end of the JSON object.");
      }
      if (message == null) {
        throw HttpProblem.invalid(reader.errors);
      }
      return message;
    } catch (JacksonException e) {
      throw HttpProblem.malformed(e);
    } catch (InvalidMessage e) {
      throw HttpProblem.invalid(e.field(), String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Message message() {
    @Nullable String account = null;
    @Nullable String to = null;
    @Nullable String text = null;
    Format format = Format.MARKDOWN;
    List<Media> media = List.of();
    @Nullable String threadId = null;
    @Nullable String replyToId = null;
    boolean silent = false;
    Map<String, @Nullable Object> channelData = Map.of();
    @Nullable String idempotencyKey = null;
    Ordering ordering = Ordering.FIFO;
    Priority priority = Priority.LIVE;
    @Nullable Instant sendAt = null;
    @Nullable Duration expiresIn = null;
    @Nullable Integer maxAttempts = null;
    boolean bestEffort = false;
    @Nullable OnUnknown onUnknown = null;
    @Nullable String sessionId = null;
    @Nullable String turnId = null;
    Map<String, @Nullable Object> metadata = Map.of();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      if (parser.nextToken() == JsonToken.VALUE_NULL && FIELDS.contains(name)) {
        continue; // as if it were not there
      }
      switch (name) {
        case "account" -> account = text(name);
        case "to" -> to = text(name);
        case "text" -> text = text(name);
        case "format" -> format = word(name, Format.class, format);
        case "media" -> media = media();
        case "threadId" -> threadId = text(name);
        case "replyToId" -> replyToId = text(name);
        case "silent" -> silent = flag(name);
        case "channelData" -> channelData = map(name);
        case "idempotencyKey" -> idempotencyKey = text(name);
        case "ordering" -> ordering = word(name, Ordering.class, ordering);
        case "priority" -> priority = word(name, Priority.class, priority);
        case "sendAt" -> sendAt = instant(name);
        case "expiresIn" -> expiresIn = duration(name);
        case "maxAttempts" -> maxAttempts = count(name);
        case "bestEffort" -> bestEffort = flag(name);
        case "onUnknown" -> onUnknown = word(name, OnUnknown.class, OnUnknown.RESEND);
        case "sessionId" -> sessionId = text(name);
        case "turnId" -> turnId = text(name);
        case "metadata" -> metadata = map(name);
        default -> unknown(name, name, FIELDS);
      }
    }
    if (account == null) {
      wrong("account", "is missing");
    }
    if (to == null) {
      wrong("to", "is missing");
    }
    if (account == null || to == null || !errors.isEmpty()) {
      return null;
    }
    return Message.to(account, to)
        .text(text)
        .format(format)
        .media(media)
        .threadId(threadId)
        .replyToId(replyToId)
        .silent(silent)
        .channelData(channelData)
        .idempotencyKey(idempotencyKey)
        .ordering(ordering)
        .priority(priority)
        .sendAt(sendAt)
        .expiresIn(expiresIn)
        .maxAttempts(maxAttempts)
        .bestEffort(bestEffort)
        .onUnknown(onUnknown)
        .sessionId(sessionId)
        .turnId(turnId)
        .metadata(metadata)
        .build();
  }

  private String text(String field) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    wrong(
        field,
        parser.currentToken().isNumeric() ? "must be text; put it in quotes" : "must be text");
    return "";
  }

  private String textOrEmpty() {
    return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getString() : "";
  }

  private boolean flag(String field) {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> {
        wrong(field, "must be true or false");
        yield false;
      }
    };
  }

  private @Nullable Integer count(String field) {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
      Number number = parser.getNumberValue();
      if (number instanceof Integer whole) {
        return whole;
      }
    }
    wrong(field, "must be a whole number");
    return null;
  }

  private @Nullable Duration duration(String field) {
    try {
      return Durations.parse(textOrEmpty());
    } catch (IllegalArgumentException e) {
      wrong(field, "must be a duration such as \"30m\"");
      return null;
    }
  }

  private @Nullable Instant instant(String field) {
    try {
      return OffsetDateTime.parse(textOrEmpty()).toInstant();
    } catch (DateTimeException e) {
      wrong(field, "must be an instant with its zone, such as \"2026-11-20T09:00:00Z\"");
      return null;
    }
  }

  private <E extends Enum<E>> E word(String field, Class<E> type, E otherwise) {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      String written = parser.getString();
      for (E value : type.getEnumConstants()) {
        if (value.name().toLowerCase(Locale.ROOT).equals(written)) {
          return value;
        }
      }
    }
    List<String> known = Arrays.stream(type.getEnumConstants()).map(Json::word).toList();
    wrong(field, "must be one of " + String.join(", ", known));
    return otherwise;
  }

  @SuppressWarnings("unchecked") // an object token reads as such a map
  private Map<String, @Nullable Object> map(String field) {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return (Map<String, @Nullable Object>) requireNonNull(Json.value(parser));
    }
    wrong(field, "must be an object");
    return Map.of();
  }

  private List<Media> media() {
    List<Media> all = new ArrayList<>();
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      wrong("media", "must be a list, such as [{\"url\": \"https://…\"}]");
      return all;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String at = "media[" + all.size() + "]";
      @Nullable String url = null;
      @Nullable String kind = null;
      @Nullable String filename = null;
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        wrong(at, "must be an object with a url");
        continue;
      }
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        if (parser.nextToken() == JsonToken.VALUE_NULL) {
          continue;
        }
        String field = at + "." + name;
        switch (name) {
          case "url" -> url = text(field);
          case "kind" -> kind = text(field);
          case "filename" -> filename = text(field);
          default -> unknown(field, name, MEDIA_FIELDS);
        }
      }
      if (url == null || url.isBlank()) {
        wrong(at + ".url", "is missing; give the address of the file");
      } else {
        all.add(new Media(url, kind, filename));
      }
    }
    return all;
  }

  private void unknown(String field, String name, List<String> known) {
    wrong(
        field,
        "is not known"
            + Nearest.to(name, known).map(n -> "; did you mean '" + n + "'?").orElse(""));
  }

  /** Notes the error and steps over the value. */
  private void wrong(String field, String message) {
    errors.add(new FieldError(field, message));
    parser.skipChildren();
  }

  /** Where a message stands, as the members of an object. */
  static void write(
      JsonGenerator json, StoredMessage stored, List<HistoryEntry> history, boolean durable) {
    json.writeStringProperty("id", stored.id().toString());
    Json.word(json, "status", stored.status());
    json.writeStringProperty("account", stored.message().account());
    json.writeStringProperty("to", stored.message().to());
    json.writeNumberProperty("attempts", stored.attempts());
    Json.instant(json, "dueAt", stored.dueAt());
    Json.instant(json, "createdAt", stored.createdAt());
    Json.instant(json, "endedAt", stored.endedAt());
    Json.instant(json, "expiresAt", stored.expiresAt());
    json.writeName("parts");
    json.writeStartArray();
    int index = 0;
    for (PartState part : stored.progress().parts()) {
      json.writeStartObject();
      json.writeNumberProperty("index", index++);
      Json.word(json, "status", part.state());
      Json.text(json, "receipt", part.receipt() == null ? null : part.receipt().id());
      json.writeEndObject();
    }
    json.writeEndArray();
    Json.text(json, "error", stored.error());
    Json.text(json, "reason", stored.reason());
    json.writeBooleanProperty("late", stored.late());
    json.writeBooleanProperty("possibleDuplicate", stored.possibleDuplicate());
    Json.text(json, "replayOf", stored.replayOf() == null ? null : stored.replayOf().toString());
    Json.text(
        json, "replayedAs", stored.replayedAs() == null ? null : stored.replayedAs().toString());
    json.writeBooleanProperty("durable", durable);
    json.writeName("metadata");
    Json.value(json, stored.message().metadata());
    json.writeName("history");
    json.writeStartArray();
    for (HistoryEntry entry : history) {
      json.writeStartObject();
      Json.instant(json, "at", entry.at());
      json.writeNumberProperty("attempt", entry.attempt());
      json.writeNumberProperty("part", entry.part());
      json.writeStringProperty("outcome", entry.outcome());
      Json.text(json, "error", entry.error());
      Json.instant(json, "nextAt", entry.nextAt());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** What a message says and how it wants to be sent, beside where it stands. */
  static void writeContent(JsonGenerator json, Message message) {
    Json.text(json, "text", message.text());
    Json.word(json, "format", message.format());
    json.writeName("media");
    json.writeStartArray();
    for (Media media : message.media()) {
      json.writeStartObject();
      json.writeStringProperty("url", media.url());
      Json.text(json, "kind", media.kind());
      Json.text(json, "filename", media.filename());
      json.writeEndObject();
    }
    json.writeEndArray();
    Json.text(json, "threadId", message.threadId());
    Json.text(json, "replyToId", message.replyToId());
    json.writeBooleanProperty("silent", message.silent());
    json.writeName("channelData");
    Json.value(json, message.channelData());
    Json.text(json, "idempotencyKey", message.idempotencyKey());
    Json.word(json, "ordering", message.ordering());
    Json.word(json, "priority", message.priority());
    Json.instant(json, "sendAt", message.sendAt());
    Json.text(
        json,
        "expiresIn",
        message.expiresIn() == null ? null : Durations.format(message.expiresIn()));
    json.writeName("maxAttempts");
    Json.value(json, message.maxAttempts());
    json.writeBooleanProperty("bestEffort", message.bestEffort());
    Json.word(json, "onUnknown", message.onUnknown());
    Json.text(json, "sessionId", message.sessionId());
    Json.text(json, "turnId", message.turnId());
  }
}
