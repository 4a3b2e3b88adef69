package dev.postrider.channels.text.flow;

import dev.postrider.channels.text.tree.Block.Align;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is true of a stretch of text: that it is strong, an item, a cell. */
public sealed interface Mark {

  /** Marks within a line. */
  sealed interface Inline extends Mark {}

  /** Marks of whole lines. */
  sealed interface Block extends Mark {}

  enum Style implements Inline {
    STRONG,
    EMPHASIS,
    STRIKE
  }

  /** Code within a line, with the run of backticks it must be fenced by where those can vary. */
  record Code(int fence, boolean padded) implements Inline {}

  record Link(String target) implements Inline {}

  /**
   * A bare web address: the text is the address.
   *
   * @param apart whether a space or nothing follows it, so that its end is plain to see
   */
  record Address(String target, boolean apart) implements Inline {}

  record Paragraph() implements Block {}

  record Heading(int level) implements Block {}

  /** Code on lines of its own, with the run of backticks it must be fenced by. */
  record Pre(String language, int fence) implements Block {}

  record Quote() implements Block {}

  /** A quote within a quote, where a platform has no such thing. */
  record InnerQuote() implements Block {}

  record Listing(boolean ordered) implements Block {}

  /**
   * @param number null for a bullet
   * @param done null if the item is no task
   */
  record Item(@Nullable Integer number, @Nullable Boolean done) implements Block {}

  record Table(List<Align> columns) implements Block {}

  record Row(boolean header) implements Block {}

  record Cell(int column, Align align, boolean header) implements Block {
    /** What keeps cells apart where nothing else does. */
    public static final String APART = " | ";
  }

  record Rule() implements Block {}
}
