package dev.postrider.server.log;

import dev.postrider.store.failure.StoreUnavailable;
import java.io.EOFException;
import java.net.SocketException;
import java.sql.SQLException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells what the world outside did from what went wrong in here: only the latter needs a trace. */
final class Causes {
  /** A chain of causes may be a circle. */
  private static final int DEEPEST = 20;

  private Causes() {}

  /** Whether the other side of a connection has gone, which is its good right. */
  static boolean hungUp(@Nullable Throwable thrown) {
    return any(
        thrown,
        cause ->
            cause instanceof SocketException
                || cause instanceof EOFException
                || cause.getClass().getSimpleName().equals("InsufficientDataAvailableException")
                || cause.getClass().getSimpleName().equals("ServerConnectionException"));
  }

  /** Whether a sentence says all there is to say. */
  static boolean needsNoTrace(@Nullable Throwable thrown) {
    return hungUp(thrown) || any(thrown, Causes::databaseAway);
  }

  /** Connections that cannot be made or break (08), a server that stops or starts (57). */
  private static boolean databaseAway(Throwable cause) {
    return cause instanceof StoreUnavailable
        || (cause instanceof SQLException sql
            && sql.getSQLState() != null
            && (sql.getSQLState().startsWith("08") || sql.getSQLState().startsWith("57")));
  }

  /** What was thrown, in one line. */
  static String sentence(@Nullable Throwable thrown) {
    return String.valueOf(thrown).replace("\r", " ").replace("\n", " ");
  }

  private static boolean any(@Nullable Throwable thrown, Predicate<Throwable> test) {
    @Nullable Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (test.test(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
