package dev.postrider.channels.text.flow;

/** One piece of a flow. */
sealed interface FlowPiece {

  /** Text without line breaks; empty where only its marks matter, such as an empty cell. */
  record Text(String text, MarkScope scope) implements FlowPiece {}

  /**
   * What separates lines.
   *
   * @param lines how many line breaks
   * @param block whether blocks are separated, not just lines
   * @param top whether what follows is a block of the text itself, not of a quote or an item
   */
  record Gap(int lines, boolean block, boolean top) implements FlowPiece {}
}
