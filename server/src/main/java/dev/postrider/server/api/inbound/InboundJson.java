package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.server.api.Json;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What came from platforms, as JSON: the same in a list, a lease, a push and a history. Belongs to
 * one answer, for which it is asked once how it stands with files that are kept.
 */
final class InboundJson {
  private final Postrider postrider;
  private final Map<InboundId, List<InboundFile>> kept;

  /**
   * @param all that are to be written
   */
  InboundJson(Postrider postrider, Collection<StoredInbound> all) {
    this.postrider = postrider;
    this.kept =
        postrider
            .inbox()
            .files(
                all.stream()
                    .filter(inbound -> !inbound.arrival().media().isEmpty())
                    .map(StoredInbound::id)
                    .toList());
  }

  /** Under the name {@code message}. */
  void message(JsonGenerator json, StoredInbound inbound) {
    Json.object(json, "message", () -> members(json, inbound));
  }

  void members(JsonGenerator json, StoredInbound inbound) {
    InboundMessage arrival = inbound.arrival();
    json.writeStringProperty("id", inbound.id().toString());
    json.writeStringProperty("account", inbound.account());
    Json.text(json, "channel", postrider.channelOf(inbound.account()));
    json.writeStringProperty("sessionId", inbound.sessionId());
    Json.word(json, "kind", arrival.kind());
    json.writeStringProperty("chat", arrival.chat());
    Json.word(json, "chatKind", arrival.chatKind());
    json.writeObjectPropertyStart("sender");
    json.writeStringProperty("id", arrival.sender().id());
    Json.text(json, "name", arrival.sender().name());
    json.writeEndObject();
    Json.text(json, "text", arrival.text());
    media(json, inbound);
    kept(json, kept.getOrDefault(inbound.id(), List.of()));
    Json.text(json, "messageId", arrival.messageId());
    Json.text(json, "replyToId", arrival.replyToId());
    Json.text(json, "threadId", arrival.threadId());
    json.writeStringProperty("platformId", arrival.platformId());
    Json.instant(json, "sentAt", arrival.sentAt());
    Json.instant(json, "receivedAt", inbound.receivedAt());
    Json.word(json, "status", inbound.status());
    handling(json, inbound.handling());
    id(json, "replayOf", inbound.replayOf());
    id(json, "replayedAs", inbound.replayedAs());
    Json.value(json, "raw", arrival.raw());
  }

  private static void media(JsonGenerator json, StoredInbound inbound) {
    List<InboundMessage.File> files = inbound.arrival().media();
    json.writeArrayPropertyStart("media");
    for (int i = 0; i < files.size(); i++) {
      json.writeStartObject();
      write(json, files.get(i));
      json.writeStringProperty("href", "/v1/inbound/" + inbound.id() + "/media/" + i);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, InboundMessage.File file) {
    json.writeStringProperty("kind", file.kind());
    Json.text(json, "id", file.id());
    Json.text(json, "url", file.url());
    Json.text(json, "filename", file.filename());
    Json.text(json, "type", file.type());
    Json.value(json, "size", file.size());
  }

  private static void handling(JsonGenerator json, HandlingState handling) {
    json.writeNumberProperty("attempts", handling.attempts());
    Json.instant(json, "dueAt", handling.dueAt());
    Json.instant(json, "endedAt", handling.endedAt());
    Json.text(json, "error", handling.error());
    Json.word(json, "turn", handling.turn());
  }

  private static void id(JsonGenerator json, String name, @Nullable InboundId id) {
    Json.text(json, name, id == null ? null : id.toString());
  }

  private static void kept(JsonGenerator json, List<InboundFile> files) {
    Json.objects(
        json,
        "keptMedia",
        files,
        file -> {
          json.writeNumberProperty("index", file.index());
          Json.word(json, "state", file.state());
          json.writeNumberProperty("attempts", file.attempts());
          Json.text(json, "error", file.error());
        });
  }

  /** What went wrong with handling it, the oldest first. */
  static void history(JsonGenerator json, List<InboundNote> notes) {
    Json.objects(
        json,
        "history",
        notes,
        note -> {
          Json.instant(json, "at", note.at());
          json.writeNumberProperty("attempt", note.attempt());
          json.writeStringProperty("error", note.error());
          Json.instant(json, "nextAt", note.nextAt());
        });
  }
}
