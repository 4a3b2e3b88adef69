package dev.postrider.channels.text.flow;

/** Where a character is about to be written: what decides whether it could act as markup. */
public interface WritePosition {
  /** Instead of a character: the line begins or ends here, or the markup around it changes. */
  int EDGE = -1;

  MarkScope scope();

  /** The character before it in the line, markup included. */
  int before();

  /** The character so far after it in the same stretch of text. */
  int after(int distance);

  default int after() {
    return after(1);
  }

  /** What the line begins with, without its prefix, as far as a marker of a line could reach. */
  String lead();

  /** Whether nothing but spaces stands before it in the line. */
  default boolean first() {
    return lead().isBlank();
  }
}
