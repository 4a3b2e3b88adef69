package dev.postrider.postgres.reminder;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes runs and their targets. */
public final class RunWriter {
  /** Where a day ends last. */
  private static final ZoneOffset LAST = ZoneOffset.ofHours(-12);

  private static final int PENDING = Values.status(TargetStatus.PENDING);
  private static final int SENDING = Values.status(TargetStatus.SENDING);

  public boolean update(JdbcSession session, StoredRun run) throws SQLException {
    Long row =
        session.one(
            RunSql.UPDATE_RUN,
            updated -> updated.getLong(1),
            Values.status(run.status()),
            Rows.clean(run.reason()),
            Values.nullableMicros(run.until()),
            Rows.clean(run.summary()),
            Values.nullableMicros(run.startedAt()),
            Values.nullableMicros(run.endedAt()),
            Values.nullableMicros(run.resumedAt()),
            run.id(),
            run.version());
    if (row != null) {
      session.update(RunSql.SET_ACTIVE, !run.status().ended(), row);
    }
    return row != null;
  }

  // ---- targets

  private record Pending(long run, int account) {}

  public Begun begin(
      JdbcSession session,
      RunTarget target,
      int sends,
      LocalDate day,
      @Nullable Integer ceiling,
      Instant now)
      throws SQLException {
    Pending pending =
        session.one(
            RunSql.LOCK_TARGET,
            row -> new Pending(row.getLong(1), row.getInt(2)),
            target.run(),
            target.n(),
            PENDING,
            target.tries());
    if (pending == null) {
      return Begun.STALE;
    }
    long most = ceiling == null ? Long.MAX_VALUE : ceiling;
    int counted =
        session.update(RunSql.COUNT_SENDS, day.toEpochDay(), pending.account, sends, most);
    if (counted == 0) {
      return Begun.FULL;
    }
    session.update(RunSql.BEGIN_TARGET, Values.micros(now), pending.run, target.n());
    return Begun.YES;
  }

  public boolean advance(
      JdbcSession session, RunTarget target, int step, byte @Nullable [] messages)
      throws SQLException {
    return session.update(
            RunSql.ADVANCE_TARGET,
            step,
            messages,
            target.run(),
            target.n(),
            SENDING,
            target.tries())
        > 0;
  }

  /** What was counted for the day stays counted, also if not everything was sent. */
  public boolean settle(
      JdbcSession session,
      RunTarget target,
      TargetStatus status,
      int step,
      byte @Nullable [] messages,
      @Nullable String error,
      Instant now)
      throws SQLException {
    return session.update(
            RunSql.SETTLE_TARGET,
            Values.status(status),
            step,
            messages,
            Rows.clean(error),
            status.ended() ? Values.micros(now) : null,
            target.run(),
            target.n(),
            SENDING,
            target.tries())
        > 0;
  }

  // ---- what platforms say later

  public boolean follow(
      JdbcSession session, RunTarget target, TargetStatus status, int step, @Nullable String error)
      throws SQLException {
    return session.update(
            RunSql.FOLLOW_TARGET,
            Values.status(status),
            step,
            Rows.clean(error),
            target.run(),
            target.n(),
            Values.status(target.status()),
            target.tries())
        > 0;
  }

  public void followed(JdbcSession session, BatchColumns arrays, List<RunReport> reports)
      throws SQLException {
    session.update(
        RunSql.RUN_FOLLOWED,
        arrays.longs(reports, RunReport::row),
        arrays.longs(reports, RunReport::changes));
  }

  // ---- many targets

  public int endPending(
      JdbcSession session,
      BatchColumns arrays,
      UUID run,
      Places places,
      TargetStatus status,
      String error,
      Instant now,
      int limit)
      throws SQLException {
    int ended = 0;
    do {
      List<Place> some = lock(session, run, PENDING, places, limit - ended);
      ended += set(session, arrays, some, status, error, now);
    } while (ended < limit && any(session, run, places));
    return ended;
  }

  /** The contents of targets are bound to their accounts, so each is written anew. */
  public int reassign(
      JdbcSession session, Accounts accounts, UUID run, String from, String to, int limit)
      throws SQLException {
    int account = accounts.idOrNew(to);
    List<RunTarget> targets =
        new ReminderReader(new PostgresReader(session, accounts))
            .pending(run, from, 0, Integer.MAX_VALUE, limit);
    for (RunTarget target : targets) {
      ReminderTarget moved = target.target().by(to);
      byte[] content = TargetCodec.content(moved, moved.to(), accounts.cipher());
      session.update(RunSql.REASSIGN, account, content, run, target.n(), target.tries(), PENDING);
    }
    session.update(RunSql.GIVE_ACCOUNT, account, run);
    return targets.size();
  }

  /** Places of targets, from one to before another. */
  public record Places(int from, int to) {
    static final Places ALL = new Places(0, Integer.MAX_VALUE);
  }

  /** Whether there are any still: those that were waited for may have been begun meanwhile. */
  private static boolean any(JdbcSession session, UUID run, Places places) throws SQLException {
    return session.one(
            RunSql.ANY_TARGET, row -> row.getInt(1), run, PENDING, places.from, places.to)
        != null;
  }

  public int revive(
      JdbcSession session, BatchColumns arrays, UUID run, Set<TargetStatus> ended, int limit)
      throws SQLException {
    int revived = 0;
    for (TargetStatus status : ended) {
      List<Place> places = lock(session, run, Values.status(status), Places.ALL, limit - revived);
      revived += set(session, arrays, places, TargetStatus.PENDING, null, null);
    }
    return revived;
  }

  /** Where a target stands. */
  private record Place(long run, int n) {}

  private static List<Place> lock(
      JdbcSession session, UUID run, int status, Places places, int limit) throws SQLException {
    return session.all(
        RunSql.LOCK_TARGETS,
        row -> new Place(row.getLong(1), row.getInt(2)),
        run,
        status,
        places.from,
        places.to,
        limit);
  }

  private static int set(
      JdbcSession session,
      BatchColumns arrays,
      List<Place> places,
      TargetStatus status,
      @Nullable String error,
      @Nullable Instant at)
      throws SQLException {
    return places.isEmpty()
        ? 0
        : session.update(
            RunSql.SET_TARGETS,
            Values.status(status),
            Rows.clean(error),
            Values.nullableMicros(at),
            places.getFirst().run,
            arrays.ints(places, Place::n));
  }

  // ---- retention

  /** Forgets targets, and runs that have none left; gives how many of both. */
  public int prune(JdbcSession session, Instant before, int limit) throws SQLException {
    List<Long> old =
        session.all(RunSql.OLD_RUNS, row -> row.getLong(1), Values.micros(before), limit);
    int left = limit;
    for (Long run : old) {
      left -= session.update(RunSql.DELETE_OLD_TARGETS, run, run, left);
      if (left == 0) {
        break;
      }
      session.update(RunSql.DELETE_ACCOUNTS, run);
      left -= session.update(RunSql.DELETE_RUN, run);
    }
    session.update(RunSql.DELETE_DAYS, LocalDate.ofInstant(before, LAST).toEpochDay());
    return limit - left;
  }
}
