package dev.postrider.channels.line;

import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what LINE tells: what people write and do, and what is needed to answer. */
final class LineEvents {
  /** A message can be quoted for ever; a week is long enough to answer it. */
  private static final Duration QUOTABLE = Duration.ofDays(7);

  /** The longest key of the memory, less what we put before an id. */
  private static final int LONGEST_ID = 80;

  private LineEvents() {}

  /** What happened; null if it concerns no chat, or cannot be told from anything else. */
  static @Nullable InboundMessage message(JsonNode event) {
    String id = id(event, "webhookEventId");
    String chat = chat(event.path("source"));
    if (id == null || chat == null) {
      return null;
    }
    JsonNode source = event.path("source");
    JsonNode message = event.path("message");
    String user = Json.text(source, "userId");
    boolean direct = source.path("type").asString("").equals("user");
    String type = event.path("type").asString("");
    return new InboundMessage(
        id,
        kind(type, event),
        chat,
        direct ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(user == null ? chat : user, null),
        words(type, event),
        files(message),
        id(message, "id"),
        type.equals("unsend")
            ? id(event.path("unsend"), "messageId")
            : id(message, "quotedMessageId"),
        null,
        time(event),
        raw(event));
  }

  /** The chat an event belongs to: a group's, a room's, or one person's; null if none. */
  private static @Nullable String chat(JsonNode source) {
    String chat =
        switch (source.path("type").asString("")) {
          case "user" -> Json.text(source, "userId");
          case "group" -> Json.text(source, "groupId");
          case "room" -> Json.text(source, "roomId");
          default -> null;
        };
    return chat != null && LineChannel.isChat(chat) ? chat : null;
  }

  /** While another bot has the word (standby), nothing is a message to us. */
  private static Kind kind(String type, JsonNode event) {
    if (event.path("mode").asString("").equals("standby")) {
      return Kind.OTHER;
    }
    return switch (type) {
      case "message" -> Kind.MESSAGE;
      case "postback" -> Kind.ACTION;
      default -> Kind.OTHER;
    };
  }

  private static @Nullable String words(String type, JsonNode event) {
    return switch (type) {
      case "message" -> Json.text(event.path("message"), "text");
      case "postback" -> Json.text(event.path("postback"), "data");
      default -> null;
    };
  }

  private static List<InboundMessage.File> files(JsonNode message) {
    String kind =
        switch (message.path("type").asString("")) {
          case "image" -> "image";
          case "video" -> "video";
          case "audio" -> "audio";
          case "file" -> "document";
          default -> null;
        };
    if (kind == null) {
      return List.of();
    }
    JsonNode provider = message.path("contentProvider");
    boolean elsewhere = provider.path("type").asString("").equals("external");
    return List.of(
        new InboundMessage.File(
            kind,
            elsewhere ? null : id(message, "id"),
            elsewhere ? Json.text(provider, "originalContentUrl") : null,
            Json.text(message, "fileName"),
            null,
            Json.count(message.path("fileSize"))));
  }

  /** What LINE said, without the token that lets its bearer answer. */
  private static Map<String, @Nullable Object> raw(JsonNode event) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(Json.map(event));
    all.remove("replyToken");
    return all;
  }

  /** When it happened; null if LINE does not say. */
  static @Nullable Instant time(JsonNode event) {
    Long millis = Json.count(event.path("timestamp"));
    return millis == null ? null : PlatformTime.storable(Instant.ofEpochMilli(millis));
  }

  /** What an event leaves to be known when something is sent to its chat. */
  static List<Remembered> remember(JsonNode event, InboundMessage read, Instant receivedAt) {
    List<Remembered> all = new ArrayList<>();
    String chat = read.chat();
    String message = read.messageId();
    String token = Json.text(event, "replyToken");
    if (token != null && isToken(token)) {
      all.addAll(
          ReplyTokens.remember(
              chat, message == null ? read.platformId() : message, token, receivedAt));
    }
    String quote = Json.text(event.path("message"), "quoteToken");
    if (quote != null && message != null && quote.length() <= Remembered.MAX_BYTES / 4) {
      all.add(Remembered.until(receivedAt.plus(QUOTABLE), chat, LineLink.QUOTE + message, quote));
    }
    switch (event.path("type").asString("")) {
      case "unfollow" ->
          all.add(
              Remembered.of(
                  chat,
                  LineLink.UNFOLLOWED,
                  String.valueOf(read.sentAt() == null ? receivedAt : read.sentAt())));
      case "follow" -> all.add(Remembered.forget(chat, LineLink.UNFOLLOWED));
      default -> {}
    }
    return all;
  }

  /** LINE's console tries webhooks out with tokens that are no tokens. */
  private static boolean isToken(String token) {
    return token.length() <= 1000 && !token.matches("0+|f+");
  }

  private static @Nullable String id(JsonNode node, String field) {
    String value = Json.text(node, field);
    return value != null && value.length() <= LONGEST_ID && value.matches("[\\x21-\\x7e]+")
        ? value
        : null;
  }
}
