package dev.postrider.channels.telegram;

import dev.postrider.channel.Dispatch;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method of the Bot API that the sender names himself, as {@code channelData.method}, with its
 * fields beside it: a place, a poll, an edit, a reaction, the answer to a button. It acts in the
 * message's chat, in the order of its lane, and is held to the contract like everything else.
 */
final class ChosenMethod {
  static final String FIELD = "method";

  /** Those that act in a chat; none that changes the bot, its webhook or who may write. */
  static final Set<String> NAMES =
      Set.of(
          "answerCallbackQuery",
          "answerPreCheckoutQuery",
          "answerShippingQuery",
          "approveChatJoinRequest",
          "closeForumTopic",
          "copyMessage",
          "copyMessages",
          "createForumTopic",
          "declineChatJoinRequest",
          "deleteForumTopic",
          "deleteMessage",
          "deleteMessages",
          "editForumTopic",
          "editMessageCaption",
          "editMessageChecklist",
          "editMessageLiveLocation",
          "editMessageMedia",
          "editMessageReplyMarkup",
          "editMessageText",
          "forwardMessage",
          "forwardMessages",
          "pinChatMessage",
          "reopenForumTopic",
          "sendChatAction",
          "sendChecklist",
          "sendContact",
          "sendDice",
          "sendGame",
          "sendInvoice",
          "sendLocation",
          "sendPaidMedia",
          "sendPoll",
          "sendRichMessage",
          "sendSticker",
          "sendVenue",
          "sendVideoNote",
          "setMessageReaction",
          "stopMessageLiveLocation",
          "stopPoll",
          "unpinAllChatMessages",
          "unpinChatMessage");

  /** The query knows its chat. */
  private static final Set<String> WITHOUT_CHAT =
      Set.of("answerCallbackQuery", "answerPreCheckoutQuery", "answerShippingQuery");

  private static final Set<String> WITH_TEXT = Set.of("answerCallbackQuery", "editMessageText");

  /** What they bring about is the same after the second time. */
  private static final Set<String> REPEATABLE =
      Set.of(
          "editMessageCaption",
          "editMessageChecklist",
          "editMessageMedia",
          "editMessageReplyMarkup",
          "editMessageText",
          "pinChatMessage",
          "sendChatAction",
          "setMessageReaction",
          "unpinAllChatMessages",
          "unpinChatMessage");

  private ChosenMethod() {}

  /** Whether the part is such a request. */
  static boolean isFor(Dispatch part) {
    return part.channelData().containsKey(FIELD);
  }

  /** Whether a repeat of the part does no harm. */
  static boolean isRepeatable(Dispatch part) {
    return REPEATABLE.contains(String.valueOf(part.channelData().get(FIELD)));
  }

  /**
   * The request.
   *
   * @param fields all that the message and its channel data say
   */
  static TelegramRequest of(Dispatch part, Map<String, @Nullable Object> fields) {
    if (!(fields.remove(FIELD) instanceof String name) || !NAMES.contains(name)) {
      return TelegramRequest.rejected(
          "is none that acts in a chat; known are "
              + String.join(", ", NAMES.stream().sorted().toList()));
    }
    if (part.plan().parts().size() > 1 || !part.part().media().isEmpty()) {
      return TelegramRequest.rejected(
          "is a request of its own; send it without files, and a text only if one part holds it");
    }
    if (part.text() != null && !WITH_TEXT.contains(name)) {
      return TelegramRequest.rejected(
          "is " + name + ", which takes no text; send that as a message of its own");
    }
    if (WITHOUT_CHAT.contains(name)) {
      fields.remove("chat_id");
      if (part.text() != null) { // shown as it is
        fields.put("text", part.part().isMarkup() ? part.part().plain() : part.text());
      }
    } else {
      TelegramRequest.write(part, "text", fields);
    }
    if (fields.containsKey("inline_message_id")) {
      fields.remove("chat_id"); // Telegram takes one or the other
    }
    return new TelegramRequest.Call(name, fields, Map.of());
  }
}
