package dev.postrider.channels.telegram;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what Telegram tells a bot: updates, one event each. */
final class TelegramUpdates {
  private static final List<String> MESSAGES =
      List.of("message", "channel_post", "business_message");
  private static final List<String> EDITS =
      List.of("edited_message", "edited_channel_post", "edited_business_message");

  private TelegramUpdates() {}

  /** The event of an update; null if it is none. */
  static @Nullable InboundMessage read(JsonNode update) {
    if (!update.path("update_id").isIntegralNumber()) {
      return null;
    }
    for (String name : MESSAGES) {
      if (update.has(name)) {
        return message(update, update.path(name), Kind.MESSAGE);
      }
    }
    for (String name : EDITS) {
      if (update.has(name)) {
        return message(update, update.path(name), Kind.EDIT);
      }
    }
    if (update.has("callback_query")) {
      JsonNode query = update.path("callback_query");
      JsonNode message = query.path("message");
      String data = text(query, "data");
      return arrival(update, Kind.ACTION, message, query.path("from"), data, List.of(), null);
    }
    JsonNode reaction = update.path("message_reaction");
    Kind kind = reaction.isMissingNode() ? Kind.OTHER : Kind.REACTION;
    JsonNode event = reaction.isMissingNode() ? other(update) : reaction;
    JsonNode who = event.has("from") ? event.path("from") : event.path("user");
    return arrival(update, kind, event, who, null, List.of(), when(event));
  }

  /** Whatever else an update holds beside its number. */
  private static JsonNode other(JsonNode update) {
    return update.properties().stream()
        .filter(field -> field.getValue().isObject())
        .findFirst()
        .<JsonNode>map(Map.Entry::getValue)
        .orElse(update);
  }

  private static InboundMessage message(JsonNode update, JsonNode message, Kind kind) {
    String text = message.has("text") ? text(message, "text") : text(message, "caption");
    JsonNode from = message.has("from") ? message.path("from") : message.path("sender_chat");
    return arrival(update, kind, message, from, text, files(message), when(message));
  }

  private static InboundMessage arrival(
      JsonNode update,
      Kind kind,
      JsonNode message,
      JsonNode from,
      @Nullable String text,
      List<InboundMessage.File> files,
      @Nullable Instant at) {
    JsonNode chat = message.path("chat");
    String where = chat.has("id") ? chat.path("id").asString("") : from.path("id").asString("");
    boolean topic = message.path("is_topic_message").asBoolean(false);
    return new InboundMessage(
        update.path("update_id").asString(""),
        kind,
        where,
        chatKind(chat.path("type").asString("private")),
        new InboundMessage.Sender(from.path("id").asString(""), name(from)),
        text,
        files,
        text(message, "message_id"),
        text(message.path("reply_to_message"), "message_id"),
        topic ? text(message, "message_thread_id") : null,
        at,
        Json.map(update));
  }

  private static ChatKind chatKind(String type) {
    return switch (type) {
      case "group", "supergroup" -> ChatKind.GROUP;
      case "channel" -> ChatKind.CHANNEL;
      default -> ChatKind.DM;
    };
  }

  private static @Nullable String name(JsonNode from) {
    String first = from.path("first_name").asString("");
    String whole = (first + " " + from.path("last_name").asString("")).strip();
    if (!whole.isEmpty()) {
      return whole;
    }
    String title = from.path("title").asString(from.path("username").asString(""));
    return title.isEmpty() ? null : title;
  }

  private static @Nullable Instant when(JsonNode message) {
    JsonNode date = message.has("edit_date") ? message.path("edit_date") : message.path("date");
    @Nullable Long seconds = Json.count(date);
    return seconds == null ? null : PlatformTime.ofSeconds(seconds);
  }

  private static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isString() || value.isNumber() ? value.asString("") : null;
  }

  private static List<InboundMessage.File> files(JsonNode message) {
    List<InboundMessage.File> files = new ArrayList<>();
    JsonNode photo = message.path("photo");
    if (photo.isArray() && !photo.isEmpty()) {
      files.add(file("image", photo.path(photo.size() - 1), "image/jpeg")); // the largest
    }
    add(files, message, "video", "video");
    add(files, message, "video_note", "video");
    add(files, message, "audio", "audio");
    add(files, message, "voice", "voice");
    add(files, message, "sticker", "image");
    if (message.has("animation")) { // comes as a document, too
      add(files, message, "animation", "video");
    } else {
      add(files, message, "document", "document");
    }
    return files;
  }

  private static void add(
      List<InboundMessage.File> files, JsonNode message, String field, String kind) {
    if (message.path(field).isObject()) {
      files.add(file(kind, message.path(field), null));
    }
  }

  private static InboundMessage.File file(String kind, JsonNode file, @Nullable String type) {
    String told = text(file, "mime_type");
    JsonNode size = file.path("file_size");
    return new InboundMessage.File(
        kind,
        text(file, "file_id"),
        null,
        text(file, "file_name"),
        told == null ? type : told,
        Json.count(size));
  }
}
