package dev.postrider.channels.zalo;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what the Bot platform tells: updates, one message each. */
final class BotUpdates {
  private BotUpdates() {}

  /**
   * The messages of updates; nothing for what bots wrote and for events without a message.
   *
   * @param updates one, or several in an array
   */
  static List<InboundMessage> read(JsonNode updates) {
    List<InboundMessage> arrivals = new ArrayList<>();
    for (JsonNode update : updates.isArray() ? updates : List.of(updates)) {
      InboundMessage arrival = message(update);
      if (arrival != null) {
        arrivals.add(arrival);
      }
    }
    return arrivals;
  }

  private static @Nullable InboundMessage message(JsonNode update) {
    JsonNode message = update.path("message");
    JsonNode from = message.path("from");
    String id = ZaloText.of(message, "message_id");
    String sender = ZaloText.of(from, "id");
    String chat = ZaloText.of(message.path("chat"), "id");
    if (id == null || (chat == null && sender == null) || from.path("is_bot").asBoolean(false)) {
      return null;
    }
    boolean group = message.path("chat").path("chat_type").asString("").equals("GROUP");
    String name = Json.text(from, "display_name");
    String text = Json.text(message, "text");
    return new InboundMessage(
        id,
        kind(update.path("event_name").asString("")),
        chat == null ? String.valueOf(sender) : chat,
        group ? ChatKind.GROUP : ChatKind.DM,
        new InboundMessage.Sender(
            sender == null ? String.valueOf(chat) : sender,
            name == null ? Json.text(from, "name") : name),
        text == null ? Json.text(message, "caption") : text,
        files(message),
        id,
        ZaloText.of(message.path("reply_to_message"), "message_id"),
        null,
        ZaloText.time(message.path("date")),
        Json.map(update));
  }

  private static Kind kind(String event) {
    return switch (event) {
      case "message.unsupported.received" -> Kind.OTHER;
      case "message.reaction.received" -> Kind.REACTION;
      default -> Kind.MESSAGE;
    };
  }

  private static List<InboundMessage.File> files(JsonNode message) {
    List<InboundMessage.File> files = new ArrayList<>();
    add(files, "image", null, Json.text(message, "photo"), Json.text(message, "photo_url"));
    add(files, "voice", null, Json.text(message, "voice_url"), null);
    String sticker = Json.text(message, "sticker");
    if (sticker != null) {
      add(files, "image", sticker, Json.text(message, "url"), null);
    }
    return files;
  }

  private static void add(
      List<InboundMessage.File> files,
      String kind,
      @Nullable String id,
      @Nullable String url,
      @Nullable String otherwise) {
    String address = url == null ? otherwise : url;
    if (address != null || id != null) {
      files.add(new InboundMessage.File(kind, id, address, null, null, null));
    }
  }
}
