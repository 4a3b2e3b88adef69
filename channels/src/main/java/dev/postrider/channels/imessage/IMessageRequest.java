package dev.postrider.channels.imessage;

import dev.postrider.channel.Dispatch;
import dev.postrider.config.NearestName;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code imsg} is asked for one part.
 *
 * @param bridged whether only its bridge can do that
 */
record IMessageRequest(String method, Map<String, Object> params, boolean bridged) {
  private static final List<String> KNOWN =
      List.of("effect", "subject", "partIndex", "reaction", "edit", "unsend");

  /** Refuses channel data that {@code imsg} does not know. */
  static void check(Message message, Plan plan) {
    Map<String, ? extends @Nullable Object> data = message.channelData();
    for (String name : data.keySet()) {
      if (!KNOWN.contains(name)) {
        throw new InvalidInput(
            "channelData." + name, "is not known" + NearestName.hint(name, KNOWN));
      }
    }
    for (String name : List.of("effect", "subject")) {
      if (data.get(name) != null && !(data.get(name) instanceof String)) {
        throw new InvalidInput("channelData." + name, "must be a text");
      }
    }
    MessageAction.check(message, plan);
  }

  /**
   * The request.
   *
   * @param chat the number of a group's chat, if it is known
   * @param file where the part's file lies; null if it has none
   */
  static IMessageRequest of(
      Dispatch dispatch, IMessageSettings settings, @Nullable Long chat, @Nullable Path file) {
    IMessageAddress to = IMessageAddress.of(dispatch.to());
    Map<String, ? extends @Nullable Object> data = dispatch.channelData();
    String action = MessageAction.of(dispatch);
    String reply = dispatch.replyToId();
    boolean rich = reply != null || data.get("effect") != null || data.get("subject") != null;
    boolean bridged = action != null || rich;
    Map<String, Object> params =
        new LinkedHashMap<>(
            chat != null
                ? Map.of("chat_id", chat)
                : bridged ? to.chat() : to.target(settings.service()));
    if (action != null) {
      return act(dispatch, action, params);
    }
    if (file != null) {
      params.put("file", file.toString());
    } else {
      params.put("text", String.valueOf(dispatch.text()));
    }
    if (!rich) {
      params.put("transport", settings.transport());
      return new IMessageRequest("send", params, false);
    }
    if (reply != null) {
      params.put("reply_to", reply);
      Object part = data.get("partIndex");
      params.put("part_index", part == null ? 0 : part);
    }
    if (file != null) {
      boolean voice = dispatch.part().media().getFirst().kind() == MediaKind.VOICE;
      params.put("audio", voice);
      return new IMessageRequest("send.attachment", params, true);
    }
    for (String name : List.of("effect", "subject")) {
      if (data.get(name) instanceof String value) {
        params.put(name, value);
      }
    }
    return new IMessageRequest("send.rich", params, true);
  }

  private static IMessageRequest act(Dispatch dispatch, String action, Map<String, Object> params) {
    Map<?, ?> details =
        dispatch.channelData().get(action) instanceof Map<?, ?> map ? map : Map.of();
    params.put("message_guid", String.valueOf(details.get("messageGuid")));
    Object part = details.get("partIndex");
    params.put("part_index", part == null ? 0 : part);
    return switch (action) {
      case "reaction" -> {
        String tapback = String.valueOf(details.get("reaction"));
        params.put("reaction", tapback.replaceFirst("^-", ""));
        params.put("remove", tapback.startsWith("-"));
        yield new IMessageRequest("tapback", params, true);
      }
      case "edit" -> {
        params.put("text", String.valueOf(dispatch.text()));
        yield new IMessageRequest("message.edit", params, true);
      }
      default -> new IMessageRequest("message.unsend", params, true);
    };
  }

  static String filename(Attachment file) {
    String name =
        file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
    String plain = name.replaceAll("[/\\\\\\p{Cntrl}]", "_").replaceFirst("^\\.+", "_");
    return plain.isBlank() ? "file" : plain;
  }
}
