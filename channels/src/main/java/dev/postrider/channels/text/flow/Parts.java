package dev.postrider.channels.text.flow;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.tree.Block;
import java.util.List;

/** The parts a text is sent in. */
public final class Parts {
  private Parts() {}

  /**
   * @param eachLine whether a part is one line, whatever the limit's split says
   */
  public static List<Written> of(
      List<Block> text, Notation notation, TextLimit limit, boolean eachLine) {
    return new Cutter(Composer.compose(text, notation, limit), notation, limit, eachLine).parts();
  }

  /** Parts of a text without marks: what looks like one is escaped. */
  public static List<Written> of(
      String text, Notation notation, TextLimit limit, boolean eachLine) {
    return new Cutter(Composer.compose(text, notation, limit), notation, limit, eachLine).parts();
  }
}
