package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.config.Durations;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Messages as JSON; what may be written in one is known to {@link MessageDraft}. */
public final class MessageJson {
  private MessageJson() {}

  /**
   * Reads one message.
   *
   * @throws HttpProblem if it is not JSON, or naming every field that is wrong
   */
  static Message read(byte[] bytes, int offset, int length, MessageDraft.Turns turns) {
    JsonNode json = Json.read(bytes, offset, length, "{\"account\": …}");
    try {
      return new MessageDraft(new JsonFields(json, "", new Problems())).complete(turns);
    } catch (InvalidInput e) {
      throw HttpProblem.of(e);
    }
  }

  /**
   * Reads what is to be changed in a message; nothing if nothing is.
   *
   * @throws HttpProblem if it is not JSON, or, when the message is made, naming every wrong field
   */
  static Optional<UnaryOperator<Message>> changes(ApiRequest call) {
    byte[] bytes = call.json();
    if (bytes.length == 0) {
      return Optional.empty();
    }
    JsonNode json = Json.read(bytes, 0, bytes.length, "{\"text\": …}");
    if (json.isEmpty()) {
      return Optional.empty();
    }
    call.tell("changed", String.join(" ", json.propertyNames()));
    return Optional.of(
        old -> {
          try {
            return new MessageDraft(new JsonFields(json, "", new Problems())).changed(old);
          } catch (InvalidInput e) {
            throw HttpProblem.of(e);
          }
        });
  }

  /** The turns of an engine, for messages that name no chat. */
  static MessageDraft.Turns turns(Postrider postrider) {
    return turnId -> {
      try {
        return postrider.inbox().replyTo(InboundId.parse(turnId));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    };
  }

  /** The parts of a message as the platform is given them, and what it has said of each. */
  static void writeParts(JsonGenerator json, StoredMessage stored, List<ReceiptState> receipts) {
    Map<Integer, List<ReceiptState>> words =
        receipts.stream().collect(Collectors.groupingBy(ReceiptState::part));
    List<PartState> states = stored.progress().parts();
    json.writeArrayPropertyStart("items");
    List<Part> parts = stored.plan().parts();
    for (int i = 0; i < Math.min(states.size(), parts.size()); i++) {
      Part part = parts.get(i);
      PartState state = states.get(i);
      json.writeStartObject();
      json.writeNumberProperty("index", i);
      json.writeStringProperty("kind", kind(part));
      Json.word(json, "status", state.state());
      MediaJson.writeContent(json, part);
      Json.objects(json, "pieces", part.pieces(), piece -> MediaJson.writeContent(json, piece));
      json.writeStringProperty("key", stored.plan().key(stored.message().account(), i));
      Json.text(json, "receipt", state.receipt() == null ? null : state.receipt().id());
      Json.objects(
          json, "receipts", words.getOrDefault(i, List.of()), word -> writeWord(json, word));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** What a part is, in one word. */
  private static String kind(Part part) {
    if (!part.pieces().isEmpty()) {
      return "bundle";
    }
    if (part.media().size() > 1) {
      return "album";
    }
    if (!part.media().isEmpty()) {
      return Json.word(part.media().getFirst().kind());
    }
    return part.text() == null ? "channelData" : "text";
  }

  private static void writeWord(JsonGenerator json, ReceiptState word) {
    @Nullable DeliveryReport furthest = word.furthest();
    json.writeStringProperty("receipt", word.receipt());
    Json.word(json, "state", furthest == null ? null : furthest.state());
    Json.instant(json, "at", furthest == null ? null : furthest.at());
    Json.text(json, "detail", furthest == null ? null : furthest.detail());
  }

  /** Where a message stands, as the members of an object. */
  public static void write(
      JsonGenerator json, StoredMessage stored, List<HistoryEntry> history, boolean durable) {
    json.writeStringProperty("id", stored.id().toString());
    Json.word(json, "status", stored.status());
    json.writeStringProperty("account", stored.message().account());
    json.writeStringProperty("to", stored.message().to());
    Json.text(json, "movedTo", stored.progress().movedTo());
    json.writeNumberProperty("attempts", stored.attempts());
    Json.instant(json, "dueAt", stored.dueAt());
    Json.instant(json, "createdAt", stored.createdAt());
    Json.instant(json, "endedAt", stored.endedAt());
    Json.instant(json, "expiresAt", stored.expiresAt());
    json.writeArrayPropertyStart("parts");
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
    Json.value(json, "metadata", stored.message().metadata());
    Json.objects(
        json,
        "history",
        history,
        entry -> {
          Json.instant(json, "at", entry.at());
          json.writeNumberProperty("attempt", entry.attempt());
          json.writeNumberProperty("part", entry.part());
          json.writeStringProperty("outcome", entry.outcome());
          Json.text(json, "error", entry.error());
          Json.instant(json, "nextAt", entry.nextAt());
        });
  }

  /** What the platform has told since of parts that it had queued. */
  static void writeReceipts(JsonGenerator json, List<ReceiptState> receipts) {
    Json.word(json, "receiptStatus", ReceiptState.of(receipts));
    Json.objects(
        json,
        "receipts",
        receipts,
        receipt -> {
          json.writeNumberProperty("part", receipt.part());
          writeWord(json, receipt);
        });
  }

  /** What a message says and how it wants to be sent, beside where it stands. */
  static void writeContent(JsonGenerator json, Message message) {
    Json.text(json, "text", message.text());
    Json.word(json, "format", message.format());
    Json.objects(json, "media", message.media(), media -> MediaJson.write(json, media));
    Json.text(json, "threadId", message.threadId());
    Json.text(json, "replyToId", message.replyToId());
    json.writeBooleanProperty("silent", message.silent());
    Json.value(json, "channelData", message.channelData());
    Json.text(json, "idempotencyKey", message.idempotencyKey());
    Json.word(json, "ordering", message.ordering());
    Json.word(json, "priority", message.priority());
    Json.instant(json, "sendAt", message.sendAt());
    Json.text(
        json,
        "expiresIn",
        message.expiresIn() == null ? null : Durations.format(message.expiresIn()));
    Json.value(json, "maxAttempts", message.maxAttempts());
    json.writeBooleanProperty("bestEffort", message.bestEffort());
    Json.word(json, "onUnknown", message.onUnknown());
    Json.text(json, "sessionId", message.sessionId());
    Json.text(json, "turnId", message.turnId());
    Json.word(json, "dispatchKind", message.dispatchKind());
    Json.text(json, "runId", message.runId());
    Json.text(
        json,
        "traceparent",
        message.traceparent() == null ? null : message.traceparent().toString());
  }
}
