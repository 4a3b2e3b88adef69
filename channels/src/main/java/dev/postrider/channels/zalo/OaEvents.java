package dev.postrider.channels.zalo;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what Zalo tells an Official Account's app: what people do, and what became of ours. */
final class OaEvents {
  private OaEvents() {}

  /** What a person did; null if it was not a person, or not in a chat with the account alone. */
  static @Nullable InboundMessage message(JsonNode event) {
    String name = event.path("event_name").asString("");
    boolean follows = name.equals("follow") || name.equals("unfollow");
    String person = ZaloText.of(event.path(follows ? "follower" : "sender"), "id");
    boolean ours = follows || (name.startsWith("user_") && !name.startsWith("user_send_group_"));
    if (!ours || person == null || state(name) != null) {
      return null;
    }
    JsonNode message = event.path("message");
    String id = ZaloText.of(message, "msg_id");
    Kind kind = kind(name);
    String when = event.path("timestamp").asString("");
    return new InboundMessage(
        kind == Kind.MESSAGE && id != null ? id : name + ":" + person + ":" + when,
        kind,
        person,
        ChatKind.DM,
        new InboundMessage.Sender(person, null),
        text(name, message),
        files(message.path("attachments")),
        kind == Kind.MESSAGE || kind == Kind.REACTION ? id : null,
        ZaloText.of(message, "quote_msg_id"),
        null,
        ZaloText.time(event.path("timestamp")),
        Json.map(event));
  }

  private static Kind kind(String event) {
    return switch (event) {
      case "user_submit_info", "user_click_chatnow" -> Kind.ACTION;
      case "user_reacted_message" -> Kind.REACTION;
      default -> event.startsWith("user_send_") ? Kind.MESSAGE : Kind.OTHER;
    };
  }

  private static @Nullable String text(String event, JsonNode message) {
    JsonNode payload = message.path("attachments").path(0).path("payload");
    String text = Json.text(message, "text");
    return switch (event) {
      case "user_reacted_message" -> Json.text(message, "react_icon");
      case "user_send_link" -> text == null ? Json.text(payload, "url") : text;
      case "user_send_location" -> place(payload.path("coordinates"));
      default -> text;
    };
  }

  /** A place, as RFC 5870 writes it. */
  private static @Nullable String place(JsonNode coordinates) {
    String latitude = coordinates.path("latitude").asString("");
    String longitude = coordinates.path("longitude").asString("");
    return latitude.isEmpty() || longitude.isEmpty() ? null : "geo:" + latitude + "," + longitude;
  }

  private static List<InboundMessage.File> files(JsonNode attachments) {
    List<InboundMessage.File> files = new ArrayList<>();
    for (JsonNode attachment : attachments) {
      String kind =
          switch (attachment.path("type").asString("")) {
            case "image", "gif", "sticker" -> "image";
            case "audio" -> "voice";
            case "video" -> "video";
            case "file" -> "document";
            default -> null; // links, places, business cards
          };
      JsonNode payload = attachment.path("payload");
      if (kind != null) {
        files.add(
            new InboundMessage.File(
                kind,
                ZaloText.of(payload, "id"),
                Json.text(payload, "url"),
                Json.text(payload, "name"),
                null,
                size(payload)));
      }
    }
    return files;
  }

  private static @Nullable Long size(JsonNode payload) {
    String size = ZaloText.of(payload, "size");
    return size != null && size.matches("\\d{1,15}") ? Long.valueOf(size) : null;
  }

  /** What became of parts of ours: nothing, if the event is about something else. */
  static List<DeliveryReport> reports(JsonNode event) {
    DeliveryReport.State state = state(event.path("event_name").asString(""));
    JsonNode message = event.path("message");
    Instant delivered = ZaloText.time(message.path("delivery_time"));
    Instant at = delivered == null ? ZaloText.time(event.path("timestamp")) : delivered;
    if (state == null || at == null) {
      return List.of();
    }
    List<DeliveryReport> reports = new ArrayList<>();
    String one = ZaloText.of(message, "msg_id");
    if (one != null) {
      reports.add(new DeliveryReport(one, state, at, null));
    }
    for (JsonNode id : message.path("msg_ids")) {
      if (id.isString() && !id.asString().isEmpty()) {
        reports.add(new DeliveryReport(id.asString(), state, at, null));
      }
    }
    return reports;
  }

  private static DeliveryReport.@Nullable State state(String event) {
    return switch (event) {
      case "user_received_message" -> DeliveryReport.State.DELIVERED;
      case "user_seen_message" -> DeliveryReport.State.READ;
      default -> null;
    };
  }
}
