package dev.postrider.channels.telegram;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.message.Fix;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of Telegram for one part. */
sealed interface TelegramRequest {
  Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

  /** The fields of the request. */
  record Body(Map<String, @Nullable Object> fields) implements TelegramRequest {}

  /** Telegram could only refuse this, so it is not asked. */
  record Impossible(Outcome outcome) implements TelegramRequest {}

  static TelegramRequest sendMessage(Dispatch dispatch) {
    String text = dispatch.text();
    if (text == null || text.isBlank()) {
      return rejected("Telegram needs a text; this part has none");
    }
    String thread = dispatch.threadId();
    if (thread != null && !NUMBER.matcher(thread).matches()) {
      return rejected("threadId is not the number of a Telegram topic");
    }
    String reply = dispatch.replyToId();
    if (reply != null && !NUMBER.matcher(reply).matches()) {
      return new Impossible(
          new Outcome.Repairable(
              new Fix.DropReply(), "replyToId is not the number of a Telegram message"));
    }

    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> fields = extras(dispatch);
    fields.put("chat_id", numberOrName(dispatch.to()));
    fields.put("text", text);
    if (dispatch.isMarkup()) {
      fields.put("parse_mode", "HTML");
    }
    if (thread != null) {
      fields.put("message_thread_id", Long.valueOf(thread));
    }
    if (reply != null) {
      fields.put(
          "reply_parameters",
          Map.of("message_id", Long.valueOf(reply), "allow_sending_without_reply", true));
    }
    if (dispatch.silent()) {
      fields.put("disable_notification", true);
    }
    return new Body(fields);
  }

  private static TelegramRequest rejected(String cause) {
    return new Impossible(new Outcome.Rejected(Blame.MESSAGE, cause));
  }

  private static Object numberOrName(String chat) {
    return NUMBER.matcher(chat).matches() ? Long.valueOf(chat) : chat;
  }

  /** The message's channel data, less what a fix has taken out. */
  private static Map<String, @Nullable Object> extras(Dispatch dispatch) {
    Map<String, @Nullable Object> extras = new LinkedHashMap<>(dispatch.channelData());
    if (dispatch.state().has(Fix.PlainText.class)) {
      extras.remove("parse_mode");
      extras.remove("entities");
    }
    if (dispatch.state().has(Fix.DropReply.class)) {
      extras.remove("reply_parameters");
    }
    return extras;
  }
}
