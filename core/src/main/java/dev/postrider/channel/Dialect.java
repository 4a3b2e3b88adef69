package dev.postrider.channel;

import dev.postrider.message.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a platform wants text written. Thread-safe. */
public interface Dialect {

  /**
   * Writes a text as parts that keep within the limit, in order; together they say what the text
   * says. Never throws, and takes time in proportion to the text. No part is blank; a text that
   * says nothing gives no parts.
   */
  List<Written> write(String text, Format format, TextLimit limit);

  /**
   * Text as one platform request carries it.
   *
   * @param text what is sent, in the platform's own markup if {@code plain} is there
   * @param plain what {@code text} says, without markup; null if {@code text} has none
   * @param styles ranges of {@code text} in the platform's own notation, where it wants them beside
   *     the text
   */
  record Written(String text, @Nullable String plain, List<String> styles) {
    public Written {
      styles = List.copyOf(styles);
    }

    public static Written plain(String text) {
      return new Written(text, null, List.of());
    }
  }
}
