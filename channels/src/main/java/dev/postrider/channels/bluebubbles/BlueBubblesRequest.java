package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Multipart;
import dev.postrider.channels.imessage.MessageAction;
import dev.postrider.config.NearestName;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked of the server for one part. */
final class BlueBubblesRequest {
  /** What holds for all of a message. */
  static final Set<String> OPTIONS = Set.of("method", "ddScan");

  private static final String EFFECT = "effectId";
  private static final String SUBJECT = "subject";
  private static final String PART = "partIndex";
  private static final String AUDIO = "isAudioMessage";

  private static final List<String> KNOWN =
      List.of("method", "ddScan", EFFECT, SUBJECT, PART, AUDIO, "reaction", "edit", "unsend");

  private static final Set<String> METHODS =
      Set.of(BlueBubblesApi.APPLE_SCRIPT, BlueBubblesApi.PRIVATE_API);

  private BlueBubblesRequest() {}

  /** Refuses channel data that the server does not know. */
  static void check(Message message, Plan plan) {
    Map<String, ? extends @Nullable Object> data = message.channelData();
    for (String name : data.keySet()) {
      if (!KNOWN.contains(name)) {
        throw new InvalidInput(
            "channelData." + name, "is not known" + NearestName.hint(name, KNOWN));
      }
    }
    if (data.get("method") != null && !METHODS.contains(String.valueOf(data.get("method")))) {
      throw new InvalidInput("channelData.method", "must be apple-script or private-api");
    }
    for (String name : List.of(EFFECT, SUBJECT)) {
      if (data.get(name) != null && !(data.get(name) instanceof String)) {
        throw new InvalidInput("channelData." + name, "must be a text");
      }
    }
    for (String name : List.of("ddScan", AUDIO)) {
      if (data.get(name) != null && !(data.get(name) instanceof Boolean)) {
        throw new InvalidInput("channelData." + name, "must be true or false");
      }
    }
    MessageAction.check(message, plan);
  }

  /** What of a part only the Private API can do, and nobody would miss much. */
  static List<String> graces(Dispatch dispatch) {
    List<String> graces = new ArrayList<>();
    if (dispatch.replyToId() != null) {
      graces.add("the reply");
    }
    if (dispatch.channelData().get(EFFECT) != null) {
      graces.add("the effect");
    }
    return graces;
  }

  /** What of a part only the Private API can do, and which is what the part says. */
  static @Nullable String substance(Dispatch dispatch) {
    String action = MessageAction.of(dispatch);
    return action != null
        ? action
        : dispatch.channelData().get(SUBJECT) != null ? SUBJECT : asked(dispatch);
  }

  private static @Nullable String asked(Dispatch dispatch) {
    return BlueBubblesApi.PRIVATE_API.equals(dispatch.channelData().get("method"))
        ? "method"
        : null;
  }

  /** Keeps the server from working on the same part twice at a time. */
  static String tempGuid(Dispatch dispatch) {
    return "temp-" + dispatch.key();
  }

  /**
   * The fields of a request that sends.
   *
   * @param method how
   * @param graced whether replies and effects can be had
   */
  private static Map<String, Object> fields(
      Dispatch dispatch, String chat, String method, boolean graced) {
    Map<String, ? extends @Nullable Object> data = dispatch.channelData();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("chatGuid", chat);
    fields.put("tempGuid", tempGuid(dispatch));
    boolean asPrivate = graced && !graces(dispatch).isEmpty() || data.get(SUBJECT) != null;
    Object wanted = data.get("method");
    fields.put(
        "method",
        asPrivate ? BlueBubblesApi.PRIVATE_API : wanted == null ? method : wanted.toString());
    String reply = dispatch.replyToId();
    if (graced && reply != null) {
      fields.put("selectedMessageGuid", reply);
      Object part = data.get(PART);
      fields.put(PART, part == null ? 0 : part);
    }
    if (graced && data.get(EFFECT) instanceof String effect) {
      fields.put(EFFECT, effect);
    }
    if (data.get(SUBJECT) instanceof String subject) {
      fields.put(SUBJECT, subject);
    }
    return fields;
  }

  static Map<String, Object> text(Dispatch dispatch, String chat, String method, boolean graced) {
    Map<String, Object> fields = fields(dispatch, chat, method, graced);
    fields.put("message", Objects.requireNonNullElse(dispatch.text(), ""));
    if (dispatch.channelData().get("ddScan") instanceof Boolean scan
        && BlueBubblesApi.PRIVATE_API.equals(fields.get("method"))) {
      fields.put("ddScan", scan);
    }
    return fields;
  }

  static Multipart file(Dispatch dispatch, String chat, String method, boolean graced) {
    PartFile file = dispatch.cargo().getFirst();
    Multipart.Builder form = Multipart.builder(dispatch.key());
    fields(dispatch, chat, method, graced)
        .forEach((name, value) -> form.field(name, value.toString()));
    Object audio = dispatch.channelData().get(AUDIO);
    boolean voice =
        audio instanceof Boolean said ? said : file.attachment().kind() == MediaKind.VOICE;
    String name = filename(file.attachment());
    return form.field("name", name)
        .field(AUDIO, Boolean.toString(voice))
        .file(
            "attachment",
            name,
            file.attachment().type(),
            Objects.requireNonNull(file.bytes(), "BlueBubbles gets every file as bytes"))
        .build();
  }

  static String filename(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** Where an action goes. */
  static String path(Dispatch dispatch, String action) {
    return switch (action) {
      case "reaction" -> "/message/react";
      case "edit" -> "/message/" + BlueBubblesApi.encoded(target(dispatch, action)) + "/edit";
      default -> "/message/" + BlueBubblesApi.encoded(target(dispatch, action)) + "/unsend";
    };
  }

  static String target(Dispatch dispatch, String action) {
    return String.valueOf(details(dispatch, action).get("messageGuid"));
  }

  private static Map<?, ?> details(Dispatch dispatch, String action) {
    return dispatch.channelData().get(action) instanceof Map<?, ?> map ? map : Map.of();
  }

  static Map<String, Object> body(Dispatch dispatch, String chat, String action) {
    Map<?, ?> details = details(dispatch, action);
    Map<String, Object> body = new LinkedHashMap<>();
    switch (action) {
      case "reaction" -> {
        body.put("chatGuid", chat);
        body.put("selectedMessageGuid", target(dispatch, action));
        body.put("reaction", String.valueOf(details.get("reaction")));
      }
      case "edit" -> {
        String text = Objects.requireNonNullElse(dispatch.text(), "");
        body.put("editedMessage", text);
        Object old = details.get("backwardsCompatibilityMessage");
        body.put("backwardsCompatibilityMessage", old == null ? "Edited to: " + text : old);
      }
      default -> {}
    }
    Object part = details.get(PART);
    body.put(PART, part == null ? 0 : part);
    return body;
  }
}
