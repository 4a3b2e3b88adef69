package dev.postrider.channels.telegram;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.message.Fix;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Telegram's error texts. There are no finer codes: a 400 is told from another 400 by its text
 * alone.
 */
final class TelegramErrors {
  private record Rule(List<String> texts, Function<String, Outcome> outcome) {}

  private static final List<Rule> RULES =
      List.of(
          // Some of the album may be visible, whatever is quoted of the error with one file.
          new Rule(List.of("failed to send message #"), Outcome.Hold::new),
          new Rule(List.of("logged out"), Outcome.AccountBroken::new),
          // What an edit was to bring about is so already.
          new Rule(List.of("message is not modified"), _ -> Outcome.delivered("")),
          new Rule(
              List.of("can't parse entities"),
              cause -> new Outcome.Repairable(new Fix.PlainText(), cause)),
          new Rule(
              List.of("message to be replied not found", "reply message not found"),
              cause -> new Outcome.Repairable(new Fix.DropReply(), cause)),
          new Rule(
              List.of(
                  "failed to get http url content",
                  "wrong http url specified",
                  "wrong file identifier/http url specified",
                  "wrong remote file identifier specified",
                  "wrong type of the web page content",
                  "can't upload file by url"),
              cause -> new Outcome.Repairable(new Fix.UploadInstead(), cause)),
          new Rule(
              List.of("photo_invalid_dimensions", "image_process_failed"),
              cause -> new Outcome.Repairable(new Fix.AsDocument(), cause)),
          new Rule(
              List.of(
                  "chat not found",
                  "user not found",
                  "chat_id is empty",
                  "peer_id_invalid",
                  "bot was blocked by the user",
                  "user is deactivated",
                  "bot was kicked from the",
                  "bot is not a member of the",
                  "the group chat was deleted",
                  "bot can't initiate conversation",
                  "bot can't send messages to bots",
                  "not enough rights to send",
                  "have no rights to send a message",
                  "chat_write_forbidden",
                  "chat_restricted",
                  "topic_closed",
                  "topic_deleted",
                  "message thread not found"),
              cause -> new Outcome.Rejected(Blame.TARGET, cause)),
          new Rule(
              List.of(
                  "message text is empty",
                  "text must be non-empty",
                  "message is too long",
                  "message caption is too long",
                  "file is too big"),
              cause -> new Outcome.Rejected(Blame.MESSAGE, cause)));

  private TelegramErrors() {}

  /** What a known text means, or null. */
  static @Nullable Outcome outcome(String description, String cause) {
    String text = description.toLowerCase(Locale.ROOT);
    return RULES.stream()
        .filter(rule -> rule.texts.stream().anyMatch(text::contains))
        .findFirst()
        .map(rule -> rule.outcome.apply(cause))
        .orElse(null);
  }
}
