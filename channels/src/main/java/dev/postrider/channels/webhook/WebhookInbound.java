package dev.postrider.channels.webhook;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.MediaKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a webhook says. Only {@code type}, {@code timestamp} and {@code data} are agreed on; what
 * {@code data} holds is up to the sender, so everything here may be missing or of another kind.
 */
final class WebhookInbound {
  private WebhookInbound() {}

  static InboundMessage of(String webhookId, JsonNode payload) {
    JsonNode data = payload.path("data");
    JsonNode sender = data.path("sender");
    String senderId = first(sender.path("id"), sender).orElse("");
    String chat = first(data.path("chat").path("id"), data.path("chat")).orElse(senderId);
    return new InboundMessage(
        webhookId,
        kind(payload.path("type").asString("message")),
        chat,
        chatKind(data),
        new InboundMessage.Sender(senderId, first(sender.path("name")).orElse(null)),
        first(data.path("text")).orElse(null),
        data.path("media").valueStream().map(WebhookInbound::file).toList(),
        first(data.path("messageId"), data.path("id")).orElse(null),
        first(data.path("replyToId")).orElse(null),
        first(data.path("threadId")).orElse(null),
        time(payload.path("timestamp")),
        Json.map(payload));
  }

  /** By the specification a type is a path of names, from the general to the particular. */
  private static Kind kind(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "message", "message.created", "message.received", "message.sent" -> Kind.MESSAGE;
      case "edit", "message.edited", "message.updated" -> Kind.EDIT;
      case "action" -> Kind.ACTION;
      case "reaction" -> Kind.REACTION;
      default -> Kind.OTHER;
    };
  }

  private static ChatKind chatKind(JsonNode data) {
    String said = first(data.path("chat").path("kind"), data.path("chatKind")).orElse("");
    return Stream.of(ChatKind.values())
        .filter(kind -> kind.label().equalsIgnoreCase(said))
        .findFirst()
        .orElse(ChatKind.DM);
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = first(file.path("type")).orElse(null);
    MediaKind kind = type == null ? MediaKind.DOCUMENT : MediaTypes.kind(type);
    JsonNode size = file.path("size");
    return new InboundMessage.File(
        first(file.path("kind")).orElse(kind.label()),
        first(file.path("id")).orElse(null),
        first(file.path("url"), file).orElse(null),
        first(file.path("filename")).orElse(null),
        type,
        Json.count(size));
  }

  private static @Nullable Instant time(JsonNode timestamp) {
    try {
      @Nullable Long seconds = Json.count(timestamp);
      return seconds != null
          ? PlatformTime.ofSeconds(seconds)
          : PlatformTime.storable(OffsetDateTime.parse(timestamp.asString("")).toInstant());
    } catch (DateTimeException _) {
      return null;
    }
  }

  /** The first of several nodes that is a text or a number. */
  private static Optional<String> first(JsonNode... nodes) {
    return Stream.of(nodes)
        .filter(node -> node.isString() || node.isNumber())
        .map(JsonNode::asString)
        .filter(text -> !text.isBlank())
        .findFirst();
  }
}
