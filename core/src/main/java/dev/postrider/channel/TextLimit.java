package dev.postrider.channel;

import dev.postrider.config.Split;

/**
 * How long the text of one part may be.
 *
 * @param size so many of {@code unit}
 * @param visible whether only what people see counts; if not, markup counts too
 * @param split where to begin a new part before the limit asks for it
 */
public record TextLimit(int size, Unit unit, boolean visible, Split split) {

  /** What a platform counts when it counts text. */
  public enum Unit {
    UTF16,
    CODE_POINTS,
    UTF8_BYTES;

    /** How much one code point takes. */
    public int size(int codePoint) {
      return switch (this) {
        case UTF16 -> Character.charCount(codePoint);
        case CODE_POINTS -> 1;
        case UTF8_BYTES ->
            codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      };
    }

    /** How much a text takes. */
    public int size(CharSequence text) {
      return this == UTF16 ? text.length() : text.codePoints().map(this::size).sum();
    }
  }

  public TextLimit {
    if (size < 1) {
      throw new IllegalArgumentException("a part must have room for some text");
    }
  }

  /** Everything sent counts. */
  public static TextLimit of(int size, Unit unit) {
    return new TextLimit(size, unit, false, Split.LENGTH);
  }

  /** Only what people see counts: the platform measures after it has read the markup. */
  public static TextLimit ofVisible(int size, Unit unit) {
    return new TextLimit(size, unit, true, Split.LENGTH);
  }

  public TextLimit withSize(int other) {
    return new TextLimit(other, unit, visible, split);
  }

  public TextLimit withSplit(Split other) {
    return new TextLimit(size, unit, visible, other);
  }
}
