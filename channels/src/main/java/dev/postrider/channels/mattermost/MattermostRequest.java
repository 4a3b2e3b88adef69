package dev.postrider.channels.mattermost;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of Mattermost for one part. */
final class MattermostRequest {
  /** What a message may bring along. */
  static final List<String> EXTRAS =
      List.of(
          "attachments",
          "props",
          "priority",
          "ephemeral",
          "mentions",
          "username",
          "icon_url",
          "icon_emoji");

  /** What only an incoming webhook can say. */
  static final List<String> WEBHOOK_EXTRAS = List.of("username", "icon_url", "icon_emoji");

  /** What holds for all of a message; attachments, props and priority go with its last part. */
  static final Set<String> OPTIONS =
      Set.of("ephemeral", "mentions", "username", "icon_url", "icon_emoji");

  /** Where a post keeps its key: people do not see it, and it can be read back. */
  static final String KEY = "postrider_key";

  private static final Set<String> PRIORITIES = Set.of("", "important", "urgent");
  private static final List<String> PRIORITY_FIELDS =
      List.of("priority", "requested_ack", "persistent_notifications");

  private static final Pattern ID = Pattern.compile("[a-z0-9]{26}");

  /** Mattermost calls a whole channel by these, wherever no letter or digit stands next to them. */
  private static final Pattern TO_ALL =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}])@(?=(?:channel|all|here)(?![\\p{L}\\p{N}]))",
          Pattern.CASE_INSENSITIVE);

  /** What incoming webhooks turn into the same. */
  private static final Pattern SLACKS_TO_ALL = Pattern.compile("<(?=!(?:channel|here|all)>)");

  /** Keeps a word from being read as a mention, and is not seen. */
  private static final String ZERO_WIDTH_SPACE = "\u200b";

  private MattermostRequest() {}

  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Refuses channel data that Mattermost would not understand. */
  static void check(Message message) {
    Map<String, @Nullable Object> data = message.channelData();
    for (String name : data.keySet()) {
      if (!EXTRAS.contains(name)) {
        throw wrong(name, "is not passed on; known are " + String.join(", ", EXTRAS));
      }
    }
    if (message.threadId() != null && !isId(message.threadId())) {
      throw new InvalidInput(
          "threadId", "must be the id of the thread's first post: 26 letters and digits");
    }
    if (data.containsKey("attachments") || data.containsKey("props")) {
      Contract.SCHEMA.check("channelData", data);
    }
    if (data.get("mentions") instanceof Object given && !(given instanceof Boolean)) {
      throw wrong("mentions", "must be true, to let @channel, @all and @here call everybody");
    }
    for (String name : WEBHOOK_EXTRAS) {
      if (data.get(name) instanceof Object given && !(given instanceof String)) {
        throw wrong(name, "must be a text");
      }
    }
    checkPriority(message, data.get("priority"));
    checkEphemeral(message, data.get("ephemeral"));
    if (message.text() == null
        && message.media().isEmpty()
        && !data.containsKey("attachments")
        && !data.containsKey("props")) {
      throw new InvalidInput(
          "channelData", "is nothing to be seen by itself; add a text, a file or attachments");
    }
  }

  /** Read when the first message with attachments comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "channel-data.schema.json");
  }

  private static void checkPriority(Message message, @Nullable Object given) {
    if (given == null) {
      return;
    }
    Map<?, ?> priority = given instanceof Map<?, ?> map ? map : Map.of("priority", given);
    for (Object name : priority.keySet()) {
      if (!PRIORITY_FIELDS.contains(String.valueOf(name))) {
        throw wrong("priority." + name, "is not known; known are " + PRIORITY_FIELDS);
      }
    }
    if (!(priority.get("priority") instanceof String word) || !PRIORITIES.contains(word)) {
      throw wrong("priority", "must be important or urgent, or an object with such a priority");
    }
    for (String flag : List.of("requested_ack", "persistent_notifications")) {
      if (priority.get(flag) instanceof Object value && !(value instanceof Boolean)) {
        throw wrong("priority." + flag, "must be true or false");
      }
    }
    if (message.threadId() != null || message.replyToId() != null) {
      throw wrong("priority", "is for posts that begin a thread; leave out threadId and replyToId");
    }
  }

  private static void checkEphemeral(Message message, @Nullable Object given) {
    if (given == null) {
      return;
    }
    if (!(given instanceof String person)
        || !MattermostChannel.isPerson(person.toLowerCase(Locale.ROOT)) && !isId(person)) {
      throw wrong("ephemeral", "must name who is to see it: a person's id, or @ and a name");
    }
    if (!message.media().isEmpty()) {
      throw wrong("ephemeral", "posts are not stored, and cannot carry files");
    }
    if (message.channelData().containsKey("priority")) {
      throw wrong("ephemeral", "posts have no priority");
    }
  }

  private static InvalidInput wrong(String name, String problem) {
    return new InvalidInput("channelData." + name, problem);
  }

  /** Who alone is to see the message; null if everybody in the chat is. */
  static @Nullable String ephemeral(Dispatch dispatch) {
    return dispatch.message().channelData().get("ephemeral") instanceof String person
        ? person
        : null;
  }

  /**
   * The post that is answered, or whose thread is written to. To reply is to post to a thread, and
   * every part of a reply belongs there. Null once the platform could not find it.
   */
  static @Nullable String root(Dispatch dispatch) {
    if (dispatch.state().has(Fix.DropReply.class)) {
      return null;
    }
    String thread = dispatch.threadId();
    return thread == null ? dispatch.message().replyToId() : thread;
  }

  /**
   * A post.
   *
   * @param root the first post of its thread
   * @param files what Mattermost calls its files
   */
  static Map<String, Object> post(
      Dispatch dispatch, String channel, @Nullable String root, List<String> files) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("channel_id", channel);
    String text = text(dispatch);
    fields.put("message", text == null ? "" : text);
    if (root != null) {
      fields.put("root_id", root);
    }
    if (!files.isEmpty()) {
      fields.put("file_ids", files);
    }
    Map<Object, @Nullable Object> props = new LinkedHashMap<>();
    if (dispatch.channelData().get("props") instanceof Map<?, ?> given) {
      props.putAll(given);
    }
    if (dispatch.channelData().get("attachments") instanceof List<?> attachments) {
      props.put("attachments", attachments);
    }
    props.put(KEY, dispatch.key());
    fields.put("props", props);
    Object priority = priority(dispatch);
    if (priority != null) {
      fields.put("metadata", Map.of("priority", priority));
    }
    fields.put("pending_post_id", dispatch.key());
    return fields;
  }

  /**
   * For an incoming webhook.
   *
   * @param channel null for the webhook's own
   */
  static Map<String, @Nullable Object> webhook(Dispatch dispatch, @Nullable String channel) {
    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> fields = new LinkedHashMap<>(dispatch.channelData());
    fields.remove("mentions");
    String text = text(dispatch);
    if (text != null) {
      fields.put("text", mentionsAll(dispatch) ? text : mute(SLACKS_TO_ALL, text));
    }
    if (channel != null) {
      fields.put("channel", channel);
    }
    String root = root(dispatch);
    if (root != null) {
      fields.put("root_id", root);
    }
    Object priority = priority(dispatch);
    if (priority != null) {
      fields.put("priority", priority);
    }
    if (dispatch.silent()) {
      fields.put("silent", true);
    }
    return fields;
  }

  private static @Nullable Object priority(Dispatch dispatch) {
    Object given = dispatch.channelData().get("priority");
    return given instanceof String word ? Map.of("priority", word) : given;
  }

  private static @Nullable String text(Dispatch dispatch) {
    String text = dispatch.text();
    return text == null || mentionsAll(dispatch) ? text : mute(TO_ALL, text);
  }

  private static boolean mentionsAll(Dispatch dispatch) {
    return Boolean.TRUE.equals(dispatch.message().channelData().get("mentions"));
  }

  private static String mute(Pattern callers, String text) {
    return callers.matcher(text).replaceAll("$0" + ZERO_WIDTH_SPACE);
  }
}
