package dev.postrider.channels.slack;

import static dev.postrider.channels.http.Json.text;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Says what Slack's events, interactions and slash commands mean. */
final class SlackEvents {
  private static final TypeReference<Map<String, Object>> RAW = new TypeReference<>() {};

  private static final Set<String> CREDENTIALS = Set.of("token", "response_url", "response_urls");

  private SlackEvents() {}

  /** What a payload tells, if anything; null if Slack would not say this. */
  static @Nullable List<InboundMessage> read(JsonNode payload) {
    return switch (text(payload, "type")) {
      case "event_callback" -> event(payload);
      case "app_rate_limited" -> List.of();
      case null ->
          payload.has("ssl_check") ? List.of() : payload.has("command") ? command(payload) : null;
      default -> interaction(payload);
    };
  }

  private static @Nullable List<InboundMessage> event(JsonNode payload) {
    JsonNode event = payload.path("event");
    String id = text(payload, "event_id");
    if (id == null || !event.isObject()) {
      return null;
    }
    return switch (text(event, "type")) {
      case "message", "app_mention" -> message(payload, id, event);
      case "reaction_added" ->
          own(payload, event) ? List.of() : List.of(reaction(payload, id, event));
      case null -> null;
      default -> List.of(told(payload, id, Kind.OTHER, event, event));
    };
  }

  private static @Nullable List<InboundMessage> message(
      JsonNode payload, String id, JsonNode event) {
    String subtype = requireNonNullElse(text(event, "subtype"), "");
    JsonNode message =
        switch (subtype) {
          case "message_changed" -> event.path("message");
          case "message_deleted" -> event.path("previous_message");
          default -> event;
        };
    String ts = text(event, "ts");
    if (ts == null) {
      return null;
    }
    if (own(payload, message)) {
      return List.of();
    }
    return List.of(
        switch (subtype) {
          case "", "file_share", "thread_broadcast", "me_message", "bot_message" ->
              // Slack tells of a mention twice, with an id for each: the message is one.
              told(payload, chat(event) + ":" + ts, Kind.MESSAGE, event, message);
          case "message_changed" -> told(payload, id, Kind.EDIT, event, message);
          default -> told(payload, id, Kind.OTHER, event, message);
        });
  }

  private static InboundMessage told(
      JsonNode payload, String id, Kind kind, JsonNode event, JsonNode message) {
    return new InboundMessage(
        id,
        kind,
        chat(event),
        chatKind(event),
        sender(message),
        plain(text(message, "text")),
        message.path("files").valueStream().map(SlackEvents::file).toList(),
        text(message, "ts"),
        null, // Slack replies to threads, not to messages
        kind == Kind.OTHER
            ? text(message, "thread_ts")
            : thread(chatKind(event), text(message, "thread_ts"), text(message, "ts")),
        instant(first(text(event, "event_ts"), text(event, "ts"))),
        raw(payload));
  }

  private static InboundMessage reaction(JsonNode payload, String id, JsonNode event) {
    JsonNode item = event.path("item");
    return new InboundMessage(
        id,
        Kind.REACTION,
        chat(item.has("channel") ? item : event),
        chatKind(item),
        sender(event),
        text(event, "reaction"),
        List.of(),
        text(item, "ts"),
        null,
        null,
        instant(text(event, "event_ts")),
        raw(payload));
  }

  /** A button, a menu, a form or a shortcut. */
  private static @Nullable List<InboundMessage> interaction(JsonNode payload) {
    JsonNode action = payload.path("actions").path(0);
    JsonNode container = payload.path("container");
    String id = first(text(payload, "trigger_id"), text(action, "action_ts"));
    String user = text(payload.path("user"), "id");
    String chat = first(text(payload.path("channel"), "id"), text(container, "channel_id"), user);
    if (id == null || chat == null || user == null) {
      return null;
    }
    return List.of(
        action(
            payload,
            id,
            chat,
            new InboundMessage.Sender(
                user,
                first(text(payload.path("user"), "username"), text(payload.path("user"), "name"))),
            first(
                text(action, "value"),
                text(action.path("selected_option"), "value"),
                text(action, "action_id"),
                text(payload, "callback_id")),
            first(text(payload.path("message"), "ts"), text(container, "message_ts")),
            thread(
                chatKind(chat),
                first(text(payload.path("message"), "thread_ts"), text(container, "thread_ts")),
                first(text(payload.path("message"), "ts"), text(container, "message_ts"))),
            instant(text(action, "action_ts"))));
  }

