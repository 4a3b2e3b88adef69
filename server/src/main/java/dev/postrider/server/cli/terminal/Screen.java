package dev.postrider.server.cli.terminal;

import dev.postrider.server.log.Visible;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** Where a command prints its words: nothing that others wrote can steer the terminal from here. */
public final class Screen extends PrintWriter {
  /** The width of what has none: a pipe, a file. */
  static final int ENDLESS = Integer.MAX_VALUE;

  private static final int NARROWEST_HELP = 60;
  private static final int WIDEST_HELP = 110;

  private final PrintWriter raw;
  private final int width;
  private final boolean coloured;

  Screen(PrintWriter raw, int width, boolean coloured) {
    super(new Cleaned(raw), true);
    this.raw = raw;
    this.width = width;
    this.coloured = coloured;
  }

  int width() {
    return width;
  }

  /** For sentences, which are hard to read where lines are very long. */
  public int helpWidth() {
    return Math.clamp(width, NARROWEST_HELP, WIDEST_HELP);
  }

  public boolean fits(String line) {
    return Cells.count(line) <= width;
  }

  /** Prints a text in a style, if there are colours. */
  public void print(Style style, String text) {
    if (!coloured || style == Style.PLAIN || text.isEmpty()) {
      print(text);
      return;
    }
    raw.print(style.on());
    print(text);
    raw.print(Style.OFF);
  }

  /**
   * Prints a text after a head, its further lines below each other.
   *
   * @param before how many cells of the line are taken already
   */
  public void hanging(String head, int before, String text) {
    print(head);
    int indent = before + Cells.count(head);
    String start = "";
    for (String line : Cells.wrapped(text, Math.max(20, width - indent))) {
      println(start + line);
      start = " ".repeat(indent);
    }
  }

  /** Holds nothing back, so any number of them may write to one place. */
  private static final class Cleaned extends FilterWriter {
    Cleaned(Writer to) {
      super(to);
    }

    @Override
    public void write(int character) throws IOException {
      write(String.valueOf((char) character));
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      write(new String(text, from, length));
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      out.write(Visible.lines(text.substring(from, from + length)));
    }
  }
}
