package dev.postrider.server.cli.store;

import dev.postrider.server.cli.terminal.Progress;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.store.StoreBackup;
import org.jspecify.annotations.Nullable;

/** How much of a backup was written, then read, in megabytes. */
final class ByteProgress implements StoreBackup.Progress, AutoCloseable {
  private static final long MEGABYTE = 1 << 20;

  private final Terminal terminal;
  private @Nullable Progress bar;
  private String shownStep = "";
  private long shown;

  ByteProgress(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void at(String step, long bytes, long of) {
    long now = bytes / MEGABYTE;
    if (bar == null || !step.equals(shownStep)) {
      bar = new Progress(terminal, (int) (of / MEGABYTE));
      shownStep = step;
    } else if (now == shown) {
      return; // to draw takes longer than to write
    }
    shown = now;
    bar.show((int) now);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.end();
    }
  }
}
