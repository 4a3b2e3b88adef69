package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Mark;
import dev.postrider.channels.text.flow.MarkScope;

/** How items of lists begin their lines. */
final class ItemMarkers {
  private ItemMarkers() {}

  /** The marker on the first line, and as much space on the others; code is not indented. */
  static String prefix(Mark.Item item, String bullet, boolean first, MarkScope text) {
    String marker = marker(item, bullet);
    return first ? marker : indented(text) ? " ".repeat(marker.length()) : "";
  }

  static String marker(Mark.Item item, String bullet) {
    return item.number() == null ? bullet : item.number() + ". ";
  }

  /** Where indentation is text like any other, it would become part of the code. */
  private static boolean indented(MarkScope text) {
    return text.within(Mark.Pre.class) == null;
  }
}
