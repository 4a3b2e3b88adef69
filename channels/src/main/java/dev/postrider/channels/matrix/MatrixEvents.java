package dev.postrider.channels.matrix;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the events of a room. */
final class MatrixEvents {
  private MatrixEvents() {}

  /**
   * What an event says; nothing if it is none.
   *
   * @param members names of those in the room, by their ids
   */
  static List<InboundMessage> read(String room, JsonNode event, Map<String, String> members) {
    String id = text(event, "event_id");
    String sender = text(event, "sender");
    if (id == null || sender == null) {
      return List.of();
    }
    JsonNode content = event.path("content");
    JsonNode relation = content.path("m.relates_to");
    String related = text(relation, "rel_type");
    boolean edit = "m.replace".equals(related) && content.path("m.new_content").isObject();
    JsonNode said = edit ? content.path("m.new_content") : content;
    Kind kind = kind(event, said, edit);
    boolean thread = "m.thread".equals(related);
    String name = members.getOrDefault(sender, "");
    return List.of(
        new InboundMessage(
            id,
            kind,
            room,
            members.size() == 2 ? ChatKind.DM : ChatKind.GROUP,
            new InboundMessage.Sender(sender, name.isEmpty() ? null : name),
            words(kind, said, relation),
            kind == Kind.MESSAGE || kind == Kind.EDIT ? files(event, said) : List.of(),
            edit || kind == Kind.REACTION ? text(relation, "event_id") : id,
            kind == Kind.REACTION ? null : replyTo(relation, thread),
            thread ? text(relation, "event_id") : null,
            time(event),
            Json.map(event)));
  }

  private static Kind kind(JsonNode event, JsonNode said, boolean edit) {
    return switch (event.path("type").asString("")) {
      case "m.room.message" ->
          switch (said.path("msgtype").asString("")) {
            case "", "m.key.verification.request" -> Kind.OTHER; // taken back; for machines
            default -> edit ? Kind.EDIT : Kind.MESSAGE;
          };
      case "m.sticker" -> Kind.MESSAGE;
      case "m.reaction" -> Kind.REACTION;
      default -> Kind.OTHER;
    };
  }

  private static @Nullable String words(Kind kind, JsonNode said, JsonNode relation) {
    return switch (kind) {
      case REACTION -> text(relation, "key");
      case MESSAGE, EDIT -> isFile(said) ? caption(said) : text(said, "body");
      case ACTION, OTHER -> null;
    };
  }

  private static boolean isFile(JsonNode said) {
    return said.has("url");
  }

  /** A body beside a file's name; else the body is the name. */
  private static @Nullable String caption(JsonNode said) {
    String body = text(said, "body");
    String name = text(said, "filename");
    return name == null || name.equals(body) ? null : body;
  }

  private static List<InboundMessage.File> files(JsonNode event, JsonNode said) {
    if (!isFile(said)) {
      return List.of();
    }
    JsonNode info = said.path("info");
    JsonNode size = info.path("size");
    String name = text(said, "filename");
    return List.of(
        new InboundMessage.File(
            fileKind(event, said),
            text(said, "url"),
            null,
            name == null ? text(said, "body") : name,
            text(info, "mimetype"),
            Json.count(size)));
  }

  private static String fileKind(JsonNode event, JsonNode said) {
    return switch (said.path("msgtype").asString(event.path("type").asString(""))) {
      case "m.image", "m.sticker" -> "image";
      case "m.video" -> "video";
      case "m.audio" -> said.has("org.matrix.msc3245.voice") ? "voice" : "audio";
      default -> "document";
    };
  }

  /** In a thread, a reply may be there for clients only that do not know threads. */
  private static @Nullable String replyTo(JsonNode relation, boolean thread) {
    return thread && relation.path("is_falling_back").asBoolean(false)
        ? null
        : text(relation.path("m.in_reply_to"), "event_id");
  }

  private static @Nullable Instant time(JsonNode event) {
    JsonNode millis = event.path("origin_server_ts");
    @Nullable Long since = Json.count(millis);
    return since == null ? null : PlatformTime.storable(Instant.ofEpochMilli(since));
  }
}
