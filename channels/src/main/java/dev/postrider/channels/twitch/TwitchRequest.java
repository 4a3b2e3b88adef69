package dev.postrider.channels.twitch;

import static java.util.Objects.requireNonNullElse;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.twitch.TwitchLogin.Session;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What is asked of Twitch for a part. */
final class TwitchRequest {
  private static final String SOURCE_ONLY = "for_source_only";

  /** They hold for each part of a message. */
  static final Set<String> OPTIONS = Set.of(SOURCE_ONLY);

  private TwitchRequest() {}

  /** Refuses channel data that Twitch does not know. */
  static void check(Message message) {
    message
        .channelData()
        .forEach(
            (name, value) -> {
              if (!OPTIONS.contains(name)) {
                throw new InvalidInput(
                    "channelData." + name, "is not known to Twitch; known is " + SOURCE_ONLY);
              }
              if (!(value instanceof Boolean)) {
                throw new InvalidInput("channelData." + name, "must be true or false");
              }
            });
    if (message.text() == null || message.text().isBlank()) {
      if (message.media().isEmpty()) {
        throw new InvalidInput("text", "is missing; Twitch shows nothing else");
      }
    }
  }

  static Map<String, Object> body(Dispatch part, String broadcaster, Session sender) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("broadcaster_id", broadcaster);
    body.put("sender_id", sender.user());
    body.put("message", text(part));
    String parent = part.replyToId() == null ? part.threadId() : part.replyToId();
    if (parent != null) {
      body.put("reply_parent_message_id", parent);
    }
    Object only = part.channelData().get(SOURCE_ONLY);
    if (only != null) {
      body.put(SOURCE_ONLY, only);
    }
    return body;
  }

  /** A message is one line; what stands in several is put side by side. */
  static String text(Dispatch part) {
    return requireNonNullElse(part.text(), "").strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }
}
