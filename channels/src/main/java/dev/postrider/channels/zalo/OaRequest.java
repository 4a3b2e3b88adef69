package dev.postrider.channels.zalo;

import dev.postrider.channel.Dispatch;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of an Official Account's API for one part.
 *
 * @param path which API; each has a version of its own
 */
record OaRequest(String path, Map<String, @Nullable Object> body) {
  private static final String CONSULTATION = "/v3.0/oa/message/cs";
  private static final String TEMPLATE = "/v3.0/oa/message/template";
  private static final String REACTION = "/v2.0/oa/message";

  /** What channel data can say by itself. */
  static final Set<String> OWN = Set.of("attachment", "template", "reaction");

  /**
   * The request.
   *
   * @throws InvalidInput if the message and its channel data do not go together
   */
  static OaRequest of(Dispatch dispatch) {
    Map<String, @Nullable Object> data = dispatch.channelData();
    for (String name : data.keySet()) {
      if (!OWN.contains(name)) {
        throw new InvalidInput(
            "channelData." + name, "is for bots; an Official Account takes " + OWN);
      }
    }
    String text = dispatch.text();
    boolean files = !dispatch.part().media().isEmpty();
    if (data.size() > 1 || (!data.isEmpty() && files)) {
      throw alone(data.keySet().iterator().next(), "other channel data and media");
    }
    if (data.get("template") instanceof Map<?, ?> template) {
      if (text != null) {
        throw alone("template", "text");
      }
      Map<String, @Nullable Object> body = new LinkedHashMap<>();
      template.forEach((name, value) -> body.put(String.valueOf(name), value));
      body.put("user_id", dispatch.to());
      return new OaRequest(TEMPLATE, body);
    }
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("recipient", Map.of("user_id", dispatch.to()));
    if (data.get("reaction") instanceof Map<?, ?> reaction) {
      if (text != null) {
        throw alone("reaction", "text");
      }
      body.put("sender_action", reaction);
      return new OaRequest(REACTION, body);
    }
    body.put("message", message(dispatch, data.get("attachment"), text));
    return new OaRequest(CONSULTATION, body);
  }

  private static InvalidInput alone(String field, String what) {
    return new InvalidInput(
        "channelData." + field, "is a message of its own; send it without " + what);
  }

  private static Map<String, Object> message(
      Dispatch dispatch, @Nullable Object own, @Nullable String text) {
    Map<String, Object> message = new LinkedHashMap<>();
    if (text != null && !text.isBlank()) {
      message.put("text", text);
    }
    Object attachment =
        dispatch.cargo().isEmpty() ? own : OaUpload.attachment(dispatch.cargo().getFirst());
    if (attachment != null) {
      message.put("attachment", attachment);
    }
    if (message.isEmpty()) {
      throw new InvalidInput("text", "is missing; Zalo sends no empty messages");
    }
    String reply = dispatch.replyToId();
    if (reply != null) {
      message.put("quote_message_id", reply);
    }
    return message;
  }

  static Map<String, Object> media(Map<String, Object> element) {
    return Map.of(
        "type",
        "template",
        "payload",
        Map.of("template_type", "media", "elements", List.of(element)));
  }
}
