package dev.postrider.channels.text.tree;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block of text: what stands on lines of its own. */
public sealed interface Block {

  record Paragraph(List<Inline> content) implements Block {}

  record Heading(int level, List<Inline> content) implements Block {}

  /** Code as typed, without the line break at its end; {@code language} may be empty. */
  record Code(String language, String text) implements Block {}

  record Quote(List<Block> content) implements Block {}

  /**
   * @param start the first item's number; null for a list of bullets
   * @param tight whether its items stand on adjacent lines
   */
  record Listing(@Nullable Integer start, boolean tight, List<Item> items) implements Block {}

  /** Cells are as many in each row as in the header. */
  record Table(List<Align> columns, List<List<Inline>> header, List<List<List<Inline>>> rows)
      implements Block {}

  record Rule() implements Block {}

  /**
   * One item of a list.
   *
   * @param done whether the task is done; null if the item is no task
   */
  record Item(@Nullable Boolean done, List<Block> content) {}

  /** How a column of a table is aligned. */
  enum Align {
    NONE,
    LEFT,
    CENTER,
    RIGHT
  }
}
