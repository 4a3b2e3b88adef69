package dev.postrider.channels.zalo;

import dev.postrider.channel.Dispatch;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked of the Bot platform for one part. */
record BotRequest(String method, Map<String, @Nullable Object> fields) {
  /** What holds for all of a message. */
  static final Set<String> OPTIONS = Set.of("parse_mode");

  /** What channel data can say by itself, and by which method. */
  private static final Map<String, String> OWN =
      Map.of("sticker", "sendSticker", "voice_url", "sendVoice", "action", "sendChatAction");

  private static final String STYLES = "text_styles";

  /**
   * The request.
   *
   * @throws InvalidInput if the message and its channel data do not go together
   */
  static BotRequest of(Dispatch dispatch) {
    Map<String, @Nullable Object> data = dispatch.channelData();
    for (String name : data.keySet()) {
      if (OaRequest.OWN.contains(name)) {
        throw new InvalidInput("channelData." + name, "is for Official Accounts; this is a bot");
      }
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("chat_id", dispatch.to());
    String text = dispatch.text();
    String own = data.keySet().stream().filter(OWN::containsKey).findFirst().orElse(null);
    if (own != null) {
      if (text != null || data.size() > 1 || !dispatch.part().media().isEmpty()) {
        throw new InvalidInput(
            "channelData." + own, "is a message of its own; send it without text and media");
      }
      fields.put(own, data.get(own));
      return new BotRequest(String.valueOf(OWN.get(own)), fields);
    }
    if (!dispatch.cargo().isEmpty()) {
      fields.put("photo", dispatch.cargo().getFirst().attachment().url());
      if (text != null) {
        fields.put("caption", text);
      }
      return new BotRequest("sendPhoto", fields);
    }
    if (text == null || text.isBlank()) {
      throw new InvalidInput("text", "is missing; Zalo sends no empty messages");
    }
    fields.put("text", text);
    if (data.containsKey("parse_mode")) {
      fields.put("parse_mode", data.get("parse_mode"));
    } else if (data.containsKey(STYLES)) {
      fields.put(STYLES, data.get(STYLES));
    } else if (!dispatch.styles().isEmpty()) {
      fields.put(STYLES, styles(dispatch.styles()));
    }
    return new BotRequest("sendMessage", fields);
  }

  /** Ranges as {@code start:length:NAME}, in UTF-16 units, which Zalo counts too. */
  private static List<Map<String, Object>> styles(List<String> ranges) {
    List<Map<String, Object>> styles = new ArrayList<>();
    for (String range : ranges) {
      String[] pieces = range.split(":");
      String code =
          switch (pieces[2]) {
            case "BOLD" -> "b";
            case "ITALIC" -> "i";
            case "STRIKETHROUGH" -> "s";
            default -> "";
          };
      if (!code.isEmpty()) {
        styles.add(
            Map.of(
                "start", Integer.valueOf(pieces[0]),
                "len", Integer.valueOf(pieces[1]),
                "st", List.of(code)));
      }
    }
    return styles;
  }
}
