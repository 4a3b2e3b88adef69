package dev.postrider.channels.tlon;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A text as Tlon has it: pieces side by side, each with its style, and blocks between them. */
final class Story {
  private static final Pattern ADDRESS =
      Pattern.compile("https?://[^\\s<>\"]*[^\\s<>\".,;:!?)\\]]");

  private static final Map<String, @Nullable Object> BREAK =
      Collections.singletonMap("break", null);

  private Story() {}

  /** What a part says: its pictures, then its text. */
  static List<Object> of(Dispatch part) {
    List<Object> story = new ArrayList<>();
    for (PartFile file : part.cargo()) {
      story.add(Map.of("block", Map.of("image", image(file))));
    }
    String text = part.text();
    if (text != null && !text.isEmpty()) {
      story.add(Map.of("inline", inline(text, part.styles())));
    }
    return story;
  }

  private static Map<String, Object> image(PartFile file) {
    String name = file.attachment().filename();
    return Map.of(
        "src", file.attachment().url(), "height", 0, "width", 0, "alt", name == null ? "" : name);
  }

  /** Cuts the text wherever a style begins or ends. */
  private static List<Object> inline(String text, List<String> styles) {
    List<Range> ranges = styles.stream().map(Range::of).toList();
    TreeSet<Integer> cuts = new TreeSet<>(List.of(0, text.length()));
    ranges.forEach(
        range -> {
          cuts.add(Math.clamp(range.start(), 0, text.length()));
          cuts.add(Math.clamp(range.end(), 0, text.length()));
        });
    List<Object> pieces = new ArrayList<>();
    for (Integer from = cuts.first(); from < text.length(); ) {
      Integer to = cuts.higher(from);
      int start = from;
      List<String> kinds =
          ranges.stream()
              .filter(range -> range.start() <= start && start < range.end())
              .map(Range::style)
              .toList();
      lines(text.substring(from, to), kinds, pieces);
      from = to;
    }
    return pieces;
  }

  private record Range(int start, int end, String style) {
    static Range of(String text) {
      String[] three = text.split(":", 3);
      int start = Integer.parseInt(three[0]);
      return new Range(start, start + Integer.parseInt(three[1]), three[2]);
    }
  }

  private static void lines(String text, List<String> styles, List<Object> pieces) {
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (i > 0) {
        pieces.add(BREAK);
      }
      if (lines[i].isEmpty()) {
        continue;
      }
      if (styles.contains("MONOSPACE")) {
        pieces.add(Map.of("inline-code", lines[i]));
      } else {
        links(lines[i]).forEach(piece -> pieces.add(styled(piece, styles)));
      }
    }
  }

  /** Addresses become links; the rest stays text. */
  private static List<Object> links(String line) {
    List<Object> pieces = new ArrayList<>();
    Matcher found = ADDRESS.matcher(line);
    int done = 0;
    while (found.find()) {
      if (found.start() > done) {
        pieces.add(line.substring(done, found.start()));
      }
      pieces.add(Map.of("link", Map.of("href", found.group(), "content", found.group())));
      done = found.end();
    }
    if (done < line.length()) {
      pieces.add(line.substring(done));
    }
    return pieces;
  }

  private static Object styled(Object piece, List<String> styles) {
    Object styled = piece;
    for (String style : styles) {
      styled =
          switch (style) {
            case "BOLD" -> Map.of("bold", List.of(styled));
            case "ITALIC" -> Map.of("italics", List.of(styled));
            case "STRIKETHROUGH" -> Map.of("strike", List.of(styled));
            default -> styled;
          };
    }
    return styled;
  }

  /** What somebody else's story says, without its styles; null if it says nothing in words. */
  static @Nullable String text(JsonNode story) {
    StringBuilder text = new StringBuilder();
    for (JsonNode verse : story.values()) {
      if (verse.has("inline")) {
        verse.path("inline").values().forEach(piece -> read(piece, text));
      } else {
        block(verse.path("block"), text);
      }
    }
    String read = text.toString().strip();
    return read.isEmpty() ? null : read;
  }

  private static void block(JsonNode block, StringBuilder text) {
    if (block.has("header")) {
      block.path("header").path("content").values().forEach(piece -> read(piece, text));
      text.append('\n');
    } else if (block.has("code")) {
      text.append(block.path("code").path("code").asString("")).append('\n');
    } else if (block.has("listing")) {
      listing(block.path("listing"), text, 0);
    }
  }

  private static void listing(JsonNode listing, StringBuilder text, int depth) {
    JsonNode list = listing.path("list");
    if (depth > 20) {
      return;
    }
    if (list.isObject()) {
      list.path("contents").values().forEach(piece -> read(piece, text));
      list.path("items").values().forEach(item -> listing(item, text, depth + 1));
    } else {
      text.append("- ");
      listing.path("item").values().forEach(piece -> read(piece, text));
      text.append('\n');
    }
  }

  private static void read(JsonNode piece, StringBuilder text) {
    if (piece.isString()) {
      text.append(piece.asString());
      return;
    }
    for (var field : piece.properties()) {
      JsonNode value = field.getValue();
      switch (field.getKey()) {
        case "break" -> text.append('\n');
        case "ship", "inline-code", "code", "tag" -> text.append(value.asString(""));
        case "link" -> text.append(value.path("content").asString(value.path("href").asString("")));
        case "task" -> value.path("content").values().forEach(one -> read(one, text));
        case "bold", "italics", "strike" -> value.values().forEach(one -> read(one, text));
        case "blockquote" -> {
          text.append("> ");
          value.values().forEach(one -> read(one, text));
        }
        default -> {} // something new
      }
    }
  }

  /** The pictures of somebody else's story. */
  static List<InboundMessage.File> files(JsonNode story) {
    return story
        .valueStream()
        .map(verse -> Json.text(verse.path("block").path("image"), "src"))
        .filter(src -> src != null && src.startsWith("http"))
        .map(src -> new InboundMessage.File("image", null, src, null, null, null))
        .toList();
  }
}
