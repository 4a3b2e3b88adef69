package dev.postrider.channels.discord;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What Discord tells, in our words. */
final class DiscordEvents {
  /** Somebody is typing a command and would like suggestions: not an action yet. */
  static final int AUTOCOMPLETE = 4;

  private static final int VOICE_MESSAGE = 1 << 13;

  private static final int DM = 1;
  private static final int GROUP_DM = 3;
  private static final int ANNOUNCEMENTS = 5;
  private static final Set<Integer> THREADS = Set.of(10, 11, 12);

  private static final int COMMAND = 2;
  private static final int COMPONENT = 3;

  private DiscordEvents() {}

  /**
   * What an event of the gateway says; null if nobody needs to know.
   *
   * @param self the bot, which need not hear of its own doings
   * @param occasion tells the event from all others, if it has no id of its own
   */
  static @Nullable InboundMessage read(String name, JsonNode data, String self, String occasion) {
    InboundMessage arrival =
        switch (name) {
          case "MESSAGE_CREATE" -> message(Kind.MESSAGE, text(data, "id"), data);
          case "MESSAGE_UPDATE" -> edit(data);
          case "MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE" -> reaction(data, occasion);
          case "INTERACTION_CREATE" -> interaction(data);
          default -> null;
        };
    return arrival == null || arrival.sender().id().equals(self) ? null : arrival;
  }

  private static InboundMessage message(Kind kind, String id, JsonNode data) {
    JsonNode channel = data.path("channel_type");
    JsonNode quoted = data.path("message_reference");
    boolean forwarded = quoted.path("type").asInt(0) != 0;
    boolean voice = (data.path("flags").asInt(0) & VOICE_MESSAGE) != 0;
    return new InboundMessage(
        id,
        kind,
        text(data, "channel_id"),
        chatKind(channel, data),
        sender(data.path("author")),
        orNull(data.path("content")),
        data.path("attachments").valueStream().map(file -> file(file, voice)).toList(),
        orNull(data.path("id")),
        forwarded ? null : orNull(quoted.path("message_id")),
        thread(channel, data),
        time(data.path("timestamp")),
        Json.map(data));
  }

  /** Discord also tells of a message that it has put a preview below; that is no edit. */
  private static @Nullable InboundMessage edit(JsonNode data) {
    String when = orNull(data.path("edited_timestamp"));
    return when == null ? null : message(Kind.EDIT, "edit:" + text(data, "id") + ":" + when, data);
  }

  private static InboundMessage reaction(JsonNode data, String occasion) {
    return new InboundMessage(
        occasion,
        Kind.REACTION,
        text(data, "channel_id"),
        chatKind(data.path("channel_type"), data),
        new InboundMessage.Sender(text(data, "user_id"), name(data.path("member").path("user"))),
        orNull(data.path("emoji").path("name")),
        List.of(),
        orNull(data.path("message_id")),
        null,
        null,
        null,
        Json.map(data));
  }

  /** A command, a button, a menu or a form; null for what is none of these or has no id. */
  static @Nullable InboundMessage interaction(JsonNode data) {
    int type = data.path("type").asInt(0);
    String id = text(data, "id");
    if (!Snowflake.is(id) || type < COMMAND || type == AUTOCOMPLETE) {
      return null;
    }
    JsonNode channel = data.path("channel").path("type");
    JsonNode user = data.has("member") ? data.path("member").path("user") : data.path("user");
    JsonNode what = data.path("data");
    Map<String, @Nullable Object> raw = Json.map(data);
    raw.remove("token"); // whoever has it can speak as the bot; we remember it for the answer
    return new InboundMessage(
        id,
        Kind.ACTION,
        text(data, "channel_id"),
        chatKind(channel, data),
        sender(user),
        type == COMMAND ? command(what) : orNull(what.path("custom_id")),
        List.of(),
        isThinking(data) ? id : orNull(data.path("message").path("id")),
        null,
        thread(channel, data),
        Snowflake.time(id),
        raw);
  }

  /**
   * What an interaction is answered with at once: no suggestions, or what gives time for an answer,
   * which is "is thinking", or for something below a message, nothing to be seen.
   *
   * @param isPrivate whether only who did it is to see the "thinking", and so the answer
   */
  static Map<String, ?> acknowledgement(JsonNode interaction, boolean isPrivate) {
    return switch (interaction.path("type").asInt(0)) {
      case AUTOCOMPLETE -> Map.of("type", 8, "data", Map.of("choices", List.of()));
      case COMPONENT -> Map.of("type", 6);
      default ->
          isPrivate
              ? Map.of("type", 5, "data", Map.of("flags", DiscordRequest.FOR_ONE_PERSON))
              : Map.of("type", 5);
    };
  }

  /** Whether an interaction shows "is thinking" until it is answered. */
  static boolean isThinking(JsonNode interaction) {
    int type = interaction.path("type").asInt(0);
    return type >= COMMAND && type != COMPONENT && type != AUTOCOMPLETE;
  }

  /** As it was typed: {@code /remind add what:milk}. */
  private static String command(JsonNode data) {
    return "/" + text(data, "name") + options(data.path("options"));
  }

  private static String options(JsonNode options) {
    return options
        .valueStream()
        .map(
            option ->
                option.has("value")
                    ? " " + text(option, "name") + ":" + text(option, "value")
                    : " " + text(option, "name") + options(option.path("options")))
        .collect(Collectors.joining());
  }

  private static InboundMessage.Sender sender(JsonNode user) {
    return new InboundMessage.Sender(text(user, "id"), name(user));
  }

  private static @Nullable String name(JsonNode user) {
    String shown = orNull(user.path("global_name"));
    return shown == null ? orNull(user.path("username")) : shown;
  }

  private static InboundMessage.File file(JsonNode file, boolean voice) {
    String type = orNull(file.path("content_type"));
    return new InboundMessage.File(
        voice ? "voice" : kind(type),
        orNull(file.path("id")),
        orNull(file.path("url")),
        orNull(file.path("filename")),
        type,
        Json.count(file.path("size")));
  }

  private static String kind(@Nullable String type) {
    String group = type == null ? "" : type.substring(0, Math.max(type.indexOf('/'), 0));
    return Set.of("image", "video", "audio").contains(group) ? group : "document";
  }

  /** Older events do not say what kind of chat it is, only whether it is on a server. */
  private static ChatKind chatKind(JsonNode type, JsonNode data) {
    return switch (type.asInt(data.has("guild_id") ? GROUP_DM : DM)) {
      case DM -> ChatKind.DM;
      case ANNOUNCEMENTS -> ChatKind.CHANNEL;
      default -> ChatKind.GROUP;
    };
  }

  private static @Nullable String thread(JsonNode type, JsonNode data) {
    return THREADS.contains(type.asInt(0)) ? text(data, "channel_id") : null;
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asString("");
  }

  private static @Nullable String orNull(JsonNode node) {
    String text = node.asString("");
    return text.isEmpty() ? null : text;
  }

  private static @Nullable Instant time(JsonNode node) {
    try {
      return PlatformTime.storable(OffsetDateTime.parse(node.asString("")).toInstant());
    } catch (DateTimeException e) {
      return null;
    }
  }
}
