package dev.postrider.jdbc;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The restoration of a store on a database. A row of {@code restore} says how far it has come, so
 * one that was stopped goes on where it was.
 *
 * <p>Messages end a microsecond after one another, first those that have a place, in the order of
 * their lanes: whoever sorts dead letters by their end has the lanes' order.
 */
public abstract class SqlRestoration implements Restoration {
  private static final int PAGE = 1_000;

  private static final String COLUMNS =
      "at, taken, finished, messages, scheduled, inbound, runs FROM restore";

  // restore's primary key, backwards
  public static final String LAST_RESTORE = "SELECT " + COLUMNS + " ORDER BY at DESC LIMIT 1";

  private static final String BEGIN =
      "INSERT INTO restore (at, taken, messages, scheduled, inbound, runs) VALUES (?, ?, 0, 0, "
          + "0, ?)";

  // restore's primary key
  public static final String COUNT_HELD =
      "UPDATE restore SET messages = messages + ?, inbound = inbound + ? WHERE at = ?";

  // restore's primary key
  public static final String FINISH = "UPDATE restore SET finished = ?, scheduled = ? WHERE at = ?";

  // run_status
  public static final String PAUSE_RUNS =
      """
      UPDATE run
      SET status = 2 /* paused */, reason = ?, until = NULL, version = version + 1
      WHERE status < 3
        AND version > 0""";

  // receipt_retry (whole: what failed lately)
  public static final String FORGET_RETRIES = "DELETE FROM receipt_retry";

  private final Instant takenAt;
  private final Instant now;
  private final boolean everything;

  /**
   * @param everything also what was not due yet
   */
  protected SqlRestoration(Instant takenAt, Instant now, boolean everything) {
    this.takenAt = takenAt;
    this.now = now;
    this.everything = everything;
  }

  /** Something to do with the database. */
  @FunctionalInterface
  protected interface Work<T> {
    T run(JdbcSession session) throws SQLException;
  }

  /** In one transaction. */
  protected abstract <T> T write(Work<T> work);

  /** Active messages that have a place in their lane, in that order: the first few. */
  protected abstract List<Long> placed(JdbcSession session, int limit) throws SQLException;

  /**
   * Active messages without a place that are being sent or are due by then: the next few, those of
   * one chat in the order of their rows.
   */
  protected abstract List<Long> loose(JdbcSession session, long due, int limit) throws SQLException;

  /** Ends these as held, a microsecond after one another from then on. */
  protected abstract void hold(JdbcSession session, List<Long> rows, long firstEnd, String error)
      throws SQLException;

  /** Ends inbound messages that have not ended as dead letters; gives how many it were. */
  protected abstract int holdInbound(JdbcSession session, long now, String error, int limit)
      throws SQLException;

  /** How many messages have not ended. */
  protected abstract long countActive(JdbcSession session) throws SQLException;

  /** When the store last came back from a backup. */
  public static Optional<Restored> last(JdbcSession session) throws SQLException {
    return Optional.ofNullable(session.one(LAST_RESTORE, SqlRestoration::restored));
  }

  private static Restored restored(ResultSet row) throws SQLException {
    return new Restored(
        Values.instant(row.getLong(2)),
        Values.instant(row.getLong(1)),
        row.getObject(3) != null,
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7));
  }

  @Override
  public final Restored next() {
    return write(
        session -> {
          Restored last = last(session).orElse(null);
          if (last == null || last.finished()) {
            begin(session, takenAt, now);
          } else {
            step(session, last);
          }
          return last(session).orElseThrow();
        });
  }

  /** Begins it, unless one has begun: from then on no server starts until it is done. */
  public static void begin(JdbcSession session, Instant takenAt, Instant now) throws SQLException {
    if (last(session).filter(last -> !last.finished()).isPresent()) {
      return;
    }
    String reason =
        "the store was restored from a backup of %s: what it had not sent then may have been sent"
            + " since. Resume it to send to the targets that are pending, or cancel it";
    int runs = session.update(PAUSE_RUNS, reason.formatted(takenAt));
    session.update(FORGET_RETRIES);
    session.update(BEGIN, Values.micros(now), Values.micros(takenAt), runs);
  }

  private void step(JdbcSession session, Restored last) throws SQLException {
    long at = Values.micros(last.at());
    List<Long> messages = messages(session, at);
    if (!messages.isEmpty()) {
      hold(session, messages, at + last.held(), error("sent", last));
      session.update(COUNT_HELD, messages.size(), 0, at);
      return;
    }
    int inbound = holdInbound(session, at, error("handled", last), PAGE);
    if (inbound > 0) {
      session.update(COUNT_HELD, 0, inbound, at);
      return;
    }
    session.update(FINISH, at, countActive(session), at);
  }

  private List<Long> messages(JdbcSession session, long at) throws SQLException {
    List<Long> placed = placed(session, PAGE);
    return placed.isEmpty() ? loose(session, everything ? Long.MAX_VALUE : at, PAGE) : placed;
  }

  private static String error(String done, Restored last) {
    return "the store was restored from a backup of %s, and it may have been %s since"
        .formatted(last.takenAt(), done);
  }
}
