package dev.postrider.server.log;

import dev.postrider.server.config.LogSettings;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets logging up: everything goes to standard error, in one format, from one weight on. */
public final class Logging {
  /** Kept, because the logging library forgets loggers that nobody holds, and their levels. */
  private static final Logger ROOT = Logger.getLogger("");

  private static final Logger OURS = Logger.getLogger("dev.postrider");
  private static final Logger HELIDON = Logger.getLogger("io.helidon");
  private static final Logger HELIDON_START = Logger.getLogger("io.helidon.webserver.LoomServer");

  private static final Logger HELIDON_REQUESTS =
      Logger.getLogger("io.helidon.webserver.http1.Http1Connection");

  private static final Logger HTTP_CLIENT = Logger.getLogger("org.apache.hc");
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");
  private static final Logger POSTGRES = Logger.getLogger("org.postgresql");

  private Logging() {}

  /** For commands: nothing but what is wrong. */
  public static void quiet() {
    ROOT.setLevel(Level.WARNING);
    POSTGRES.setLevel(Level.SEVERE); // it quotes addresses that it does not understand
  }

  public static void setUp(LogSettings settings) {
    for (Handler handler : ROOT.getHandlers()) {
      ROOT.removeHandler(handler);
    }
    Handler handler = console();
    handler.setFormatter(
        switch (settings.format()) {
          case TEXT -> new TextLines();
          case JSON -> new JsonLines();
        });
    handler.setLevel(Level.ALL);
    ROOT.addHandler(handler);
    Level level =
        switch (settings.level()) {
          case ERROR -> Level.SEVERE;
          case WARN -> Level.WARNING;
          case INFO -> Level.INFO;
          case DEBUG -> Level.FINE;
        };
    OURS.setLevel(level);
    // Libraries write whole requests to their debug logs: tokens, passwords, secret addresses.
    ROOT.setLevel(level.equals(Level.FINE) ? Level.INFO : level);
    HTTP_CLIENT.setLevel(Level.WARNING);
    // Its start-up lines are not about messages, and its connection traces are many.
    HELIDON.setLevel(Level.WARNING);
    HELIDON_REQUESTS.setFilter(record -> !Causes.hungUp(record.getThrown()));
    // That a database is away is told once, by the store.down event, and not by every connection.
    POOL.setLevel(Level.SEVERE);
    POSTGRES.setLevel(Level.SEVERE);
    HELIDON_START.setLevel(Level.OFF); // a failed start is told in our words
  }

  private static Handler console() {
    try {
      Handler handler = new ConsoleHandler();
      handler.setEncoding(StandardCharsets.UTF_8.name());
      return handler;
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every Java platform has UTF-8", e);
    }
  }

  /**
   * What is to be printed beside the log: the sentence alone for people, and an object as in the
   * log for machines, so that every line the process prints can be read in one way.
   */
  public static String printed(LogSettings settings, Line line) {
    return switch (settings.format()) {
      case TEXT -> String.valueOf(line.getMessage());
      case JSON -> new JsonLines().format(line).strip();
    };
  }

  /** The name people know a level by. */
  static String name(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  /** The last step of a logger's name. */
  static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }
}
