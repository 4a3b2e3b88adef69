package dev.postrider.channels.synology;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is asked of Chat for one part. */
final class SynologyRequest {
  private SynologyRequest() {}

  /** Refuses channel data that Chat does not know. */
  static void check(Message message) {
    if (message.channelData().isEmpty()) {
      return;
    }
    Contract.SCHEMA.check("channelData", message.channelData());
    if (message.text() == null) {
      throw new InvalidInput("channelData.attachments", "needs a text to stand below");
    }
  }

  /** Read when the first message with buttons comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "channel-data.schema.json");
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
