package dev.postrider.channels.whatsapp;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what Meta tells: what users write, and what happened to what was written to them. */
final class WhatsAppEvents {
  private WhatsAppEvents() {}

  /** What a user did; null if it cannot be told from anything else. */
  static @Nullable InboundMessage message(JsonNode message, JsonNode value) {
    String id = text(message, "id");
    String from = text(message, "from");
    if (id == null || from == null) {
      return null;
    }
    String type = message.path("type").asString("");
    JsonNode content = message.path(type);
    String group = text(message, "group_id");
    return new InboundMessage(
        id,
        kind(type),
        group == null ? from : group,
        group == null ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(from, name(from, value)),
        words(type, content),
        files(type, content),
        type.equals("reaction") ? text(content, "message_id") : id,
        text(message.path("context"), "id"),
        null,
        time(message),
        Json.map(message));
  }

  private static Kind kind(String type) {
    return switch (type) {
      case "text", "image", "video", "audio", "document", "sticker", "location", "contacts" ->
          Kind.MESSAGE;
      case "button", "interactive" -> Kind.ACTION;
      case "reaction" -> Kind.REACTION;
      default -> Kind.OTHER;
    };
  }

  private static @Nullable String words(String type, JsonNode content) {
    return switch (type) {
      case "text" -> text(content, "body");
      case "button" -> text(content, "text");
      case "interactive" -> text(content.path(content.path("type").asString("")), "title");
      case "reaction" -> text(content, "emoji");
      default -> text(content, "caption");
    };
  }

  private static List<InboundMessage.File> files(String type, JsonNode content) {
    String kind =
        switch (type) {
          case "image", "sticker" -> "image";
          case "video", "document" -> type;
          case "audio" -> content.path("voice").asBoolean(false) ? "voice" : "audio";
          default -> null;
        };
    return kind == null
        ? List.of()
        : List.of(
            new InboundMessage.File(
                kind,
                text(content, "id"),
                text(content, "url"),
                text(content, "filename"),
                text(content, "mime_type"),
                null));
  }

  private static @Nullable String name(String user, JsonNode value) {
    return value
        .path("contacts")
        .valueStream()
        .filter(contact -> contact.path("wa_id").asString("").equals(user))
        .map(contact -> text(contact.path("profile"), "name"))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** What happened to a part; null if it is nothing new to us. */
  static @Nullable DeliveryReport status(JsonNode status) {
    DeliveryReport.State state =
        switch (status.path("status").asString("")) {
          case "sent" -> DeliveryReport.State.SENT;
          case "delivered" -> DeliveryReport.State.DELIVERED;
          case "read", "played" -> DeliveryReport.State.READ;
          case "failed" -> DeliveryReport.State.FAILED;
          default -> null;
        };
    String id = text(status, "id");
    Instant at = time(status);
    return state == null || id == null || at == null
        ? null
        : new DeliveryReport(
            id, state, at, detail(status.path("errors").path(0)), isPermanent(status));
  }

  /** Codes that say that Meta was busy or saw too much at once: the same may pass later. */
  private static final Set<Integer> PASSING =
      Set.of(1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 131064, 133004);

  private static boolean isPermanent(JsonNode status) {
    int code = status.path("errors").path(0).path("code").asInt(0);
    return code != 0 && !PASSING.contains(code);
  }

  private static @Nullable String detail(JsonNode error) {
    if (!error.isObject()) {
      return null;
    }
    String title = error.path("title").asString(error.path("message").asString(""));
    String details = error.path("error_data").path("details").asString("");
    return error.path("code").asString("")
        + " "
        + (details.isEmpty() ? title : title + ": " + details);
  }

  /** Seconds, as text; Meta's own examples also have them as a number. */
  private static @Nullable Instant time(JsonNode event) {
    String seconds = event.path("timestamp").asString("");
    return seconds.matches("\\d{1,11}") ? Instant.ofEpochSecond(Long.parseLong(seconds)) : null;
  }

  private static @Nullable String text(JsonNode node, String field) {
    String value = node.path(field).asString("");
    return value.isEmpty() ? null : value;
  }
}
