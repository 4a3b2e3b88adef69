package dev.postrider.channels.irc;

import dev.postrider.channel.TextLimit.Unit;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text into lines that fit. */
final class IrcLines {
  private IrcLines() {}

  /**
   * Pieces of at most so many bytes, which together are the text. Never cuts a character in two;
   * cuts after a space if there is one in the second half.
   */
  static List<String> cut(String text, int room) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = start;
      int space = -1;
      int bytes = 0;
      while (end < text.length()) {
        int character = text.codePointAt(end);
        bytes += Unit.UTF8_BYTES.size(character);
        if (bytes > room) {
          break;
        }
        end += Character.charCount(character);
        space = character == ' ' && bytes > room / 2 ? end : space;
      }
      end = end < text.length() && space > 0 ? space : end;
      if (end == start) {
        throw new IllegalArgumentException("a line has no room for a character");
      }
      pieces.add(text.substring(start, end));
      start = end;
    }
    return pieces;
  }
}
