package dev.postrider.server.cli.terminal;

/** How far long work has come: a bar on a terminal, nothing elsewhere. */
public final class Progress {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final int WIDTH = 30;

  private final Terminal terminal;
  private final int total;

  public Progress(Terminal terminal, int total) {
    this.terminal = terminal;
    this.total = total;
  }

  public void show(int done) {
    if (terminal.interactive() && total > 0) {
      int filled = (int) Math.min(WIDTH, (long) done * WIDTH / total);
      terminal.rawErr().print(CLEAR_LINE);
      terminal
          .rawErr()
          .print(
              "[%s%s] %,d of %,d"
                  .formatted("#".repeat(filled), "-".repeat(WIDTH - filled), done, total));
      terminal.rawErr().flush();
    }
  }

  public void end() {
    if (terminal.interactive()) {
      terminal.rawErr().print(CLEAR_LINE);
      terminal.rawErr().flush();
    }
  }
}
