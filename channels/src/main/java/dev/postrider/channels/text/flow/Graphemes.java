package dev.postrider.channels.text.flow;

import java.text.BreakIterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Steps through a text by what a reader takes for one character. */
final class Graphemes {
  /** No script builds larger ones; what is larger may be cut. */
  private static final int LARGEST = 32;

  private static final char FIRST_COMBINING = '\u0300';

  private final String text;
  private @Nullable BreakIterator breaks;

  Graphemes(String text) {
    this.text = text;
  }

  /** Those of this text; the same ones if it is the same text, for finding them takes time. */
  @SuppressWarnings("ReferenceEquality")
  Graphemes of(String other) {
    return other == text ? this : new Graphemes(other);
  }

  /** The end of the character that begins at this index. */
  int end(int start) {
    if (simple(start) && (start + 1 == text.length() || simple(start + 1))) {
      return start + 1;
    }
    if (breaks == null) {
      breaks = BreakIterator.getCharacterInstance(Locale.ROOT);
      breaks.setText(text);
    }
    int end = breaks.following(start);
    return end - start > LARGEST ? codePointEnd(start) : end;
  }

  int codePointEnd(int start) {
    return text.offsetByCodePoints(start, 1);
  }

  private boolean simple(int index) {
    return text.charAt(index) < FIRST_COMBINING;
  }
}
