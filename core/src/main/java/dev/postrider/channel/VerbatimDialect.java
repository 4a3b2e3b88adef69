package dev.postrider.channel;

import dev.postrider.message.Format;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The dialect of a channel that renders nothing: text goes out as it was written, Markdown
 * included, cut only where the limit asks for it, at the best place there is: after a paragraph, a
 * line, a sentence or a word, else between two characters as people see them.
 */
public final class VerbatimDialect implements Dialect {
  @Override
  public List<Written> write(String text, Format format, TextLimit limit) {
    if (format == Format.NATIVE) {
      return text.isBlank() ? List.of() : List.of(new Written(text, text, List.of()));
    }
    List<Written> parts = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int fit = fitting(text, start, limit);
      int end = fit == text.length() ? fit : bestBreak(text, start, fit);
      String part = text.substring(start, end);
      if (!part.isBlank()) {
        parts.add(Written.plain(part));
      }
      start = end;
    }
    return parts;
  }

  /** The largest end such that {@code text[start, end)} is within the limit. */
  private static int fitting(String text, int start, TextLimit limit) {
    int used = 0;
    int end = start;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      used += limit.unit().size(codePoint);
      if (used > limit.size() && end > start) {
        return end;
      }
      end += Character.charCount(codePoint);
    }
    return end;
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
