package dev.postrider.channels.text.flow;

import org.jspecify.annotations.Nullable;

/** How a platform writes the marks of a text, and what it cannot write. Without state. */
public interface Notation {
  /** Invisible, and neither space nor punctuation: keeps characters from acting as markup. */
  String JOINER = "\u2060";

  /** What opens a mark; after a line break in it, the line's prefix is written. */
  String open(MarkScope scope, MarkScope text);

  /** What closes a mark. */
  String close(MarkScope scope);

  /**
   * What a mark puts at the start of a line, as people see it.
   *
   * @param first whether this is the mark's first line
   */
  default String prefix(MarkScope scope, boolean first, MarkScope text) {
    return "";
  }

  /** Whether the character is ever written in another way than as it is. */
  boolean special(char c);

  /** How a special character is written at this place. */
  String escape(char c, WritePosition spot);

  /** What breaks a line within a paragraph; a line feed is followed by the line's prefix. */
  default String lineBreak(MarkScope scope) {
    return "\n";
  }

  /** Whether blocks are kept apart by their own marks, not by blank lines. */
  default boolean blocksStandApart() {
    return false;
  }

  /** How many marks of one part the platform shows. */
  default int marksPerPart() {
    return Integer.MAX_VALUE;
  }

  /** Whether a line belongs to an item by its indentation. */
  default boolean indentationMeans() {
    return false;
  }

  /** Whether an item may hold headings and the like. */
  default boolean itemsHoldBlocks() {
    return indentationMeans() || blocksStandApart();
  }

  /** Whether marks of emphasis must touch letters to be seen as such. */
  default boolean flanked() {
    return false;
  }

  /** Whether marks of emphasis work only around whole words. */
  default boolean wholeWords() {
    return false;
  }

  /** The name of a style kept beside the text; null for marks that are written into it. */
  default @Nullable String style(Mark mark) {
    return null;
  }

  /** Whether the platform shows this mark; one that it does not is degraded. */
  boolean shows(Mark mark);

  /** Whether text can be code within a line in this scope. */
  default boolean canBeCode(String text, MarkScope scope) {
    return true;
  }

  /** Whether the platform makes a link of such a target. */
  boolean links(String target);

  /** Whether the text of a link may be strong or emphasised. */
  default boolean linksHoldMarks() {
    return true;
  }

  /** How a task's state is written in front of the item's text; empty if by the item itself. */
  default String task(boolean done) {
    return done ? "☑ " : "☐ ";
  }

  /** The same text without markup. */
  Notation plain();

  /** The text alone, never longer than what people see. */
  Notation bare();
}
