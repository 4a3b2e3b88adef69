package dev.postrider.postgres.reminder;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.ReminderSql;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes reminders, and makes runs of them, each in a transaction of its own. The reminder's row is
 * its targets' lock: whoever changes them, or copies them to a run, holds it until the commit.
 */
public final class ReminderWriter {
  private static final int LARGEST_BATCH = 1_000;

  /** A reminder whose targets have their stored form. */
  public record Encoded(StoredReminder reminder, byte[] document, List<Target> targets) {
    public static Encoded of(
        StoredReminder reminder, List<ReminderTarget> targets, ContentCipher cipher) {
      return new Encoded(
          reminder,
          cipher.seal(
              Column.REMINDER, reminder.id(), reminder.document().getBytes(StandardCharsets.UTF_8)),
          targets.stream().map(target -> Target.of(target, cipher)).toList());
    }
  }

  public record Target(String account, String chat, byte @Nullable [] content) {
    static Target of(ReminderTarget target, ContentCipher cipher) {
      String chat = Rows.cleaned(target.to());
      return new Target(target.account(), chat, TargetCodec.content(target, chat, cipher));
    }
  }

  private final Accounts accounts;

  public ReminderWriter(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- reminders

  /** False if there is another version than the expected one. */
  public boolean save(
      JdbcSession session, BatchColumns arrays, Encoded encoded, @Nullable Long expected)
      throws SQLException {
    Long row = expected == null ? add(session, encoded) : replace(session, encoded, expected);
    if (row == null) {
      return false;
    }
    List<Target> targets = encoded.targets;
    for (int from = 0; from < targets.size(); from += LARGEST_BATCH) {
      int to = Math.min(from + LARGEST_BATCH, targets.size());
      addTargets(session, arrays, row, from, targets.subList(from, to));
    }
    return true;
  }

  private void addTargets(
      JdbcSession session, BatchColumns arrays, long row, int from, List<Target> targets)
      throws SQLException {
    List<Integer> owners = new ArrayList<>(targets.size());
    List<Integer> places = new ArrayList<>(targets.size());
    for (Target target : targets) {
      places.add(from + places.size());
      owners.add(accounts.idOrNew(target.account));
    }
    session.update(
        ReminderSql.ADD_TARGETS,
        arrays.longs(targets, _ -> row),
        arrays.ints(places, place -> place),
        arrays.ints(owners, owner -> owner),
        arrays.texts(targets, Target::chat),
        arrays.bytes(targets, Target::content));
  }

  private @Nullable Long add(JdbcSession session, Encoded encoded) throws SQLException {
    StoredReminder reminder = encoded.reminder;
    return session.one(
        ReminderSql.ADD_REMINDER,
        row -> row.getLong(1),
        reminder.id(),
        Rows.cleaned(reminder.name()),
        accounts.idOrNew(reminder.account()),
        Values.nullableMicros(reminder.nextFire()),
        encoded.targets.size(),
        reminder.version(),
        Values.micros(reminder.createdAt()),
        Values.micros(reminder.updatedAt()),
        encoded.document);
  }

  private @Nullable Long replace(JdbcSession session, Encoded encoded, long expected)
      throws SQLException {
    StoredReminder reminder = encoded.reminder;
    Long row =
        session.one(
            ReminderSql.REPLACE_REMINDER,
            replaced -> replaced.getLong(1),
            Rows.cleaned(reminder.name()),
            accounts.idOrNew(reminder.account()),
            Values.nullableMicros(reminder.nextFire()),
            encoded.targets.size(),
            Values.micros(reminder.updatedAt()),
            encoded.document,
            reminder.id(),
            expected);
    if (row != null) {
      session.update(ReminderSql.DELETE_TARGETS, row);
    }
    return row;
  }

  public boolean delete(JdbcSession session, UUID id) throws SQLException {
    Long row = session.one(ReminderSql.DELETE_REMINDER, deleted -> deleted.getLong(1), id);
    if (row != null) {
      session.update(ReminderSql.DELETE_TARGETS, row);
    }
    return row != null;
  }

  // ---- firing

  /** A run with its row. */
  private record Fired(StoredRun run, long row) {}

  /** Null if the reminder is not there as it was read, or has a run for this instant. */
  public @Nullable StoredRun fire(JdbcSession session, Firing firing) throws SQLException {
    StoredReminder read = firing.reminder();
    Long reminder =
        session.one(RunSql.LOCK_REMINDER, row -> row.getLong(1), read.id(), read.version());
    Fired fired = reminder == null ? null : add(session, firing, reminder);
    if (reminder == null || fired == null) {
      return null;
    }
    if (firing.scheduled()) {
      session.update(RunSql.FIRES_NEXT, Values.nullableMicros(firing.nextFire()), reminder);
    }
    if (firing.missed() == null) {
      session.update(RunSql.FIRE_AT_TARGETS, fired.row, reminder);
      session.update(RunSql.ADD_ACCOUNTS, fired.row);
      if (fired.run.total() == 0) {
        int account = accounts.idOrNew(fired.run.account());
        session.update(RunSql.ADD_ACCOUNT, fired.row, account, true);
      }
    }
    return fired.run;
  }

  private @Nullable Fired add(JdbcSession session, Firing firing, long reminder)
      throws SQLException {
    ReminderReader rows = new ReminderReader(new PostgresReader(session, accounts));
    RunStatus status = firing.missed() == null ? RunStatus.WAITING : RunStatus.FAILED;
    return session.one(
        RunSql.FIRE,
        row -> new Fired(rows.run(row), row.getLong(ReminderReader.RUN_WIDTH + 1)),
        reminder,
        firing.run(),
        Values.micros(firing.instant()),
        Values.status(status),
        Rows.clean(firing.missed()),
        Values.micros(firing.now()),
        firing.alone());
  }
}
