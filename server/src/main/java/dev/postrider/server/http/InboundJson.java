package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.store.Handling;
import dev.postrider.store.InboundNote;
import dev.postrider.store.StoredInbound;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What came from platforms, as JSON: the same in a list, a lease, a push and a history. */
final class InboundJson {
  private InboundJson() {}

  static void object(JsonGenerator json, StoredInbound event, Postrider postrider) {
    json.writeStartObject();
    members(json, event, postrider);
    json.writeEndObject();
  }

  static void members(JsonGenerator json, StoredInbound event, Postrider postrider) {
    Arrival arrival = event.arrival();
    json.writeStringProperty("id", event.id().toString());
    json.writeStringProperty("account", event.account());
    Json.text(json, "channel", postrider.channelOf(event.account()));
    json.writeStringProperty("sessionId", event.sessionId());
    Json.word(json, "kind", arrival.kind());
    json.writeStringProperty("chat", arrival.chat());
    Json.word(json, "chatKind", arrival.chatKind());
    json.writeName("sender");
    json.writeStartObject();
    json.writeStringProperty("id", arrival.sender().id());
    Json.text(json, "name", arrival.sender().name());
    json.writeEndObject();
    Json.text(json, "text", arrival.text());
    json.writeName("media");
    json.writeStartArray();
    arrival.media().forEach(file -> write(json, file));
    json.writeEndArray();
    Json.text(json, "messageId", arrival.messageId());
    Json.text(json, "replyToId", arrival.replyToId());
    Json.text(json, "threadId", arrival.threadId());
    json.writeStringProperty("platformId", arrival.platformId());
    Json.instant(json, "sentAt", arrival.sentAt());
    Json.instant(json, "receivedAt", event.receivedAt());
    Json.word(json, "status", event.status());
    handling(json, event.handling());
    id(json, "replayOf", event.replayOf());
    id(json, "replayedAs", event.replayedAs());
    json.writeName("raw");
    Json.value(json, arrival.raw());
  }

  private static void write(JsonGenerator json, Arrival.File file) {
    json.writeStartObject();
    json.writeStringProperty("kind", file.kind());
    Json.text(json, "id", file.id());
    Json.text(json, "url", file.url());
    Json.text(json, "filename", file.filename());
    Json.text(json, "type", file.type());
    json.writeName("size");
    Json.value(json, file.size());
    json.writeEndObject();
  }

  private static void handling(JsonGenerator json, Handling handling) {
    json.writeNumberProperty("attempts", handling.attempts());
    Json.instant(json, "dueAt", handling.dueAt());
    Json.instant(json, "endedAt", handling.endedAt());
    Json.text(json, "error", handling.error());
    Json.word(json, "turn", handling.turn());
  }

  private static void id(JsonGenerator json, String name, @Nullable InboundId id) {
    Json.text(json, name, id == null ? null : id.toString());
  }

  /** What went wrong with handling it, the oldest first. */
  static void history(JsonGenerator json, List<InboundNote> notes) {
    json.writeName("history");
    json.writeStartArray();
    for (InboundNote note : notes) {
      json.writeStartObject();
      Json.instant(json, "at", note.at());
      json.writeNumberProperty("attempt", note.attempt());
      json.writeStringProperty("error", note.error());
      Json.instant(json, "nextAt", note.nextAt());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
