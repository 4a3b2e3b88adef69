package dev.postrider.sqlite.reminder;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.RunSql;
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

/**
 * Changes runs and their targets. To be called inside the committer's transaction; belongs to the
 * writer's thread.
 */
public final class RunWriter {
  /** Where a day ends last. */
  private static final ZoneOffset LAST = ZoneOffset.ofHours(-12);

  private final JdbcSession session;
  private final Accounts accounts;

  public RunWriter(JdbcSession session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  public boolean update(StoredRun run) throws SQLException {
    Long row =
        session.one(
            RunSql.UPDATE_RUN,
            updated -> updated.getLong(1),
            Values.status(run.status()),
            run.reason(),
            Values.nullableMicros(run.until()),
            run.summary(),
            Values.nullableMicros(run.startedAt()),
            Values.nullableMicros(run.endedAt()),
            Values.nullableMicros(run.resumedAt()),
            Rows.bytes(run.id()),
            run.version());
    if (row != null) {
      session.update(RunSql.SET_ACTIVE, run.status().ended() ? 0 : 1, row);
    }
    return row != null;
  }

  // ---- targets

  private record Pending(long run, int account) {}

  public Begun begin(
      RunTarget target, int sends, LocalDate day, @Nullable Integer ceiling, Instant now)
      throws SQLException {
    Pending pending =
        session.one(
            RunSql.PENDING_TARGET,
            row -> new Pending(row.getLong(1), row.getInt(2)),
            target.n(),
            Rows.bytes(target.run()),
            target.tries());
    if (pending == null) {
      return Begun.STALE;
    }
    if (ceiling != null && sentOn(day, pending.account) + sends > ceiling) {
      return Begun.FULL;
    }
    session.update(RunSql.COUNT_SENDS, day.toEpochDay(), pending.account, sends);
    session.update(RunSql.BEGIN_TARGET, Values.micros(now), pending.run, target.n());
    return Begun.YES;
  }

  private long sentOn(LocalDate day, int account) throws SQLException {
    Long sent = session.one(RunSql.SENT_ON, row -> row.getLong(1), day.toEpochDay(), account);
    return sent == null ? 0 : sent;
  }

  public boolean advance(RunTarget target, int step, byte @Nullable [] messages)
      throws SQLException {
    return session.update(
            RunSql.ADVANCE_TARGET,
            step,
            messages,
            Rows.bytes(target.run()),
            target.n(),
            target.tries())
        > 0;
  }

  /** What was counted for the day stays counted, also if not everything was sent. */
  public boolean settle(
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
            error,
            status.ended() ? Values.micros(now) : null,
            Rows.bytes(target.run()),
            target.n(),
            target.tries())
        > 0;
  }

  public int endPending(
      UUID run, int from, int to, TargetStatus status, String error, Instant now, int limit)
      throws SQLException {
    return session.update(
        RunSql.END_PENDING,
        Values.status(status),
        error,
        Values.micros(now),
        Rows.bytes(run),
        from,
        to,
        limit);
  }

  /** The contents of targets are bound to their accounts, so each is written anew. */
  public int reassign(UUID run, String from, String to, int limit) throws SQLException {
    int account = accounts.idOrNew(session, to);
    List<RunTarget> targets =
        new ReminderReader(new SqliteReader(session, accounts))
            .pending(run, from, 0, Integer.MAX_VALUE, limit);
    for (RunTarget target : targets) {
      ReminderTarget moved = target.target().by(to);
      session.update(
          RunSql.REASSIGN,
          account,
          TargetCodec.content(moved, moved.to(), accounts.cipher()),
          Rows.bytes(run),
          target.n());
    }
    session.update(RunSql.GIVE_ACCOUNT, account, Rows.bytes(run));
    return targets.size();
  }

  public int revive(UUID run, Set<TargetStatus> ended, int limit) throws SQLException {
    int revived = 0;
    for (TargetStatus status : ended) {
      revived +=
          session.update(RunSql.REVIVE, Rows.bytes(run), Values.status(status), limit - revived);
    }
    return revived;
  }

  // ---- what platforms say later

  public boolean follow(RunTarget target, TargetStatus status, int step, @Nullable String error)
      throws SQLException {
    return session.update(
            RunSql.FOLLOW_TARGET,
            Values.status(status),
            step,
            error,
            Rows.bytes(target.run()),
            target.n(),
            Values.status(target.status()),
            target.tries())
        > 0;
  }

  public void followed(List<RunReport> reports) throws SQLException {
    for (RunReport report : reports) {
      session.update(RunSql.RUN_FOLLOWED, report.row(), report.changes());
    }
  }

  // ---- retention

  /** Forgets targets, then runs that have none left; gives how many of both. */
  public int prune(Instant before, int limit) throws SQLException {
    int targets = session.update(RunSql.DELETE_OLD_TARGETS, Values.micros(before), limit);
    List<Long> runs =
        session.all(RunSql.OLD_RUNS, row -> row.getLong(1), Values.micros(before), limit - targets);
    for (Long run : runs) {
      session.update(RunSql.DELETE_ACCOUNTS, run);
      session.update(RunSql.DELETE_RUN, run);
    }
    session.update(RunSql.DELETE_DAYS, LocalDate.ofInstant(before, LAST).toEpochDay());
    return targets + runs.size();
  }
}
