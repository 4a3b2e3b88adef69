package dev.postrider.postgres.connection;

import dev.postrider.store.failure.StoreUnavailable;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells a database that cannot write from a write that is wrong, and says it in a sentence. */
public final class PgErrors {
  /** Whatever keeps a connection from being made keeps every write, not one, from being made. */
  public static final String NOT_LET_IN = "08004";

  /**
   * Deadlock, serialization failure, lock not to be had, cancelled by somebody or by a time limit,
   * a plan that was overtaken by a change of the schema, an internal error, an idempotency key that
   * another node took at the same moment: the same again may succeed.
   */
  private static final Set<String> PASSING =
      Set.of("40P01", "40001", "55P03", "57014", "0A000", "XX000", "23505");

  private PgErrors() {}

  /** What keeps the database from writing, or null if the write itself is at fault. */
  static @Nullable public StoreUnavailable unavailable(Throwable e) {
    if (!(e instanceof SQLException sql)) {
      return null;
    }
    String state = String.valueOf(sql.getSQLState());
    String reason;
    if (state.equals(NOT_LET_IN)) {
      reason = "the database lets no connection come about: " + sql.getMessage();
    } else if (connectionLost(sql)) {
      reason = "the database cannot be reached";
    } else {
      reason =
          switch (state) {
            case "53100" -> "the database's disk is full";
            case "53200" -> "the database is out of memory";
            case "53300" -> "the database has no connection left";
            case "25006" -> "the database is read-only: a standby, or one that was switched over";
            default ->
                state.startsWith("58") || state.startsWith("53")
                    ? "the database has a problem of its own (" + state + ")"
                    : null;
          };
    }
    return reason == null ? null : new StoreUnavailable(reason, sql);
  }

  /** What to tell whoever does not care for the kind of failure. */
  public static StoreUnavailable failure(SQLException e) {
    StoreUnavailable known = unavailable(e);
    return known == null
        ? new StoreUnavailable("the database refused: " + e.getMessage(), e)
        : known;
  }

  /** Whether the connection is gone, or as good as gone. */
  public static boolean connectionLost(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("25P03") // ended by the database, since this process was away in the middle
        || e.getCause() instanceof IOException
        || (e.getSQLState() == null && e instanceof java.sql.SQLTransientException);
  }

  /** A lock was not to be had in time: to wait for it once more would hold everybody up. */
  public static boolean lockHeld(Throwable e) {
    return e instanceof SQLException sql && "55P03".equals(sql.getSQLState());
  }

  /** Whether somebody at the database, or a time limit there, ended the statement. */
  private static boolean cancelled(Throwable e) {
    return e instanceof SQLException sql && "57014".equals(sql.getSQLState());
  }

  /** A fresh connection may do better: it makes its plans anew. */
  public static boolean connectionSpoiled(Throwable e) {
    return e instanceof SQLException sql
        && (String.valueOf(sql.getSQLState()).startsWith("0A")
            || String.valueOf(sql.getSQLState()).startsWith("XX"));
  }

  /** Says what keeps a single write from passing, time and again, unless it is the write itself. */
  public static void giveUp(Exception e) throws SQLException {
    if (cancelled(e)) {
      throw new SQLTimeoutException(
          "the database cancels what it is asked: its statement_timeout is too short, or somebody"
              + " there does it",
          "57014",
          e);
    }
    if (!connectionSpoiled(e)) {
      throw new StoreUnavailable("another transaction is in the way, and does not end", e);
    }
  }

  public static boolean passing(Throwable e) {
    return e instanceof Collision
        || (e instanceof SQLException sql && PASSING.contains(String.valueOf(sql.getSQLState())));
  }

  /** Somebody else has changed what this builds on since we looked. */
  public static final class Collision extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Collision() {
      this("an idempotency key was taken by another node at the same moment");
    }

    public Collision(String what) {
      super(what);
    }
  }
}