  private static @Nullable List<InboundMessage> command(JsonNode payload) {
    String id = text(payload, "trigger_id");
    String chat = text(payload, "channel_id");
    String user = text(payload, "user_id");
    if (id == null || chat == null || user == null) {
      return null;
    }
    String words =
        (text(payload, "command") + " " + requireNonNullElse(text(payload, "text"), "")).strip();
    InboundMessage.Sender sender = new InboundMessage.Sender(user, text(payload, "user_name"));
    return List.of(action(payload, id, chat, sender, plain(words), null, null, null));
  }

  private static InboundMessage action(
      JsonNode payload,
      String id,
      String chat,
      InboundMessage.Sender sender,
      @Nullable String text,
      @Nullable String messageId,
      @Nullable String threadId,
      @Nullable Instant at) {
    return new InboundMessage(
        id,
        Kind.ACTION,
        chat,
        chatKind(chat),
        sender,
        text,
        List.of(),
        messageId,
        null,
        threadId,
        at,
        raw(payload));
  }

  /** Whether it is the bot's own doing: Slack names the app, or the bot's user, with the event. */
  private static boolean own(JsonNode payload, JsonNode message) {
    String app = text(payload, "api_app_id");
    String author = first(text(message, "app_id"), text(message.path("bot_profile"), "app_id"));
    String user = text(message, "user");
    return (app != null && app.equals(author))
        || payload
            .path("authorizations")
            .valueStream()
            .filter(one -> one.path("is_bot").asBoolean(false))
            .anyMatch(one -> user != null && user.equals(text(one, "user_id")));
  }

  /** Where a reply would go: the channel, else the person. */
  private static String chat(JsonNode event) {
    return requireNonNullElse(
        first(text(event, "channel"), text(event.path("channel"), "id"), text(event, "user")), "");
  }

  /**
   * The thread of a message. One that stands alone in a channel is the first of its thread: whoever
   * answers it answers there, and what follows belongs to the same conversation.
   */
  private static @Nullable String thread(
      ChatKind kind, @Nullable String thread, @Nullable String ts) {
    return thread == null && kind != ChatKind.DM ? ts : thread;
  }

  private static ChatKind chatKind(JsonNode event) {
    return "im".equals(text(event, "channel_type")) ? ChatKind.DM : chatKind(chat(event));
  }

  private static ChatKind chatKind(String chat) {
    return chat.startsWith("C") || chat.startsWith("G") ? ChatKind.GROUP : ChatKind.DM;
  }

  private static InboundMessage.Sender sender(JsonNode message) {
    return new InboundMessage.Sender(
        requireNonNullElse(first(text(message, "user"), text(message, "bot_id")), ""),
        text(message, "username"));
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = text(file, "mimetype");
    boolean voice = "slack_audio".equals(text(file, "subtype"));
    return new InboundMessage.File(
        voice ? "voice" : MediaTypes.kind(requireNonNullElse(type, "")).label(),
        text(file, "id"),
        first(text(file, "url_private_download"), text(file, "url_private")),
        text(file, "name"),
        type,
        Json.count(file.path("size")));
  }

  /** Slack writes three characters as entities; everything else stays as it came. */
  private static @Nullable String plain(@Nullable String text) {
    return text == null
        ? null
        : text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  private static @Nullable Instant instant(@Nullable String ts) {
    if (ts == null || !ts.matches("\\d{1,11}(\\.\\d{1,9})?")) {
      return null;
    }
    BigDecimal seconds = new BigDecimal(ts);
    return Instant.ofEpochSecond(
        seconds.longValue(), seconds.remainder(BigDecimal.ONE).movePointRight(9).longValue());
  }

  /** All that Slack said, but what lets its bearer speak as Slack, or in this chat. */
  private static Map<String, Object> raw(JsonNode payload) {
    Map<String, Object> raw = JsonMapper.shared().convertValue(payload, RAW);
    raw.keySet().removeAll(CREDENTIALS);
    return raw;
  }

  private static @Nullable String first(@Nullable String... texts) {
    return Stream.of(texts).filter(Objects::nonNull).findFirst().orElse(null);
  }
}
