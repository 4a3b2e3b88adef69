package dev.postrider.channels.feishu;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage.File;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a message that came in says, whatever kind of content Feishu made of it. */
record InboundContent(@Nullable String text, List<File> files) {

  /** Feishu writes the content as JSON in a text. */
  static InboundContent of(JsonNode message) {
    JsonNode content = Json.readObject(message.path("content").asString(""));
    if (content == null) {
      return new InboundContent(null, List.of());
    }
    InboundContent read =
        switch (message.path("message_type").asString("")) {
          case "text" -> new InboundContent(Json.text(content, "text"), List.of());
          case "post" -> post(content);
          case "image" -> of(file("image", content, "image_key"));
          case "file" -> of(file("document", content, "file_key"));
          case "audio" -> of(file("voice", content, "file_key"));
          case "media" -> of(file("video", content, "file_key"));
          default -> new InboundContent(null, List.of());
        };
    return new InboundContent(named(read.text, message.path("mentions")), read.files);
  }

  private static InboundContent of(@Nullable File file) {
    return new InboundContent(null, file == null ? List.of() : List.of(file));
  }

  private static @Nullable File file(String kind, JsonNode content, String key) {
    String id = Json.text(content, key);
    return id == null
        ? null
        : new File(
            kind,
            id,
            null,
            Json.text(content, "file_name"),
            null,
            Json.count(content.path("file_size")));
  }

  /** The places of mentions, with the names that belong there. */
  private static @Nullable String named(@Nullable String text, JsonNode mentions) {
    if (text == null) {
      return null;
    }
    String named = text;
    // From the last on: @_user_1 is how @_user_12 begins.
    for (int i = mentions.size() - 1; i >= 0; i--) {
      String key = Json.text(mentions.path(i), "key");
      String name = Json.text(mentions.path(i), "name");
      if (key != null && name != null) {
        named = named.replace(key, "@" + name);
      }
    }
    return named.replace("@_all", "@all");
  }

  /** Rows of pieces, sometimes once for each language: then the first is as good as any. */
  private static InboundContent post(JsonNode content) {
    JsonNode post =
        content.path("content").isArray()
            ? content
            : content.valueStream().filter(JsonNode::isObject).findFirst().orElse(content);
    List<File> files = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    String title = Json.text(post, "title");
    if (title != null) {
      lines.add(title);
    }
    for (JsonNode row : post.path("content")) {
      StringBuilder line = new StringBuilder();
      for (JsonNode piece : row) {
        line.append(words(piece));
        File file =
            switch (piece.path("tag").asString("")) {
              case "img" -> file("image", piece, "image_key");
              case "media" -> file("video", piece, "file_key");
              default -> null;
            };
        if (file != null) {
          files.add(file);
        }
      }
      lines.add(line.toString());
    }
    String said = String.join("\n", lines).strip();
    return new InboundContent(said.isEmpty() ? null : said, files);
  }

  private static String words(JsonNode piece) {
    String text = piece.path("text").asString("");
    return switch (piece.path("tag").asString("")) {
      case "a" -> {
        String target = piece.path("href").asString("");
        yield target.isEmpty() || target.equals(text) ? text : (text + " (" + target + ")").strip();
      }
      // A place that mentions name, or a name at once.
      case "at" -> {
        String place = piece.path("user_id").asString("");
        yield place.startsWith("@_") ? place : "@" + piece.path("user_name").asString(place);
      }
      case "emotion" -> ":" + piece.path("emoji_type").asString("") + ":";
      case "hr" -> "---";
      default -> text;
    };
  }
}
