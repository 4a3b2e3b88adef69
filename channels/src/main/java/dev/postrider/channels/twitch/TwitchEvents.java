package dev.postrider.channels.twitch;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what events mean, whichever way they came. */
final class TwitchEvents {
  static final String MESSAGE = "channel.chat.message";
  static final String DELETED = "channel.chat.message_delete";

  /** What is subscribed to in a chat. */
  static final List<String> TYPES = List.of(MESSAGE, DELETED);

  private TwitchEvents() {}

  /**
   * What an event tells; null if nothing that anybody needs to know.
   *
   * @param own users whose messages are our own
   * @param at when Twitch told it
   */
  static @Nullable InboundMessage read(
      String type, JsonNode event, Set<String> own, @Nullable Instant at) {
    return switch (type) {
      case MESSAGE -> message(event, own, at);
      case DELETED -> deletion(event, at);
      default -> null;
    };
  }

  private static @Nullable InboundMessage message(
      JsonNode event, Set<String> own, @Nullable Instant at) {
    String id = text(event, "message_id");
    String chat = text(event, "broadcaster_user_id");
    String user = text(event, "chatter_user_id");
    if (id == null || chat == null || user == null || own.contains(user)) {
      return null;
    }
    JsonNode reply = event.path("reply");
    return new InboundMessage(
        id,
        Kind.MESSAGE,
        chat,
        ChatKind.GROUP,
        new InboundMessage.Sender(user, name(event, "chatter")),
        text(event.path("message"), "text"),
        List.of(),
        id,
        text(reply, "parent_message_id"),
        text(reply, "thread_message_id"),
        at,
        Json.map(event));
  }

  private static @Nullable InboundMessage deletion(JsonNode event, @Nullable Instant at) {
    String id = text(event, "message_id");
    String chat = text(event, "broadcaster_user_id");
    String user = text(event, "target_user_id");
    return id == null || chat == null || user == null
        ? null
        : new InboundMessage(
            id + ":deleted",
            Kind.OTHER,
            chat,
            ChatKind.GROUP,
            new InboundMessage.Sender(user, name(event, "target")),
            null,
            List.of(),
            id,
            null,
            null,
            at,
            Json.map(event));
  }

  private static @Nullable String name(JsonNode event, String whose) {
    String shown = text(event, whose + "_user_name");
    return shown == null ? text(event, whose + "_user_login") : shown;
  }

  /** A time as Twitch writes it, to the nanosecond; null if it is none. */
  static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : PlatformTime.storable(Instant.parse(text));
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** What Twitch asks for before it tells of a chat. */
  static Map<String, Object> subscription(
      String type, String broadcaster, String user, Map<String, String> transport) {
    return Map.of(
        "type",
        type,
        "version",
        "1",
        "condition",
        Map.of("broadcaster_user_id", broadcaster, "user_id", user),
        "transport",
        transport);
  }
}
