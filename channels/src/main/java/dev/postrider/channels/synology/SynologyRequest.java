package dev.postrider.channels.synology;

import dev.postrider.channel.Dispatch;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is asked of Chat for one part. */
final class SynologyRequest {
  private static final String BUTTONS = "attachments";

  private SynologyRequest() {}

  /** Refuses channel data that Chat does not know. */
  static void check(Message message) {
    for (String name : message.channelData().keySet()) {
      if (!name.equals(BUTTONS)) {
        throw new InvalidInput("channelData." + name, "is not passed on; known is " + BUTTONS);
      }
    }
    Object buttons = message.channelData().get(BUTTONS);
    if (buttons == null) {
      return;
    }
    if (!(buttons instanceof List<?> all)
        || all.isEmpty()
        || !all.stream().allMatch(SynologyRequest::isAttachment)) {
      throw new InvalidInput(
          "channelData." + BUTTONS,
          "must be a list of objects with callback_id, text and a list of actions");
    }
    if (message.text() == null) {
      throw new InvalidInput("channelData." + BUTTONS, "needs a text to stand below");
    }
  }

  private static boolean isAttachment(@Nullable Object one) {
    return one instanceof Map<?, ?> attachment
        && attachment.get("callback_id") instanceof String
        && attachment.get("actions") instanceof List<?> actions
        && actions.stream().allMatch(action -> action instanceof Map<?, ?>);
  }

  /**
   * @param user whom a bot writes to; null for a webhook, which has its channel
   */
  static Map<String, @Nullable Object> of(Dispatch dispatch, @Nullable Long user) {
    Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    if (dispatch.text() != null) {
      payload.put("text", dispatch.text());
    }
    if (!dispatch.cargo().isEmpty()) {
      payload.put("file_url", dispatch.cargo().getFirst().attachment().url());
    }
    if (user != null) {
      payload.put("user_ids", List.of(user));
    }
    payload.putAll(dispatch.channelData()); // buttons, and nothing else
    return payload;
  }
}
