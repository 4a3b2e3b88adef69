package dev.postrider.internal.plan;

import dev.postrider.message.Format;
import dev.postrider.message.Media;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Files that go out as links, below the text. */
final class FileLinks {

  /** A stretch of text in one format. */
  record Block(String text, Format format) {}

  /** All there is to say, in order. */
  record Text(List<Block> blocks) {}

  private FileLinks() {}

  static Text append(@Nullable String text, Format format, List<Media> linked) {
    String words = text == null || text.isBlank() ? "" : text;
    if (linked.isEmpty()) {
      return new Text(words.isEmpty() ? List.of() : List.of(new Block(words, format)));
    }
    return switch (format) {
      case MARKDOWN ->
          new Text(List.of(new Block(joined(words, "\n\n", markdown(linked)), format)));
      case PLAIN -> new Text(List.of(new Block(joined(words, "\n", plain(linked)), format)));
      case NATIVE -> {
        // How this platform writes a link inside its own markup is not for us to guess.
        List<Block> blocks = new ArrayList<>();
        if (!words.isEmpty()) {
          blocks.add(new Block(words, format));
        }
        blocks.add(new Block(plain(linked), Format.PLAIN));
        yield new Text(blocks);
      }
    };
  }

  private static String joined(String text, String between, String links) {
    return text.isEmpty() ? links : text + between + links;
  }

  private static String plain(List<Media> linked) {
    return linked.stream()
        .map(file -> file.filename() == null ? file.url() : file.filename() + ": " + file.url())
        .collect(Collectors.joining("\n"));
  }

  private static String markdown(List<Media> linked) {
    return linked.stream()
        .map(
            file ->
                file.filename() == null
                    ? "<" + file.url() + ">"
                    : "[" + escaped(file.filename()) + "](<" + file.url() + ">)")
        .collect(Collectors.joining("\\\n"));
  }

  private static String escaped(String name) {
    return name.replaceAll("\\s+", " ").replaceAll("([!-/:-@\\[-`{-~])", "\\\\$1");
  }
}
