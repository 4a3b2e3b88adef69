package dev.postrider.server.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text measured in the cells it takes on a terminal: two for a Chinese character or an emoji. */
final class Cells {
  private Cells() {}

  static int count(String text) {
    return text.codePoints().map(Cells::of).sum();
  }

  private static int of(int character) {
    if (character < 0x300) {
      return 1;
    }
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> wide(character) ? 2 : 1;
    };
  }

  /** Wide or full width by Unicode's annex 11, and what is drawn as a picture. */
  private static boolean wide(int character) {
    return (character >= 0x1100 && character <= 0x115f)
        || (character >= 0x2e80 && character <= 0xa4cf && character != 0x303f)
        || (character >= 0xa960 && character <= 0xa97c)
        || (character >= 0xac00 && character <= 0xd7a3)
        || (character >= 0xf900 && character <= 0xfaff)
        || (character >= 0xfe30 && character <= 0xfe6f)
        || (character >= 0xff01 && character <= 0xff60)
        || (character >= 0xffe0 && character <= 0xffe6)
        || (character >= 0x20000 && character <= 0x3fffd)
        || Character.isEmojiPresentation(character);
  }

  static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - count(text)));
  }

  /** No more than so many cells; what is cut off is said by an ellipsis. */
  static String brief(String text, int most) {
    return count(text) <= most ? text : text.substring(0, fitting(text, most - 1)) + "…";
  }

  /** Lines of at most so many cells, broken between words where that can be. */
  static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text.strip();
    while (count(rest) > width) {
      int most = Math.max(fitting(rest, width), rest.offsetByCodePoints(0, 1));
      int space = rest.lastIndexOf(' ', most);
      int end = space > 0 ? space : most;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).stripLeading();
    }
    if (lines.isEmpty() || !rest.isEmpty()) {
      lines.add(rest);
    }
    return lines;
  }

  /** How many characters of the text fit into so many cells. */
  private static int fitting(String text, int width) {
    int at = 0;
    for (int used = 0; at < text.length(); ) {
      int character = text.codePointAt(at);
      used += of(character);
      if (used > width) {
        break;
      }
      at += Character.charCount(character);
    }
    return at;
  }
}
