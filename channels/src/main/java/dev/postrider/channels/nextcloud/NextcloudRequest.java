package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of Talk for one part. */
final class NextcloudRequest {
  private static final String TITLE = "threadTitle";
  private static final int LONGEST_TITLE = 200;
  private static final Pattern ID = Pattern.compile("[1-9]\\d{0,17}");

  private NextcloudRequest() {}

  /** Refuses what Talk could only refuse. */
  static void check(Message message, Plan plan) {
    for (String name : message.channelData().keySet()) {
      if (!name.equals(TITLE)) {
        throw new InvalidInput("channelData." + name, "is not passed on; known is " + TITLE);
      }
    }
    if (message.threadId() != null && !ID.matcher(message.threadId()).matches()) {
      throw new InvalidInput("threadId", "is not the number of a Talk message");
    }
    if (message.channelData().containsKey(TITLE)) {
      checkTitle(message, plan);
    }
  }

  private static void checkTitle(Message message, Plan plan) {
    String field = "channelData." + TITLE;
    if (!(message.channelData().get(TITLE) instanceof String title)
        || title.isBlank()
        || title.length() > LONGEST_TITLE) {
      throw new InvalidInput(field, "must be a text of at most " + LONGEST_TITLE + " characters");
    }
    if (message.replyToId() != null || message.threadId() != null) {
      throw new InvalidInput(field, "begins a thread; leave out replyToId and threadId");
    }
    if (message.text() == null || plan.parts().size() > 1) {
      throw new InvalidInput(field, "needs a text that fits into one message");
    }
  }

  /** What makes it useless to ask Talk: a reply to an id that it cannot have given. Else null. */
  static @Nullable Outcome obstacle(Dispatch dispatch) {
    String reply = dispatch.replyToId();
    if (reply != null && !ID.matcher(reply).matches()) {
      return new Outcome.Repairable(
          new Fix.DropReply(), "replyToId is not the number of a Talk message");
    }
    return dispatch.text() == null || dispatch.text().isBlank()
        ? new Outcome.Rejected(Blame.MESSAGE, "there is no text, and Talk takes nothing else")
        : null;
  }

  static Map<String, @Nullable Object> of(Dispatch dispatch) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("message", dispatch.text());
    fields.put("referenceId", dispatch.key());
    if (dispatch.replyToId() != null) {
      fields.put("replyTo", Long.valueOf(dispatch.replyToId()));
    }
    if (dispatch.threadId() != null) {
      fields.put("threadId", Long.valueOf(dispatch.threadId()));
    }
    if (dispatch.silent()) {
      fields.put("silent", true);
    }
    fields.putAll(dispatch.channelData()); // the title of a thread, and nothing else
    return fields;
  }
}
