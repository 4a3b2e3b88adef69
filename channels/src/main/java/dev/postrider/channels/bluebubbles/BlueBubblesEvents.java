package dev.postrider.channels.bluebubbles;

import static dev.postrider.channels.http.Json.text;
import static java.util.Objects.requireNonNullElse;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.channels.imessage.ChatGuid;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.media.MediaTypes;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says what the messages of a Mac mean, whether they come by webhook or are read from its history.
 */
final class BlueBubblesEvents {
  private BlueBubblesEvents() {}

  /** What an event tells. */
  record Told(List<InboundMessage> arrivals, List<DeliveryReport> reports) {
    static final Told NOTHING = new Told(List.of(), List.of());

    static Told of(@Nullable InboundMessage message) {
      return message == null ? NOTHING : new Told(List.of(message), List.of());
    }

    static Told of(List<DeliveryReport> reports) {
      return new Told(List.of(), reports);
    }
  }

  static Told read(String type, JsonNode data, Instant now) {
    return switch (type) {
      case "new-message", "updated-message" -> message(data, now);
      case "message-send-error" -> Told.of(failure(data, now));
      case "group-name-change",
          "participant-added",
          "participant-removed",
          "participant-left",
          "group-icon-changed",
          "group-icon-removed" ->
          isOurs(data) ? Told.NOTHING : Told.of(told(data, guid(data), Kind.OTHER, type, null));
      default -> Told.NOTHING;
    };
  }

  /** What a message tells: all that has happened to it so far. */
  static Told message(JsonNode data, Instant now) {
    if (isOurs(data)) {
      return Told.of(fate(data, now));
    }
    List<InboundMessage> all = new ArrayList<>();
    add(all, original(data));
    Long edited = Json.count(data.path("dateEdited"));
    Long retracted = Json.count(data.path("dateRetracted"));
    if (retracted != null && retracted > 0) {
      add(all, told(data, guid(data) + ":unsent", Kind.OTHER, "unsent", retracted));
    } else if (edited != null && edited > 0) {
      add(all, told(data, guid(data) + ":" + edited, Kind.EDIT, text(data, "text"), edited));
    }
    return new Told(all, List.of());
  }

  private static void add(List<InboundMessage> all, @Nullable InboundMessage one) {
    if (one != null) {
      all.add(one);
    }
  }

  private static @Nullable InboundMessage original(JsonNode data) {
    String about = text(data, "associatedMessageGuid");
    String tapback = text(data, "associatedMessageType");
    if (about != null && tapback != null) {
      return told(data, guid(data), Kind.REACTION, tapback, null);
    }
    boolean plain = data.path("itemType").asInt(0) == 0; // others: somebody joined, a new name
    String said = plain ? text(data, "text") : text(data, "groupTitle");
    return told(data, guid(data), plain ? Kind.MESSAGE : Kind.OTHER, said, null);
  }

  /** Null if it does not say where it happened: updates do not, and are read from the history. */
  private static @Nullable InboundMessage told(
      JsonNode data, String id, Kind kind, @Nullable String said, @Nullable Long at) {
    String chat = text(data.path("chats").path(0), "guid");
    if (chat == null || guid(data).isEmpty()) {
      return null;
    }
    String about = text(data, "associatedMessageGuid");
    String sender = text(data.path("handle"), "address");
    Long when = at == null ? Json.count(data.path("dateCreated")) : at;
    boolean group = chat.contains(";+;");
    return new InboundMessage(
        id,
        kind,
        canonical(chat),
        group ? ChatKind.GROUP : ChatKind.DM,
        new InboundMessage.Sender(requireNonNullElse(sender, ""), null),
        said,
        kind == Kind.MESSAGE ? files(data) : List.of(),
        kind == Kind.REACTION && about != null ? target(about) : guid(data),
        text(data, "threadOriginatorGuid"),
        null,
        when == null ? null : time(when),
        Json.map(data));
  }

  private static String canonical(String guid) {
    try {
      return ChatGuid.of(guid).canonical();
    } catch (dev.postrider.problem.InvalidInput e) {
      return guid;
    }
  }

  private static String guid(JsonNode data) {
    return requireNonNullElse(text(data, "guid"), "");
  }

  private static boolean isOurs(JsonNode data) {
    return data.path("isFromMe").asBoolean(false);
  }

  /** {@code p:0/GUID} names a part of a message, {@code bp:GUID} a balloon. */
  static String target(String associated) {
    return associated.replaceFirst("^(p:\\d+/|bp:)", "");
  }

  /** What became of a message of ours. */
  private static List<DeliveryReport> fate(JsonNode data, Instant now) {
    if (data.path("error").asLong(0) != 0) {
      return failure(data, now);
    }
    Long read = Json.count(data.path("dateRead"));
    Long delivered = Json.count(data.path("dateDelivered"));
    boolean arrived = data.path("isDelivered").asBoolean(false);
    List<DeliveryReport> reports = new ArrayList<>();
    if (!guid(data).isEmpty() && (arrived || (delivered != null && delivered > 0))) {
      reports.add(new DeliveryReport(guid(data), State.DELIVERED, at(delivered, now), null));
    }
    if (!guid(data).isEmpty() && read != null && read > 0) {
      reports.add(new DeliveryReport(guid(data), State.READ, at(read, now), null));
    }
    return reports;
  }

  private static List<DeliveryReport> failure(JsonNode data, Instant now) {
    long code = data.path("error").asLong(0);
    return guid(data).isEmpty()
        ? List.of()
        : List.of(
            new DeliveryReport(
                guid(data),
                State.FAILED,
                now,
                BlueBubblesVerdict.explained(code),
                code == BlueBubblesVerdict.NO_IMESSAGE));
  }

  private static List<InboundMessage.File> files(JsonNode data) {
    return data.path("attachments").valueStream().map(BlueBubblesEvents::file).toList();
  }

  private static InboundMessage.File file(JsonNode file) {
    String type = text(file, "mimeType");
    return new InboundMessage.File(
        MediaTypes.kind(requireNonNullElse(type, "")).label(),
        text(file, "guid"),
        null,
        text(file, "transferName"),
        type,
        Json.count(file.path("totalBytes")));
  }

  private static Instant at(@Nullable Long millis, Instant now) {
    return millis == null || millis <= 0 ? now : requireNonNullElse(time(millis), now);
  }

  private static @Nullable Instant time(long millis) {
    try {
      return PlatformTime.storable(Instant.ofEpochMilli(millis));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
