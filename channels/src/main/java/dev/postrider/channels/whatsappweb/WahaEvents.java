package dev.postrider.channels.whatsappweb;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what WAHA tells: what people write, what the phone's owner writes, what became of ours. */
final class WahaEvents {
  /** Ids are kept within what can be stored. */
  private static final int LONGEST_ID = 250;

  private static final int CLOSED = 463;

  private WahaEvents() {}

  static Heard read(JsonNode event, Instant now) {
    Heard heard = new Heard();
    JsonNode payload = event.path("payload");
    String id = id(event.path("id").asString(""));
    Instant at = millis(event.path("timestamp"), now);
    switch (event.path("event").asString("")) {
      case "message", "message.any" -> message(payload, heard);
      case "message.reaction" -> reaction(payload, id, heard);
      case "message.edited" -> edited(payload, id, heard);
      case "message.revoked" -> revoked(payload, id, heard);
      case "message.ack" -> acknowledged(payload, at, heard);
      case "message.ack.group" -> acknowledged(payload, at, heard);
      default -> {}
    }
    heard.at(now);
    return heard;
  }

  /** What somebody wrote; what we sent ourselves is none of it. */
  static void message(JsonNode payload, Heard heard) {
    String id = id(payload.path("id").asString(""));
    boolean own = payload.path("fromMe").asBoolean(false);
    // What history tells has no source: there, what is ours is left out altogether.
    if (id != null && (!own || payload.path("source").asString("").equals("app"))) {
      // What the owner writes on the phone is no message to us, but a bot may want to step back.
      add(payload, id, own ? Kind.OTHER : Kind.MESSAGE, text(payload, "body"), heard);
    }
  }

  private static void reaction(JsonNode payload, @Nullable String id, Heard heard) {
    if (id != null && !payload.path("fromMe").asBoolean(false)) {
      JsonNode reaction = payload.path("reaction");
      String of = text(reaction, "messageId");
      add(payload, id, Kind.REACTION, reaction.path("text").asString(""), of, heard);
    }
  }

  private static void edited(JsonNode payload, @Nullable String id, Heard heard) {
    if (id != null && !payload.path("fromMe").asBoolean(false)) {
      String of = text(payload, "editedMessageId");
      add(payload, id, Kind.EDIT, text(payload, "body"), of, heard);
    }
  }

  private static void revoked(JsonNode payload, @Nullable String id, Heard heard) {
    JsonNode after = payload.path("after");
    if (id != null && !after.path("fromMe").asBoolean(false)) {
      add(after, id, Kind.OTHER, null, text(payload, "revokedMessageId"), heard);
    }
  }

  private static void add(
      JsonNode payload, String id, Kind kind, @Nullable String words, Heard heard) {
    add(payload, id, kind, words, payload.path("id").asString(""), heard);
  }

  /**
   * @param about the message that it is, or is about
   */
  private static void add(
      JsonNode payload,
      String id,
      Kind kind,
      @Nullable String words,
      @Nullable String about,
      Heard heard) {
    String chat = chat(payload);
    if (chat == null || chat.endsWith("@newsletter") && kind != Kind.MESSAGE) {
      return;
    }
    String hidden = chat;
    if (Jid.isPerson(chat)) {
      String other = alternative(payload);
      heard.named(hidden, other);
      heard.named(other, chat);
      chat = Jid.isHidden(chat) && other != null && Jid.isNumber(other) ? other : chat;
    }
    String participant = Jid.of(payload.path("participant").asString(""));
    boolean own = payload.path("fromMe").asBoolean(false);
    String sender = participant == null ? own ? me(payload) : chat : participant;
    heard.arrived(
        new InboundMessage(
            id,
            kind,
            chat,
            chatKind(chat),
            new InboundMessage.Sender(sender, name(payload)),
            words,
            files(payload),
            id(about),
            id(text(payload.path("replyTo"), "id")),
            null,
            seconds(payload.path("timestamp")),
            raw(payload)));
  }

  /** The chat as the id of the message names it: {@code from} is the sender at times. */
  private static @Nullable String chat(JsonNode payload) {
    String[] id = payload.path("id").asString("").split("_", -1);
    String named = id.length >= 3 ? Jid.of(id[1]) : null;
    return named == null ? Jid.of(payload.path("from").asString("")) : named;
  }

  static ChatKind chatKind(String chat) {
    if (Jid.isGroup(chat)) {
      return ChatKind.GROUP;
    }
    return Jid.isPerson(chat) ? ChatKind.DM : ChatKind.CHANNEL;
  }

  /** The other name of the person, by what the engine says: NOWEB's words, then GOWS's. */
  private static @Nullable String alternative(JsonNode payload) {
    JsonNode data = payload.path("_data");
    boolean own = payload.path("fromMe").asBoolean(false);
    for (String path :
        List.of("/key/remoteJidAlt", own ? "/Info/RecipientAlt" : "/Info/SenderAlt")) {
      String jid = Jid.of(data.at(path).asString(""));
      if (jid != null) {
        return jid;
      }
    }
    return null;
  }

  private static String me(JsonNode payload) {
    String from = Jid.of(payload.path("from").asString(""));
    return from == null ? "me" : from;
  }

