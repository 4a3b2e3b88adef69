package dev.postrider.plan;

import dev.postrider.channel.Capabilities.TextUnit;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts text into parts that fit a platform's limit, at the best place there is: after a paragraph,
 * a line, a sentence or a word, else between two characters as people see them. The parts put
 * together are the text.
 */
final class Chunker {
  private Chunker() {}

  static List<String> chunk(String text, int limit, TextUnit unit) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int fit = fitting(text, start, limit, unit);
      int end = fit == text.length() ? fit : bestBreak(text, start, fit);
      parts.add(text.substring(start, end));
      start = end;
    }
    return parts;
  }

  /** The largest end such that {@code text[start, end)} is within the limit. */
  private static int fitting(String text, int start, int limit, TextUnit unit) {
    int used = 0;
    int end = start;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      used += size(codePoint, unit);
      if (used > limit) {
        return end;
      }
      end += Character.charCount(codePoint);
    }
    return end;
  }

  private static int size(int codePoint, TextUnit unit) {
    return switch (unit) {
      case UTF16 -> Character.charCount(codePoint);
      case CODE_POINTS -> 1;
      case UTF8_BYTES -> codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    };
  }

  private static int bestBreak(String text, int start, int fit) {
    int half = start + (fit - start) / 2; // a break in the first half would waste a part
    for (String mark : List.of("\n\n", "\n", ". ", " ")) {
      int at = text.lastIndexOf(mark, fit - mark.length());
      if (at >= half && at > start) {
        return at + mark.length();
      }
    }
    BreakIterator graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
    graphemes.setText(text.substring(start, Math.min(text.length(), fit + 64)));
    int at = graphemes.isBoundary(fit - start) ? fit - start : graphemes.preceding(fit - start);
    return at > 0 ? start + at : fit;
  }
}
