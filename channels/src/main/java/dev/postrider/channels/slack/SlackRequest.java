package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of Slack for one part. */
final class SlackRequest {
  /** What a message may bring along for {@code chat.postMessage}. */
  static final List<String> POST_EXTRAS =
      List.of(
          "blocks",
          "attachments",
          "unfurl_links",
          "unfurl_media",
          "reply_broadcast",
          "mrkdwn",
          "username",
          "icon_emoji",
          "icon_url");

  /** What it may bring along for an incoming webhook. */
  static final List<String> WEBHOOK_EXTRAS =
      List.of("blocks", "attachments", "unfurl_links", "unfurl_media", "mrkdwn");

  /** What holds for all of a message; blocks and attachments go with its last part. */
  static final Set<String> OPTIONS =
      Set.of(
          "unfurl_links",
          "unfurl_media",
          "reply_broadcast",
          "mrkdwn",
          "username",
          "icon_emoji",
          "icon_url");

  static final String EVENT_TYPE = "postrider";

  private static final Pattern TS = Pattern.compile("\\d{1,12}\\.\\d{1,9}");
  private static final Pattern PERSON = Pattern.compile("[UW][A-Z0-9]{2,}");
  private static final Pattern DIRECT = Pattern.compile("[DUW][A-Z0-9]{2,}");

  private SlackRequest() {}

  /** Refuses channel data that Slack does not know, or that is not the sender's to say. */
  static void checkExtras(Message message, List<String> known) {
    for (String name : message.channelData().keySet()) {
      if (!known.contains(name)) {
        throw new InvalidInput(
            "channelData." + name, "is not passed on; known are " + String.join(", ", known));
      }
    }
  }

  /** What makes it useless to ask Slack: an id that it cannot have given. Null if nothing does. */
  static @Nullable Outcome obstacle(Dispatch dispatch) {
    String thread = dispatch.threadId();
    if (thread != null && !TS.matcher(thread).matches()) {
      return new Outcome.Rejected(Blame.MESSAGE, "threadId is not the ts of a Slack message");
    }
    String ts = thread(dispatch);
    return ts == null || TS.matcher(ts).matches()
        ? null
        : new Outcome.Repairable(new Fix.DropReply(), "replyToId is not the ts of a Slack message");
  }

  /**
   * The thread to post to. To reply is to post to a thread, and every part of a reply belongs
   * there; a thread that is named wins, for its id is the one Slack wants of a reply to a reply.
   * Two who are alone need no thread: there only one that is named counts.
   */
  static @Nullable String thread(Dispatch dispatch) {
    if (dispatch.threadId() != null) {
      return dispatch.threadId();
    }
    return dispatch.state().has(Fix.DropReply.class) || DIRECT.matcher(dispatch.to()).matches()
        ? null
        : dispatch.message().replyToId();
  }

  /** For {@code chat.postMessage}. */
  static Map<String, @Nullable Object> post(Dispatch dispatch) {
    Map<String, @Nullable Object> fields = webhook(dispatch);
    fields.put("channel", dispatch.to());
    fields.put("link_names", false);
    // So that a lost message can be found; people do not see it.
    fields.put(
        "metadata",
        Map.of("event_type", EVENT_TYPE, "event_payload", Map.of("key", dispatch.key())));
    fields.put("client_msg_id", uuid(dispatch.key()));
    return fields;
  }

  /** For an incoming webhook, which has its channel. */
  static Map<String, @Nullable Object> webhook(Dispatch dispatch) {
    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> fields = new LinkedHashMap<>(dispatch.channelData());
    put(fields, "text", text(dispatch));
    put(fields, "thread_ts", thread(dispatch));
    if (fields.get("blocks") instanceof List<?> blocks && !blocks.isEmpty()) {
      fields.put("blocks", SlackBlocks.below(dispatch, text(dispatch), blocks));
    }
    return fields;
  }

  /**
   * For {@code files.completeUploadExternal}.
   *
   * @param titles of the part's files, by what Slack calls them, in order
   */
  static Map<String, @Nullable Object> share(
      Dispatch dispatch, String channel, Map<String, String> titles) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put(
        "files",
        titles.entrySet().stream()
            .map(file -> Map.of("id", file.getKey(), "title", file.getValue()))
            .toList());
    fields.put("channel_id", channel);
    put(fields, "initial_comment", text(dispatch));
    put(fields, "thread_ts", thread(dispatch));
    return fields;
  }

  static String filename(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** Whether a chat is a person, whom only {@code chat.postMessage} takes for a chat. */
  static boolean isPerson(String chat) {
    return PERSON.matcher(chat).matches();
  }

  private static void put(
      Map<String, @Nullable Object> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /** Slack reads markup in every text, so one without markup is written such that it has none. */
  private static @Nullable String text(Dispatch dispatch) {
    String text = dispatch.text();
    return text == null || dispatch.isMarkup()
        ? text
        : text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The key as Slack's own apps write theirs: a UUID, of version 5 for it derives from a hash. */
  private static String uuid(String key) {
    long high = Long.parseUnsignedLong(key, 0, 16, 16);
    long low = Long.parseUnsignedLong(key, 16, 32, 16);
    return new UUID(high & ~0xF000L | 0x5000L, low & ~(3L << 62) | 1L << 63).toString();
  }
}
