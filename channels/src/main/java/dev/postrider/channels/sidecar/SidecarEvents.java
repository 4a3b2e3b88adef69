package dev.postrider.channels.sidecar;

import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a sidecar tells: messages, reactions and receipts. */
final class SidecarEvents {
  /** How long a message can be quoted; it is remembered for so long. */
  private static final Duration QUOTABLE = Duration.ofDays(7);

  private static final int LONGEST_QUOTE = 8_000;
  private static final int LONGEST_ID = 90;

  private SidecarEvents() {}

  /** What one line told. */
  record Told(
      List<InboundMessage> messages,
      List<DeliveryReport> reports,
      List<Remembered> memory,
      @Nullable String cursor) {}

  static String quoteKey(String messageId) {
    return "quote:" + messageId;
  }

  /** Null for what is none of these. */
  static @Nullable Told read(JsonRpc.Notification notification, Instant now) {
    JsonNode told = notification.params();
    return switch (notification.method()) {
      case "message" -> message(told, now, Kind.MESSAGE);
      case "edit" -> message(told, now, Kind.EDIT);
      case "reaction" -> reaction(told);
      case "receipt" -> receipt(told, now);
      default -> null;
    };
  }

  private static @Nullable Told message(JsonNode told, Instant now, Kind kind) {
    String id = Json.text(told, "id");
    SidecarChat chat = chat(told);
    if (id == null || chat == null) {
      return null;
    }
    if (told.path("fromMe").asBoolean(false)) {
      return new Told(List.of(), List.of(), List.of(), cursor(told));
    }
    InboundMessage message =
        new InboundMessage(
            kind == Kind.EDIT ? id + ":" + told.path("version").asString(time(told) + "") : id,
            kind,
            chat.name(),
            kind(chat),
            sender(told, chat),
            Json.text(told, "text"),
            files(told.path("files")),
            id,
            Json.text(told, "replyToId"),
            null,
            time(told),
            raw(told));
    return new Told(List.of(message), List.of(), quote(told, id, chat, now), cursor(told));
  }

  /** What the sidecar wants back when somebody answers this message. */
  private static List<Remembered> quote(JsonNode told, String id, SidecarChat chat, Instant now) {
    JsonNode quote = told.path("quote");
    if (!quote.isObject() || id.length() > LONGEST_ID) {
      return List.of();
    }
    String text = Json.write(quote);
    return text.length() > LONGEST_QUOTE
        ? List.of()
        : List.of(Remembered.until(now.plus(QUOTABLE), chat.name(), quoteKey(id), text));
  }

  private static @Nullable Told reaction(JsonNode told) {
    String id = Json.text(told, "id");
    SidecarChat chat = chat(told);
    if (id == null || chat == null) {
      return null;
    }
    if (told.path("fromMe").asBoolean(false)) {
      return new Told(List.of(), List.of(), List.of(), cursor(told));
    }
    InboundMessage reaction =
        new InboundMessage(
            id,
            Kind.REACTION,
            chat.name(),
            kind(chat),
            sender(told, chat),
            Json.text(told, "emoji"),
            List.of(),
            Json.text(told, "messageId"),
            null,
            null,
            time(told),
            raw(told));
    return new Told(List.of(reaction), List.of(), List.of(), cursor(told));
  }

  private static @Nullable Told receipt(JsonNode told, Instant now) {
    DeliveryReport.State state =
        switch (told.path("state").asString("")) {
          case "sent" -> DeliveryReport.State.SENT;
          case "delivered" -> DeliveryReport.State.DELIVERED;
          case "read" -> DeliveryReport.State.READ;
          case "failed" -> DeliveryReport.State.FAILED;
          default -> null;
        };
    if (state == null) {
      return null;
    }
    Instant at = time(told);
    List<DeliveryReport> reports = new ArrayList<>();
    for (JsonNode id : told.path("messageIds")) {
      if (id.isString() && !id.asString().isEmpty()) {
        String cause = Json.text(told, "cause");
        reports.add(new DeliveryReport(id.asString(), state, at == null ? now : at, cause));
      }
    }
    return new Told(List.of(), reports, List.of(), cursor(told));
  }

  private static @Nullable SidecarChat chat(JsonNode told) {
    String id = Json.text(told.path("chat"), "id");
    return id == null
        ? null
        : new SidecarChat(id, told.path("chat").path("kind").asString("").equals("group"));
  }

  private static ChatKind kind(SidecarChat chat) {
    return chat.group() ? ChatKind.GROUP : ChatKind.DM;
  }

  private static InboundMessage.Sender sender(JsonNode told, SidecarChat chat) {
    String id = Json.text(told.path("sender"), "id");
    return new InboundMessage.Sender(
        id == null ? chat.id() : id, Json.text(told.path("sender"), "name"));
  }

  private static List<InboundMessage.File> files(JsonNode told) {
    List<InboundMessage.File> files = new ArrayList<>();
    for (JsonNode file : told) {
      files.add(
          new InboundMessage.File(
              kindOfFile(file.path("kind").asString("")),
              Json.text(file, "id"),
              Json.text(file, "url"),
              Json.text(file, "filename"),
              Json.text(file, "type"),
              Json.count(file.path("size"))));
    }
    return files;
  }

  private static String kindOfFile(String told) {
    return switch (told) {
      case "image", "video", "audio", "voice" -> told;
      default -> "document";
    };
  }

  private static @Nullable Instant time(JsonNode told) {
    String at = Json.text(told, "at");
    try {
      return at == null ? null : Instant.parse(at);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Map<String, @Nullable Object> raw(JsonNode told) {
    JsonNode raw = told.path("raw");
    return raw.isObject() ? Json.map(raw) : Map.of();
  }

  private static @Nullable String cursor(JsonNode told) {
    return Json.text(told, "cursor");
  }
}
