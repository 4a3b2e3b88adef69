package dev.postrider.server.http;

import dev.postrider.config.Durations;
import dev.postrider.inbound.Report;
import dev.postrider.message.Format;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.InvalidMessage;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.PartState;
import dev.postrider.message.Priority;
import dev.postrider.store.ReceiptState;
import dev.postrider.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Messages as JSON: the one place that knows the names of the fields. */
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

  private MessageJson() {}

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
      FieldReader reader = new FieldReader(parser);
      @Nullable Message message = message(reader);
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

  private static @Nullable Message message(FieldReader reader) {
    JsonParser parser = reader.parser;
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
        case "account" -> account = reader.text(name);
        case "to" -> to = reader.text(name);
        case "text" -> text = reader.text(name);
        case "format" -> format = reader.word(name, Format.class, format);
        case "media" -> media = MediaJson.read(reader);
        case "threadId" -> threadId = reader.text(name);
        case "replyToId" -> replyToId = reader.text(name);
        case "silent" -> silent = reader.flag(name);
        case "channelData" -> channelData = reader.map(name);
        case "idempotencyKey" -> idempotencyKey = reader.text(name);
        case "ordering" -> ordering = reader.word(name, Ordering.class, ordering);
        case "priority" -> priority = reader.word(name, Priority.class, priority);
        case "sendAt" -> sendAt = reader.instant(name);
        case "expiresIn" -> expiresIn = reader.duration(name);
        case "maxAttempts" -> maxAttempts = reader.count(name);
        case "bestEffort" -> bestEffort = reader.flag(name);
        case "onUnknown" -> onUnknown = reader.word(name, OnUnknown.class, OnUnknown.RESEND);
        case "sessionId" -> sessionId = reader.text(name);
        case "turnId" -> turnId = reader.text(name);
        case "metadata" -> metadata = reader.map(name);
        default -> reader.unknown(name, name, FIELDS);
      }
    }
    if (account == null) {
      reader.wrong("account", "is missing");
    }
    if (to == null) {
      reader.wrong("to", "is missing");
    }
    if (account == null || to == null || !reader.errors.isEmpty()) {
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

  /** What the platform has told since of parts that it had queued. */
  static void writeReceipts(JsonGenerator json, List<ReceiptState> receipts) {
    json.writeName("receipts");
    json.writeStartArray();
    for (ReceiptState receipt : receipts) {
      @Nullable Report furthest = receipt.furthest();
      json.writeStartObject();
      json.writeNumberProperty("part", receipt.part());
      json.writeStringProperty("receipt", receipt.receipt());
      Json.word(json, "state", furthest == null ? null : furthest.state());
      Json.instant(json, "at", furthest == null ? null : furthest.at());
      Json.text(json, "detail", furthest == null ? null : furthest.detail());
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
    message.media().forEach(media -> MediaJson.write(json, media));
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
