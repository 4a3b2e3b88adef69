package dev.postrider.channels.nextcloud;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what Talk tells a bot, in the words of Activity Streams. */
final class NextcloudEvents {
  private NextcloudEvents() {}

  /**
   * What an event tells.
   *
   * @param arrival null if nobody needs to know: a bot has done it, this one or another
   * @param at when it happened, if it says so
   */
  record Told(@Nullable InboundMessage arrival, @Nullable Instant at, List<Remembered> memory) {}

  /**
   * @param random what the event was signed with: another one for each, and the same if it is
   *     played back
   * @return null if it cannot be told from anything else
   */
  static @Nullable Told read(JsonNode event, String random) {
    String type = text(event, "type");
    if (type == null || random.isBlank()) {
      return null;
    }
    return switch (type) {
      case "Join", "Leave" -> membership(event, type, random);
      case "Create", "Activity" -> message(event, type);
      case "Like" -> reaction(event, event, type, random);
      case "Undo" -> reaction(event, event.path("object"), type, random);
      default -> new Told(null, null, List.of());
    };
  }

  /** The bot was enabled in a conversation, or removed from it. */
  private static @Nullable Told membership(JsonNode event, String type, String random) {
    String chat = conversation(event.path("object"));
    if (chat == null) {
      return null;
    }
    Instant at = time(event);
    InboundMessage arrival =
        arrival(event, id(type, random), Kind.OTHER, chat, null, null, null, null, at);
    return new Told(
        arrival,
        at,
        type.equals("Join")
            ? List.of(
                Remembered.forget(chat, BotAccess.REMOVED),
                Remembered.of(null, BotAccess.CONVERSATION, chat))
            : List.of(
                Remembered.of(
                    chat, BotAccess.REMOVED, at == null ? "a time unknown" : at.toString())));
  }

  private static @Nullable Told message(JsonNode event, String type) {
    JsonNode note = event.path("object");
    String chat = conversation(event.path("target"));
    String id = id(note);
    if (chat == null || id == null) {
      return null;
    }
    Instant at = time(event);
    if (isBot(event)) {
      return new Told(null, at, List.of());
    }
    TalkText content = TalkText.of(note);
    InboundMessage arrival =
        arrival(
            event,
            id,
            type.equals("Create") ? Kind.MESSAGE : Kind.OTHER,
            chat,
            content,
            id,
            id(note.path("inReplyTo").path("object")),
            number(note.path("threadId")),
            at);
    return new Told(arrival, at, List.of(Remembered.of(null, BotAccess.CONVERSATION, chat)));
  }

  /**
   * @param like what was given, in case that it is taken back
   */
  private static @Nullable Told reaction(
      JsonNode event, JsonNode like, String type, String random) {
    String chat = conversation(event.path("target"));
    String id = id(like.path("object"));
    if (chat == null || id == null) {
      return null;
    }
    Instant at = time(event);
    if (isBot(event)) {
      return new Told(null, at, List.of());
    }
    // As elsewhere, a reaction without a text is one that was taken back.
    String emoji = type.equals("Like") ? text(like, "content") : null;
    TalkText content = new TalkText(emoji, List.of());
    return new Told(
        arrival(event, id(type, random), Kind.REACTION, chat, content, id, null, null, at),
        at,
        List.of());
  }

  private static InboundMessage arrival(
      JsonNode event,
      String platformId,
      Kind kind,
      String chat,
      @Nullable TalkText content,
      @Nullable String messageId,
      @Nullable String replyToId,
      @Nullable String threadId,
      @Nullable Instant at) {
    JsonNode actor = event.path("actor");
    String who = text(actor, "id");
    return new InboundMessage(
        platformId,
        kind,
        chat,
        ChatKind.GROUP, // Talk does not say how many are in it
        new InboundMessage.Sender(who == null ? "unknown" : who, text(actor, "name")),
        content == null ? null : content.text(),
        content == null ? List.of() : content.files(),
        messageId,
        replyToId,
        threadId,
        at,
        Json.map(event));
  }

  private static boolean isBot(JsonNode event) {
    return event.path("actor").path("id").asString("").startsWith("bots/");
  }

  /** For what Talk gives no id of its own. */
  private static String id(String type, String random) {
    return type.toLowerCase(Locale.ROOT) + ":" + random;
  }

  private static @Nullable String conversation(JsonNode collection) {
    String token = text(collection, "id");
    return token == null || !NextcloudChannel.isConversation(token) ? null : token;
  }

  private static @Nullable String id(JsonNode note) {
    return number(note.path("id"));
  }

  /** A number, or its digits. */
  private static @Nullable String number(JsonNode value) {
    String digits = value.isString() || value.isIntegralNumber() ? value.asString("") : "";
    return digits.matches("[1-9]\\d{0,17}") ? digits : null;
  }

  private static @Nullable Instant time(JsonNode event) {
    String at = text(event, "published");
    try {
      return at == null ? null : PlatformTime.storable(OffsetDateTime.parse(at).toInstant());
    } catch (DateTimeException e) {
      return null;
    }
  }
}