  private static @Nullable String name(JsonNode payload) {
    JsonNode data = payload.path("_data");
    String name = text(data, "pushName");
    return name == null ? text(data.path("Info"), "PushName") : name;
  }

  private static List<InboundMessage.File> files(JsonNode payload) {
    JsonNode media = payload.path("media");
    String url = text(media, "url");
    if (url == null || media.path("error").isObject()) {
      return List.of();
    }
    String type = text(media, "mimetype");
    return List.of(
        new InboundMessage.File(kind(type), null, url, text(media, "filename"), type, null));
  }

  static String kind(@Nullable String type) {
    String lower = type == null ? "" : type.toLowerCase(Locale.ROOT);
    if (lower.startsWith("audio/ogg")) {
      return "voice"; // WhatsApp writes voice, and nothing else, like this
    }
    String main = lower.replaceFirst("/.*", "");
    return List.of("image", "video", "audio").contains(main) ? main : "document";
  }

  /** What WAHA said, without the engine's own data, which has the keys of files in it. */
  private static Map<String, @Nullable Object> raw(JsonNode payload) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(Json.map(payload));
    all.remove("_data");
    if (all.get("replyTo") instanceof Map<?, ?> reply) {
      Map<Object, @Nullable Object> short_ = new LinkedHashMap<>(reply);
      short_.remove("_data");
      all.put("replyTo", short_);
    }
    return all;
  }

  /** In a group each member acknowledges for himself: that one has it means it has arrived. */
  private static void acknowledged(JsonNode payload, Instant at, Heard heard) {
    String id = id(WahaBridge.bare(payload.path("id").asString("")));
    if (id == null || !payload.path("fromMe").asBoolean(true) || !payload.path("ack").isNumber()) {
      return;
    }
    String chat = chat(payload);
    boolean group = chat != null && Jid.isGroup(chat);
    int ack = payload.path("ack").asInt(0);
    DeliveryReport.State state =
        switch (ack) {
          case -1 -> DeliveryReport.State.FAILED;
          case 1 -> DeliveryReport.State.SENT;
          case 2 -> DeliveryReport.State.DELIVERED;
          case 3, 4 -> group ? DeliveryReport.State.DELIVERED : DeliveryReport.State.READ;
          default -> null;
        };
    if (state == DeliveryReport.State.FAILED) {
      failed(payload.path("error"), id, chat, at, false, heard);
    } else if (state != null) {
      heard.reports.add(new DeliveryReport(id, state, at, null));
    }
  }

  /**
   * One of ours that WhatsApp has refused, as the history has it: without a code.
   *
   * @param stranger whether nothing was ever exchanged with the chat: what is refused then, is
   *     refused for that
   */
  static void refused(JsonNode message, String chat, boolean stranger, Instant now, Heard heard) {
    String id = id(WahaBridge.bare(message.path("id").asString("")));
    Instant at = seconds(message.path("timestamp"));
    if (id != null) {
      failed(message.path("error"), id, chat, at == null ? now : at, stranger, heard);
    }
  }

  private static void failed(
      JsonNode error, String id, @Nullable String chat, Instant at, boolean stranger, Heard heard) {
    int code = error.path("code").asInt(0);
    String reason = error.path("reason").asString("");
    String detail = ((code == 0 ? "WhatsApp refused it" : "" + code) + " " + reason).strip();
    boolean closed = code == CLOSED || code == 0 && stranger;
    if (closed) {
      Instant until = until(error.path("until"), at);
      heard.closedUntil = until;
      if (chat != null) {
        heard.strangers.add(chat);
      }
      detail += ": the account is closed to strangers until " + until;
    }
    heard.reports.add(new DeliveryReport(id, DeliveryReport.State.FAILED, at, detail, !closed));
  }

  /** As a time, or seconds or milliseconds since 1970; in a day if nobody says. */
  private static Instant until(JsonNode until, Instant at) {
    Instant usual = at.plus(Strangers.USUALLY_CLOSED);
    if (until.isNumber()) {
      long number = until.asLong(0);
      Instant told =
          number > 100_000_000_000L
              ? millis(until, usual)
              : PlatformTime.ofSeconds(number) instanceof Instant it ? it : usual;
      return told.isAfter(at) ? told : usual;
    }
    try {
      Instant told = PlatformTime.storable(Instant.parse(until.asString("")));
      return told != null && told.isAfter(at) ? told : usual;
    } catch (DateTimeParseException e) {
      return usual;
    }
  }

  private static Instant millis(JsonNode node, Instant otherwise) {
    Long millis = Json.count(node);
    Instant at = millis == null ? null : PlatformTime.storable(Instant.ofEpochMilli(millis));
    return at == null ? otherwise : at;
  }

  static @Nullable Instant seconds(JsonNode node) {
    return node.isNumber() ? PlatformTime.ofSeconds((long) node.asDouble(0)) : null;
  }

  static @Nullable String id(@Nullable String text) {
    return text == null || text.isEmpty() || text.length() > LONGEST_ID ? null : text;
  }

  static @Nullable String text(JsonNode node, String field) {
    return Json.text(node, field);
  }
}
