package dev.postrider.channels.imessage;

import static dev.postrider.channels.http.Json.text;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Alias;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import dev.postrider.problem.InvalidInput;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what the messages mean that {@code imsg} tells. */
final class IMessageEvents {
  private IMessageEvents() {}

  /** The message; null if it is our own, or none. */
  static @Nullable InboundMessage read(JsonNode message) {
    String guid = text(message, "guid");
    String chat = chat(message);
    if (guid == null || chat == null || message.path("is_from_me").asBoolean(false)) {
      return null;
    }
    boolean reaction = message.path("is_reaction").asBoolean(false);
    Instant at = IMessageSearch.time(message.path("created_at").asString(""));
    String reply = text(message, "reply_to_guid");
    return new InboundMessage(
        guid,
        reaction ? Kind.REACTION : Kind.MESSAGE,
        chat,
        message.path("is_group").asBoolean(false) ? ChatKind.GROUP : ChatKind.DM,
        new InboundMessage.Sender(
            requireNonNullElse(text(message, "sender"), ""), text(message, "sender_name")),
        reaction ? tapback(message) : text(message, "text"),
        reaction
            ? List.of()
            : message.path("attachments").valueStream().map(IMessageEvents::file).toList(),
        reaction ? requireNonNullElse(text(message, "reacted_to_guid"), guid) : guid,
        reaction ? null : reply == null ? text(message, "thread_originator_guid") : reply,
        null,
        at == null ? null : PlatformTime.storable(at),
        Json.map(message));
  }

  /** A chat can also be written to by its number. */
  static List<Alias> aliases(JsonNode message) {
    String chat = chat(message);
    Long number = Json.count(message.path("chat_id"));
    return chat == null || number == null || number < 1
        ? List.of()
        : List.of(new Alias("chat_id:" + number, chat));
  }

  private static @Nullable String chat(JsonNode message) {
    String guid = text(message, "chat_guid");
    String chat = guid == null ? text(message, "chat_identifier") : guid;
    try {
      return chat == null ? null : IMessageAddress.of(chat).canonical();
    } catch (InvalidInput e) {
      return chat;
    }
  }

  private static String tapback(JsonNode message) {
    String type = requireNonNullElse(text(message, "reaction_type"), "");
    String emoji = requireNonNullElse(text(message, "reaction_emoji"), type);
    String shown = type.isEmpty() || type.startsWith("custom") ? emoji : type;
    return message.path("is_reaction_add").asBoolean(true) ? shown : "-" + shown;
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = text(file, "mime_type");
    return new InboundMessage.File(
        MediaTypes.kind(requireNonNullElse(type, "")).label(),
        text(file, "original_path"),
        null,
        text(file, "transfer_name"),
        type,
        Json.count(file.path("total_bytes")));
  }
}
