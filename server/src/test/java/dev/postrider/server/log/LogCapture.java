package dev.postrider.server.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps everything that is logged while it is open, as a person would read it; from {@code INFO} on
 * at least, even if a test before it was of a command that logs less.
 */
public final class LogCapture extends Handler implements AutoCloseable {
  private static final Logger ROOT = Logger.getLogger("");

  private static final Logger OURS = Logger.getLogger("dev.postrider");

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final @Nullable Level before = OURS.getLevel();

  public LogCapture() {
    if (!OURS.isLoggable(Level.INFO)) {
      OURS.setLevel(Level.INFO);
    }
    ROOT.addHandler(this);
  }

  /** The lines, without time and level. */
  public List<String> sentences() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  /** All as text, stack traces included. */
  public String text() {
    return String.join("", records.stream().map(new TextLines()::format).toList());
  }

  /** All as JSON, a line each. */
  public List<String> json() {
    return records.stream().map(record -> new JsonLines().format(record).strip()).toList();
  }

  public List<Level> levels() {
    return records.stream().map(LogRecord::getLevel).toList();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    ROOT.removeHandler(this);
    OURS.setLevel(before);
  }
}
