package dev.postrider.channels.telegram;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.row;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.message.Fix;
import org.jspecify.annotations.Nullable;

/**
 * Telegram's error texts. There are no finer codes: a 400 is told from another 400 by its text
 * alone.
 */
final class TelegramErrors {
  private static final ErrorTable ERRORS =
      ErrorTable.of(
          // Some of the album may be visible, whatever is quoted of the error with one file.
          row(Outcome.Hold::new, "failed to send message #"),
          broken("logged out"),
          // What an edit was to bring about is so already.
          row(_ -> Outcome.delivered(""), "message is not modified"),
          repairable(new Fix.PlainText(), "can't parse entities"),
          repairable(
              new Fix.DropReply(), "message to be replied not found", "reply message not found"),
          repairable(
              new Fix.UploadInstead(),
              "failed to get http url content",
              "wrong http url specified",
              "wrong file identifier/http url specified",
              "wrong remote file identifier specified",
              "wrong type of the web page content",
              "can't upload file by url"),
          repairable(new Fix.AsDocument(), "photo_invalid_dimensions", "image_process_failed"),
          rejected(
              Blame.TARGET,
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
          rejected(
              Blame.MESSAGE,
              "message text is empty",
              "text must be non-empty",
              "message is too long",
              "message caption is too long",
              "file is too big"));

  private TelegramErrors() {}

  /** What a known text means, or null. */
  static @Nullable Outcome outcome(String description, String cause) {
    return ERRORS.byText(description, cause);
  }
}
