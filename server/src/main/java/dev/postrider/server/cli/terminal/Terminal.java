package dev.postrider.server.cli.terminal;

import dev.postrider.server.log.Visible;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;

/**
 * What a command is given of the place it runs in. What it prints goes through {@link #out} and
 * {@link #err}, which let nothing through that could steer a terminal, whoever wrote it.
 *
 * @param rawOut for what steers the terminal on purpose: a bar that is drawn anew
 * @param rawErr the same for errors
 * @param interactive whether a person sits before it, who wants to see lines change
 */
public record Terminal(
    Map<String, String> environment,
    InputStream in,
    PrintWriter rawOut,
    PrintWriter rawErr,
    boolean interactive) {

  public PrintWriter out() {
    return new PrintWriter(new Cleaned(rawOut), true);
  }

  public PrintWriter err() {
    return new PrintWriter(new Cleaned(rawErr), true);
  }

  /** For what programs read, JSON and CSV: as it is, unless a person looks at it. */
  public PrintWriter data() {
    return interactive ? out() : rawOut;
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
