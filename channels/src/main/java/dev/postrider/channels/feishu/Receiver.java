package dev.postrider.channels.feishu;

import dev.postrider.problem.InvalidInput;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a message is for. Feishu has five kinds of ids, and wants to be told which one it gets.
 *
 * @param type the kind, in Feishu's words
 */
record Receiver(String id, String type) {
  private static final Pattern ID = Pattern.compile("[\\w.@+-]{1,254}");
  private static final Pattern MESSAGE = Pattern.compile("om_\\w+");

  /**
   * By its form.
   *
   * @throws InvalidInput if it is none
   */
  static Receiver of(String to) {
    String id = to.strip();
    if (!ID.matcher(id).matches()
        || id.startsWith("om_")
        || id.startsWith("omt_")
        || id.startsWith("cli_")) {
      throw new InvalidInput(
          "to",
          "must be a chat (oc_…), a person (ou_…, on_…, or a user id) or an e-mail address of"
              + " your organisation; a message's id (om_…) goes into replyToId");
    }
    if (id.startsWith("oc_")) {
      return new Receiver(id, "chat_id");
    }
    if (id.startsWith("ou_")) {
      return new Receiver(id, "open_id");
    }
    if (id.startsWith("on_")) {
      return new Receiver(id, "union_id");
    }
    int at = id.lastIndexOf('@');
    return at < 0
        ? new Receiver(id, "user_id")
        : new Receiver(id.substring(0, at) + id.substring(at).toLowerCase(Locale.ROOT), "email");
  }

  static void checkMessageId(String field, @Nullable String id) {
    if (id != null && !MESSAGE.matcher(id).matches()) {
      throw new InvalidInput(
          field,
          field.equals("threadId")
              ? "must be the id of the first message of the thread, om_…"
              : "must be the id of a message, om_…");
    }
  }
}
