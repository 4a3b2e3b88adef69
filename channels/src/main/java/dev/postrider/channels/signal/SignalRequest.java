package dev.postrider.channels.signal;

import dev.postrider.channel.Dispatch;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of signal-cli for one part.
 *
 * @param method {@code send}, or what it is instead
 */
record SignalRequest(String method, Map<String, Object> params) {
  private static final String REACTION = "reaction";
  private static final String DELETE = "remoteDelete";
  private static final String NOTIFY_SELF = "notifySelf";

  /** What is a request of its own and goes with nothing else. */
  private static final Set<String> ALONE = Set.of(REACTION, DELETE);

  private static final Set<String> FLAGS = Set.of("viewOnce", NOTIFY_SELF);
  private static final Set<String> TEXTS =
      Set.of(
          "sticker",
          "quoteMessage",
          "previewUrl",
          "previewTitle",
          "previewDescription",
          "storyAuthor");
  private static final Set<String> TIMES = Set.of("editTimestamp", "storyTimestamp");

  /** Places in the text: they are right for one part only. */
  private static final Set<String> RANGES = Set.of("mention", "textStyle");

  private static final List<String> KNOWN =
      List.of(
          "viewOnce",
          NOTIFY_SELF,
          "sticker",
          "mention",
          "textStyle",
          "quoteMessage",
          "previewUrl",
          "previewTitle",
          "previewDescription",
          "editTimestamp",
          "storyTimestamp",
          "storyAuthor",
          REACTION,
          DELETE);

  /** What holds for all of a message. */
  static final Set<String> OPTIONS = Set.of(NOTIFY_SELF);

  private static final Pattern STICKER = Pattern.compile("[0-9a-fA-F]{32}:\\d{1,9}");
  private static final Pattern RANGE = Pattern.compile("\\d{1,9}:\\d{1,9}:.+");

  /**
   * @param number whose account it is
   * @param files how signal-cli finds the part's files
   */
  static SignalRequest of(Dispatch dispatch, String number, List<String> files) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("account", number);
    SignalAddress.put(dispatch.to(), params);
    Map<String, @Nullable Object> data = dispatch.channelData();
    if (data.get(REACTION) instanceof Map<?, ?> reaction) {
      SignalId target = id(reaction.get("target"));
      params.put("emoji", String.valueOf(reaction.get("emoji")));
      params.put("targetTimestamp", target.timestamp());
      params.put("targetAuthor", target.author() == null ? number : target.author());
      params.put("remove", Boolean.TRUE.equals(reaction.get("remove")));
      return new SignalRequest("sendReaction", params);
    }
    if (data.get(DELETE) instanceof Object given) {
      params.put("targetTimestamp", id(given).timestamp());
      return new SignalRequest(DELETE, params);
    }
    String text = dispatch.text();
    if (text != null) {
      params.put("message", text);
    }
    List<String> styles = new ArrayList<>(dispatch.styles());
    if (data.get("textStyle") instanceof List<?> own) {
      own.forEach(style -> styles.add(String.valueOf(style)));
    }
    data.forEach(
        (name, value) -> {
          if (value != null && !name.equals("textStyle")) {
            params.put(name, value);
          }
        });
    if (!styles.isEmpty()) {
      params.put("textStyle", styles);
    }
    quote(dispatch, number, params);
    if (!files.isEmpty()) {
      params.put("attachments", files);
      if (dispatch.cargo().stream().allMatch(it -> it.attachment().kind() == MediaKind.VOICE)) {
        params.put("voiceNote", true);
      }
    }
    if (dispatch.silent()) {
      params.put("noUrgent", true);
    }
    return new SignalRequest("send", params);
  }

  private static void quote(Dispatch dispatch, String number, Map<String, Object> params) {
    String replyTo = dispatch.replyToId();
    if (replyTo != null) {
      SignalId quoted = id(replyTo);
      params.put("quoteTimestamp", quoted.timestamp());
      params.put("quoteAuthor", quoted.author() == null ? number : quoted.author());
    }
  }

  private static SignalId id(@Nullable Object given) {
    SignalId id = SignalId.read(String.valueOf(given));
    if (id == null) { // refused when it was handed in
      throw new IllegalArgumentException("not the id of a message");
    }
    return id;
  }

  /** Refuses what signal-cli would not understand. */
  static void check(Message message, Plan plan) {
    if (message.threadId() != null) {
      throw new InvalidInput("threadId", "is not known to Signal; leave it out");
    }
    if (message.replyToId() != null && SignalId.read(message.replyToId()) == null) {
      throw new InvalidInput(
          "replyToId",
          "must be the messageId of an inbound message (1700000000000:AUTHOR), or a receipt of ours"
              + " (1700000000000)");
    }
    Map<String, @Nullable Object> data = message.channelData();
    data.forEach((name, value) -> check(name, value, plan));
    boolean content = message.text() != null || !message.media().isEmpty();
    if (!content && data.keySet().stream().noneMatch(it -> it.equals("sticker") || alone(it))) {
      throw new InvalidInput(
          "channelData", "is nothing to be seen by itself; add a text, a file or a sticker");
    }
    if (data.keySet().stream().anyMatch(SignalRequest::alone) && (content || data.size() > 1)) {
      throw new InvalidInput(
          "channelData", "with reaction or remoteDelete goes alone; send the rest as a message");
    }
    if (Boolean.TRUE.equals(data.get("viewOnce")) && message.media().isEmpty()) {
      throw wrong("viewOnce", "is for files; add one under media");
    }
  }

  private static boolean alone(String name) {
    return ALONE.contains(name);
  }

  private static void check(String name, @Nullable Object value, Plan plan) {
    if (!KNOWN.contains(name)) {
      throw wrong(name, "is not passed on; known are " + String.join(", ", KNOWN));
    }
    if (value == null) {
      return;
    }
    if (FLAGS.contains(name) && !(value instanceof Boolean)) {
      throw wrong(name, "must be true or false");
    }
    if (TEXTS.contains(name) && !(value instanceof String)) {
      throw wrong(name, "must be a text");
    }
    if (TIMES.contains(name) && !(value instanceof Number)) {
      throw wrong(name, "must be the timestamp of a message, a number such as 1700000000000");
    }
    if (name.equals("sticker") && !STICKER.matcher(value.toString()).matches()) {
      throw wrong(name, "must be the pack's id (32 hex digits), a colon and the sticker's number");
    }
    if (RANGES.contains(name)) {
      boolean read =
          value instanceof List<?> list
              && list.stream().allMatch(it -> RANGE.matcher(String.valueOf(it)).matches());
      if (!read) {
        throw wrong(name, "must be a list of texts start:length:" + what(name));
      }
      if (plan.parts().stream().filter(part -> part.text() != null).count() != 1) {
        throw wrong(name, "counts places in a text of one part; shorten the text, or split it");
      }
    }
    if (name.equals(REACTION)
        && !(value instanceof Map<?, ?> reaction
            && reaction.get("emoji") instanceof String
            && SignalId.read(String.valueOf(reaction.get("target"))) != null)) {
      throw wrong(name, "must have an emoji and a target, the messageId of what it is for");
    }
    if (name.equals(DELETE) && SignalId.read(value.toString()) == null) {
      throw wrong(name, "must be the receipt of a message of ours, such as 1700000000000");
    }
  }

  private static String what(String name) {
    return name.equals("mention") ? "NUMBER_OR_UUID" : "STYLE";
  }

  private static InvalidInput wrong(String name, String problem) {
    return new InvalidInput("channelData." + name, problem);
  }
}
