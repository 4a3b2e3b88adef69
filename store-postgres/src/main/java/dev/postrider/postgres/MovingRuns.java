package dev.postrider.postgres;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.reminder.ReminderWriter;
import dev.postrider.postgres.sql.ReminderSql;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.store.Transfer.Day;
import dev.postrider.store.Transfer.Reminder;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about reminders and runs. */
final class MovingRuns {
  private static final UUID FIRST = new UUID(0, 0);

  private final Accounts accounts;
  private final ReminderWriter reminders;

  MovingRuns(Accounts accounts, ReminderWriter reminders) {
    this.accounts = accounts;
    this.reminders = reminders;
  }

  private ReminderReader rows(JdbcSession session) {
    return new ReminderReader(new PostgresReader(session, accounts));
  }

  // ---- out

  List<Reminder> reminders(JdbcSession session, @Nullable UUID after, int limit)
      throws SQLException {
    ReminderReader rows = rows(session);
    List<Reminder> whole = new ArrayList<>();
    for (StoredReminder one :
        session.all(
            ReminderSql.CARRY_REMINDERS, rows::reminder, after == null ? FIRST : after, limit)) {
      whole.add(new Reminder(one, rows.targets(one.id(), 0, one.targets())));
    }
    return whole;
  }

  List<StoredRun> runs(JdbcSession session, @Nullable UUID after, int limit) throws SQLException {
    return session.all(RunSql.CARRY_RUNS, rows(session)::run, after == null ? FIRST : after, limit);
  }

  List<RunTarget> targets(JdbcSession session, UUID run, int from, int limit) throws SQLException {
    return rows(session).targetsOfRun(run, from, limit);
  }

  List<Day> days(JdbcSession session) throws SQLException {
    return session.all(RunSql.CARRY_DAYS, this::day);
  }

  private Day day(ResultSet row) throws SQLException {
    return new Day(
        accounts.name(row.getInt(1)), LocalDate.ofEpochDay(row.getLong(2)), row.getInt(3));
  }

  // ---- in

  boolean add(JdbcSession session, BatchColumns arrays, Reminder reminder) throws SQLException {
    ReminderWriter.Encoded encoded =
        ReminderWriter.Encoded.of(reminder.reminder(), reminder.targets(), accounts.cipher());
    return reminders.save(session, arrays, encoded, null);
  }

  boolean add(JdbcSession session, StoredRun run) throws SQLException {
    int account = accounts.idOrNew(run.account());
    Long row =
        session.one(
            RunSql.CARRY_RUN_IN,
            added -> added.getLong(1),
            run.id(),
            run.reminder(),
            Rows.cleaned(run.name()),
            Values.micros(run.instant()),
            account,
            Values.status(run.status()),
            Rows.clean(run.reason()),
            Values.nullableMicros(run.until()),
            accounts
                .cipher()
                .seal(
                    Column.REMINDER,
                    run.reminder(),
                    run.document().getBytes(StandardCharsets.UTF_8)),
            run.total(),
            Rows.clean(run.summary()),
            Values.micros(run.createdAt()),
            Values.nullableMicros(run.startedAt()),
            Values.nullableMicros(run.endedAt()),
            run.version());
    if (row != null && run.total() == 0) {
      session.update(RunSql.ADD_ACCOUNT, row, account, !run.status().ended());
    }
    return row != null;
  }

  /** A run that is there. */
  private record Run(long row, boolean active) {}

  /** A target with its run, and its account's number. */
  private record Line(Run run, int account, RunTarget of) {}

  /** Those whose run is not there stay behind: there is another one for its instant. */
  int addTargets(JdbcSession session, BatchColumns arrays, List<RunTarget> targets)
      throws SQLException {
    Map<UUID, Optional<Run>> known = new HashMap<>();
    List<Line> lines = new ArrayList<>(targets.size());
    for (RunTarget target : targets) {
      if (!known.containsKey(target.run())) {
        known.put(target.run(), find(session, target.run()));
      }
      Run run = known.getOrDefault(target.run(), Optional.empty()).orElse(null);
      if (run != null) {
        lines.add(new Line(run, accounts.idOrNew(target.target().account()), target));
      }
    }
    return add(session, arrays, lines);
  }

  private static Optional<Run> find(JdbcSession session, UUID run) throws SQLException {
    return Optional.ofNullable(
        session.one(
            RunSql.RUN_STANDS,
            row -> new Run(row.getLong(1), !Values.runStatus(row.getInt(2)).ended()),
            run));
  }

  private byte @Nullable [] content(Line line) {
    ReminderTarget target = line.of.target();
    return TargetCodec.content(target, Rows.cleaned(target.to()), accounts.cipher());
  }

  private int add(JdbcSession session, BatchColumns arrays, List<Line> lines) throws SQLException {
    session.update(
        RunSql.CARRY_ACCOUNTS_IN,
        arrays.longs(lines, line -> line.run.row),
        arrays.ints(lines, Line::account),
        arrays.flags(lines, line -> line.run.active));
    return session.update(
        RunSql.CARRY_TARGETS_IN,
        arrays.longs(lines, line -> line.run.row),
        arrays.ints(lines, line -> line.of.n()),
        arrays.ints(lines, Line::account),
        arrays.texts(lines, line -> Rows.cleaned(line.of.target().to())),
        arrays.bytes(lines, this::content),
        arrays.ints(lines, line -> Values.status(line.of.status())),
        arrays.ints(lines, line -> line.of.step()),
        arrays.ints(lines, line -> line.of.tries()),
        arrays.bytes(lines, line -> TargetCodec.messages(line.of.messages())),
        arrays.texts(lines, line -> Rows.clean(line.of.error())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.of.beganAt())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.of.endedAt())));
  }

  int addDays(JdbcSession session, BatchColumns arrays, List<Day> days) throws SQLException {
    List<Integer> owners = new ArrayList<>(days.size());
    for (Day day : days) {
      owners.add(accounts.idOrNew(day.account()));
    }
    return session.update(
        RunSql.CARRY_DAYS_IN,
        arrays.ints(days, day -> (int) day.day().toEpochDay()),
        arrays.ints(owners, owner -> owner),
        arrays.ints(days, Day::sent));
  }
}
