package dev.postrider.channels.sidecar;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of {@code send}. */
final class SidecarRequest {
  private SidecarRequest() {}

  /**
   * @param quote what the sidecar told of the message that is answered; null if none is
   */
  static Map<String, Object> of(
      Dispatch dispatch, List<Map<String, Object>> files, @Nullable String quote) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("key", dispatch.key());
    params.put("chat", SidecarChat.read(dispatch.to()).fields());
    String text = dispatch.text();
    if (text != null) {
      params.put("text", text);
      params.put("styles", styles(dispatch.styles()));
    }
    if (!files.isEmpty()) {
      params.put("files", files);
    }
    String replyTo = dispatch.replyToId();
    if (replyTo != null && quote != null) {
      params.put("reply", Map.of("messageId", replyTo, "quote", quoted(quote)));
    }
    if (dispatch.silent()) {
      params.put("silent", true);
    }
    if (!dispatch.channelData().isEmpty()) {
      params.put("data", dispatch.channelData());
    }
    return params;
  }

  private static Object quoted(String quote) {
    Object object = Json.readObject(quote);
    return object == null ? Map.of() : object;
  }

  /** Ranges as {@code start:length:NAME}, in UTF-16 units. */
  private static List<Map<String, Object>> styles(List<String> ranges) {
    List<Map<String, Object>> styles = new ArrayList<>();
    for (String range : ranges) {
      String[] pieces = range.split(":");
      String style =
          switch (pieces[2]) {
            case "BOLD" -> "bold";
            case "ITALIC" -> "italic";
            case "STRIKETHROUGH" -> "strike";
            default -> "code";
          };
      styles.add(
          Map.of(
              "start", Integer.valueOf(pieces[0]),
              "length", Integer.valueOf(pieces[1]),
              "style", style));
    }
    return styles;
  }
}
