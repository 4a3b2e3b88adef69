package dev.postrider.channels.whatsappweb;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what GOWA tells. */
final class GowaEvents {
  private static final List<String> FILES =
      List.of("image", "video", "video_note", "audio", "document", "sticker");

  private GowaEvents() {}

  static Heard read(JsonNode event, Instant now) {
    Heard heard = new Heard();
    JsonNode payload = event.path("payload");
    String told = event.path("event").asString("");
    switch (told) {
      case "message" -> {
        boolean own = payload.path("is_from_me").asBoolean(false);
        String id = Json.text(payload, "id");
        // What the owner writes on the phone is no message to us, but a bot may want to step back.
        add(payload, own ? Kind.OTHER : Kind.MESSAGE, "body", id, heard);
      }
      case "message.reaction" ->
          add(payload, Kind.REACTION, "reaction", Json.text(payload, "reacted_message_id"), heard);
      case "message.edited" ->
          add(payload, Kind.EDIT, "body", Json.text(payload, "original_message_id"), heard);
      case "message.revoked" ->
          add(payload, Kind.OTHER, "", Json.text(payload, "revoked_message_id"), heard);
      case "message.ack" -> acknowledged(payload, time(event, now), heard);
      default -> {}
    }
    heard.at(now);
    return heard;
  }

  /**
   * @param about the message that it is, or is about
   */
  private static void add(
      JsonNode payload, Kind kind, String words, @Nullable String about, Heard heard) {
    String id = WahaEvents.id(Json.text(payload, "id"));
    String from = Jid.of(payload.path("from").asString(""));
    String named = Jid.of(payload.path("chat_id").asString(""));
    boolean own = payload.path("is_from_me").asBoolean(false);
    boolean direct = named == null || Jid.isPerson(named);
    String chat = direct && !own && from != null ? from : named;
    boolean ownAction = own && !kind.equals(Kind.OTHER);
    if (id == null || chat == null || ownAction) {
      return;
    }
    if (direct && !own) {
      heard.named(Jid.of(payload.path("from_lid").asString("")), chat);
    }
    heard.arrived(
        new InboundMessage(
            id,
            kind,
            chat,
            WahaEvents.chatKind(chat),
            new InboundMessage.Sender(from == null ? chat : from, Json.text(payload, "from_name")),
            words.isEmpty() ? null : Json.text(payload, words),
            files(payload),
            WahaEvents.id(about),
            WahaEvents.id(Json.text(payload, "replied_to_id")),
            null,
            time(payload, "timestamp"),
            Json.map(payload)));
  }

  private static List<InboundMessage.File> files(JsonNode payload) {
    for (String name : FILES) {
      JsonNode file = payload.path(name);
      if (file.isString() || file.isObject()) {
        String path = file.isString() ? file.asString() : Json.text(file, "path");
        String kind =
            switch (name) {
              case "sticker" -> "image";
              case "video_note" -> "video";
              case "audio" -> path != null && path.endsWith(".ogg") ? "voice" : "audio";
              default -> name;
            };
        // Where it has not downloaded the file, what it names is encrypted, and asked for later.
        return List.of(
            new InboundMessage.File(kind, path, null, Json.text(file, "filename"), null, null));
      }
    }
    return List.of();
  }

  private static void acknowledged(JsonNode payload, Instant at, Heard heard) {
    String chat = Jid.of(payload.path("chat_id").asString(""));
    boolean group = chat != null && Jid.isGroup(chat);
    DeliveryReport.State state =
        switch (payload.path("receipt_type").asString("")) {
          case "delivered" -> DeliveryReport.State.DELIVERED;
          case "read", "played" ->
              group ? DeliveryReport.State.DELIVERED : DeliveryReport.State.READ;
          default -> null;
        };
    for (JsonNode one : payload.path("ids")) {
      String id = WahaEvents.id(one.asString(""));
      if (state != null && id != null) {
        heard.reports.add(new DeliveryReport(id, state, at, null));
      }
    }
  }

  /** A message of somebody else, as the history has it. */
  static void history(JsonNode message, String chat, Heard heard) {
    String id = WahaEvents.id(Json.text(message, "id"));
    String sender = Jid.of(message.path("sender_jid").asString(""));
    if (id == null || message.path("is_from_me").asBoolean(false)) {
      return;
    }
    String media = Json.text(message, "media_type");
    heard.arrived(
        new InboundMessage(
            id,
            media != null && media.equals("call") ? Kind.OTHER : Kind.MESSAGE,
            chat,
            WahaEvents.chatKind(chat),
            new InboundMessage.Sender(
                sender == null ? chat : sender, Json.text(message, "sender_display_name")),
            Json.text(message, "content"),
            media == null || media.equals("call")
                ? List.of()
                : List.of(
                    new InboundMessage.File(
                        media.equals("sticker") ? "image" : media,
                        null,
                        null,
                        Json.text(message, "filename"),
                        null,
                        Json.count(message.path("file_length")))),
            id,
            null,
            null,
            time(message, "timestamp"),
            Json.map(message)));
  }

  static @Nullable Instant time(JsonNode node, String field) {
    try {
      return PlatformTime.storable(OffsetDateTime.parse(node.path(field).asString("")).toInstant());
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static Instant time(JsonNode node, Instant otherwise) {
    Instant told = time(node, "timestamp");
    return told == null ? otherwise : told;
  }
}
