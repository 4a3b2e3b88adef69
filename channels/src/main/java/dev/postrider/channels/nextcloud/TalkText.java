package dev.postrider.channels.nextcloud;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a message of Talk says. Talk writes placeholders where people, files and other objects are
 * named, and tells beside the text what they stand for.
 */
record TalkText(@Nullable String text, List<InboundMessage.File> files) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([\\w-]{1,100})\\}");

  static TalkText of(JsonNode note) {
    String content = Json.text(note, "content");
    JsonNode rich = content == null ? null : Json.readObject(content);
    if (rich == null) {
      return new TalkText(content, List.of());
    }
    List<InboundMessage.File> files = new ArrayList<>();
    StringBuilder words = new StringBuilder();
    Matcher found = PLACEHOLDER.matcher(rich.path("message").asString(""));
    while (found.find()) {
      JsonNode object = rich.path("parameters").path(found.group(1));
      if (Json.text(object, "type") == null) {
        continue; // somebody has written braces
      }
      found.appendReplacement(words, Matcher.quoteReplacement(shown(object, found.group(1))));
      if (isFile(object)) {
        files.add(file(object));
      }
    }
    String all = found.appendTail(words).toString().strip();
    return new TalkText(all.isEmpty() ? null : all, files);
  }

  private static String shown(JsonNode object, String placeholder) {
    if (isFile(object)) {
      return "";
    }
    String name = object.path("name").asString("");
    return placeholder.startsWith("mention") ? "@" + name : name;
  }

  private static boolean isFile(JsonNode object) {
    return object.path("type").asString("").equals("file");
  }

  private static InboundMessage.File file(JsonNode object) {
    String type = Json.text(object, "mimetype");
    JsonNode size = object.path("size");
    String digits = size.isString() || size.isIntegralNumber() ? size.asString("") : "";
    return new InboundMessage.File(
        kind(type),
        object.path("id").asString(null),
        Json.text(object, "link"),
        Json.text(object, "name"),
        type,
        digits.matches("\\d{1,18}") ? Long.valueOf(digits) : null);
  }

  private static String kind(@Nullable String type) {
    String family = type == null ? "" : type.replaceFirst("/.*", "");
    return switch (family) {
      case "image", "video", "audio" -> family;
      default -> "document";
    };
  }
}
