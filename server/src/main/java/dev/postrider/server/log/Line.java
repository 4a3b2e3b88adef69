package dev.postrider.server.log;

import java.io.Serial;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A line about one thing that happened: a sentence for people, and beside it the same in values for
 * machines, which {@link JsonLines} writes.
 */
public final class Line extends LogRecord {
  @Serial private static final long serialVersionUID = 1L;

  private static final Logger LOG = Logger.getLogger("dev.postrider.server.Postrider");

  private final transient Map<String, Object> values = new LinkedHashMap<>();

  private Line(Level level, String event, String sentence) {
    super(level, sentence);
    setLoggerName(LOG.getName());
    values.put("event", event);
  }

  /** Something that went as it should. */
  public static Line info(String event, String sentence) {
    return new Line(Level.INFO, event, sentence);
  }

  /** Something that somebody should look at. */
  public static Line warn(String event, String sentence) {
    return new Line(Level.WARNING, event, sentence);
  }

  /** Something that stops work. */
  public static Line error(String event, String sentence) {
    return new Line(Level.SEVERE, event, sentence);
  }

  /** Adds a value: text, a number or a list of texts. */
  public Line with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  Map<String, Object> values() {
    return Collections.unmodifiableMap(values);
  }

  public void write() {
    LOG.log(this);
  }
}
