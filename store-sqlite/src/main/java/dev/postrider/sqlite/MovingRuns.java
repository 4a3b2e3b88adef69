package dev.postrider.sqlite;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.reminder.ReminderWriter;
import dev.postrider.sqlite.sql.ReminderSql;
import dev.postrider.sqlite.sql.RunSql;
import dev.postrider.store.Transfer.Day;
import dev.postrider.store.Transfer.Reminder;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about reminders and runs. */
final class MovingRuns {
  private static final byte[] FIRST = new byte[0];

  private final JdbcSession writer;
  private final Accounts accounts;
  private final ReminderWriter reminders;
  private final StoreAccess access;

  MovingRuns(JdbcSession writer, Accounts accounts, ReminderWriter reminders, StoreAccess access) {
    this.writer = writer;
    this.accounts = accounts;
    this.reminders = reminders;
    this.access = access;
  }

  private ReminderReader rows(JdbcSession session) {
    return new ReminderReader(new SqliteReader(session, accounts));
  }

  // ---- out

  List<Reminder> reminders(@Nullable UUID after, int limit) {
    return access.read(
        session -> {
          ReminderReader rows = rows(session);
          List<Reminder> whole = new ArrayList<>();
          for (StoredReminder one :
              session.all(ReminderSql.CARRY_REMINDERS, rows::reminder, key(after), limit)) {
            whole.add(new Reminder(one, rows.targets(one.id(), 0, one.targets())));
          }
          return whole;
        });
  }

  private static byte[] key(@Nullable UUID after) {
    return after == null ? FIRST : Rows.bytes(after);
  }

  List<StoredRun> runs(@Nullable UUID after, int limit) {
    return access.read(
        session -> session.all(RunSql.CARRY_RUNS, rows(session)::run, key(after), limit));
  }

  List<RunTarget> targets(UUID run, int from, int limit) {
    return access.read(session -> rows(session).targetsOfRun(run, from, limit));
  }

  List<Day> days() {
    return access.read(session -> session.all(RunSql.CARRY_DAYS, this::day));
  }

  private Day day(ResultSet row) throws SQLException {
    return new Day(
        accounts.name(row.getInt(1)), LocalDate.ofEpochDay(row.getLong(2)), row.getInt(3));
  }

  // ---- in

  void add(Reminder reminder) {
    ReminderWriter.Encoded encoded =
        ReminderWriter.Encoded.of(reminder.reminder(), reminder.targets(), accounts.cipher());
    access.await(access.write(() -> reminders.save(encoded, null)));
  }

  void add(StoredRun run) {
    access.await(access.write(() -> addRun(run)));
  }

  private boolean addRun(StoredRun run) throws SQLException {
    int account = accounts.idOrNew(writer, run.account());
    Long row =
        writer.one(
            RunSql.ADD_CARRIED_RUN,
            added -> added.getLong(1),
            Rows.bytes(run.id()),
            Rows.bytes(run.reminder()),
            run.name(),
            Values.micros(run.instant()),
            account,
            Values.status(run.status()),
            run.reason(),
            Values.nullableMicros(run.until()),
            accounts
                .cipher()
                .seal(
                    Column.REMINDER,
                    run.reminder(),
                    run.document().getBytes(StandardCharsets.UTF_8)),
            run.total(),
            run.summary(),
            Values.micros(run.createdAt()),
            Values.nullableMicros(run.startedAt()),
            Values.nullableMicros(run.endedAt()),
            run.version());
    if (row != null && run.total() == 0) {
      writer.update(RunSql.ADD_ACCOUNT, row, account, run.status().ended() ? 0 : 1);
    }
    return row != null;
  }

  void addTargets(List<RunTarget> targets) {
    access.await(
        access.write(
            () -> {
              for (RunTarget target : targets) {
                add(target);
              }
              return null;
            }));
  }

  private record Run(long row, boolean active) {}

  private void add(RunTarget target) throws SQLException {
    Run run =
        writer.one(
            RunSql.RUN_STANDS,
            row -> new Run(row.getLong(1), !Values.runStatus(row.getInt(2)).ended()),
            (Object) Rows.bytes(target.run()));
    if (run == null) {
      return; // there is another one for its instant
    }
    int account = accounts.idOrNew(writer, target.target().account());
    writer.update(
        RunSql.ADD_CARRIED_TARGET,
        run.row,
        target.n(),
        account,
        target.target().to(),
        TargetCodec.content(target.target(), target.target().to(), accounts.cipher()),
        Values.status(target.status()),
        target.step(),
        target.tries(),
        TargetCodec.messages(target.messages()),
        target.error(),
        Values.nullableMicros(target.beganAt()),
        Values.nullableMicros(target.endedAt()));
    writer.update(RunSql.ADD_ACCOUNT, run.row, account, run.active ? 1 : 0);
  }

  void addDays(List<Day> days) {
    access.await(
        access.write(
            () -> {
              for (Day day : days) {
                writer.update(
                    RunSql.ADD_CARRIED_DAY,
                    day.day().toEpochDay(),
                    accounts.idOrNew(writer, day.account()),
                    day.sent());
              }
              return null;
            }));
  }
}
