package dev.postrider.channels.text.flow;

/** One piece of a flow. */
sealed interface Piece {

  /** Text without line breaks; empty where only its marks matter, such as an empty cell. */
  record Text(String text, Scope scope) implements Piece {}

  /**
   * What separates lines.
   *
   * @param lines how many line breaks
   * @param block whether blocks are separated, not just lines
   * @param top whether what follows is a block of the text itself, not of a quote or an item
   */
  record Gap(int lines, boolean block, boolean top) implements Piece {}
}
