package dev.postrider.server.cli.terminal;

import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command is given of the place it runs in. What it prints goes through {@link #out} and
 * {@link #err}, which let nothing through that could steer a terminal, whoever wrote it.
 */
public final class Terminal {
  private static final int USUAL_WIDTH = 80;

  private final Map<String, String> environment;
  private final InputStream in;
  private final PrintWriter rawOut;
  private final PrintWriter rawErr;
  private final boolean interactive;
  private Colours colours = Colours.auto;

  public Terminal(
      Map<String, String> environment,
      InputStream in,
      PrintWriter rawOut,
      PrintWriter rawErr,
      boolean interactive) {
    this.environment = environment;
    this.in = in;
    this.rawOut = rawOut;
    this.rawErr = rawErr;
    this.interactive = interactive;
  }

  public Map<String, String> environment() {
    return environment;
  }

  public InputStream in() {
    return in;
  }

  /** For what steers the terminal on purpose: a bar that is drawn anew. */
  public PrintWriter rawOut() {
    return rawOut;
  }

  /** The same for errors. */
  public PrintWriter rawErr() {
    return rawErr;
  }

  /** Whether a person sits before it, who wants to see lines change. */
  public boolean interactive() {
    return interactive;
  }

  public void colours(Colours when) {
    colours = when;
  }

  public boolean coloured() {
    return colours.shown(interactive, environment);
  }

  public Screen out() {
    return new Screen(rawOut, interactive ? width() : Screen.ENDLESS, coloured());
  }

  public PrintWriter err() {
    return new Screen(rawErr, Screen.ENDLESS, false);
  }

  /** For what programs read, JSON and CSV: as it is, unless a person looks at it. */
  public PrintWriter data() {
    return interactive ? out() : rawOut;
  }

  /** The launcher asks the terminal, because Java cannot. */
  private int width() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : USUAL_WIDTH;
  }
}
