package dev.postrider.sqlite.reminder;

import dev.postrider.jdbc.ReminderReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.ReminderSql;
import dev.postrider.sqlite.sql.RunSql;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes reminders, and makes runs of them. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
public final class ReminderWriter {
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
      String chat = target.to();
      return new Target(target.account(), chat, TargetCodec.content(target, chat, cipher));
    }
  }

  private final JdbcSession session;
  private final Accounts accounts;

  public ReminderWriter(JdbcSession session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  // ---- reminders

  /** False if there is another version than the expected one. */
  public boolean save(Encoded encoded, @Nullable Long expected) throws SQLException {
    Long row = expected == null ? add(encoded) : replace(encoded, expected);
    if (row == null) {
      return false;
    }
    session.updateAll(
        ReminderSql.ADD_TARGET,
        encoded.targets,
        (n, target) ->
            new @Nullable Object[] {
              row, n, accounts.idOrNew(session, target.account), target.chat, target.content
            });
    return true;
  }

  private @Nullable Long add(Encoded encoded) throws SQLException {
    StoredReminder reminder = encoded.reminder;
    return session.one(
        ReminderSql.ADD_REMINDER,
        row -> row.getLong(1),
        Rows.bytes(reminder.id()),
        reminder.name(),
        accounts.idOrNew(session, reminder.account()),
        Values.nullableMicros(reminder.nextFire()),
        encoded.targets.size(),
        reminder.version(),
        Values.micros(reminder.createdAt()),
        Values.micros(reminder.updatedAt()),
        encoded.document);
  }

  private @Nullable Long replace(Encoded encoded, long expected) throws SQLException {
    StoredReminder reminder = encoded.reminder;
    Long row =
        session.one(
            ReminderSql.REPLACE_REMINDER,
            replaced -> replaced.getLong(1),
            reminder.name(),
            accounts.idOrNew(session, reminder.account()),
            Values.nullableMicros(reminder.nextFire()),
            encoded.targets.size(),
            Values.micros(reminder.updatedAt()),
            encoded.document,
            Rows.bytes(reminder.id()),
            expected);
    if (row != null) {
      session.update(ReminderSql.DELETE_TARGETS, row);
    }
    return row;
  }

  public boolean delete(UUID id) throws SQLException {
    Long row =
        session.one(
            ReminderSql.DELETE_REMINDER, deleted -> deleted.getLong(1), (Object) Rows.bytes(id));
    if (row != null) {
      session.update(ReminderSql.DELETE_TARGETS, row);
    }
    return row != null;
  }

  // ---- firing

  /** A run with its row. */
  private record Fired(StoredRun run, long row) {}

  /** Null if the reminder is not there as it was read, or has a run for this instant. */
  public @Nullable StoredRun fire(Firing firing) throws SQLException {
    byte[] reminder = Rows.bytes(firing.reminder().id());
    Fired fired = add(firing, reminder);
    if (fired == null) {
      return null;
    }
    if (firing.scheduled()) {
      session.update(RunSql.FIRES_NEXT, Values.nullableMicros(firing.nextFire()), reminder);
    }
    if (firing.missed() == null) {
      session.update(RunSql.FIRE_AT_TARGETS, fired.row, reminder);
      session.update(RunSql.ADD_ACCOUNTS, fired.row);
      if (fired.run.total() == 0) {
        int account = accounts.idOrNew(session, fired.run.account());
        session.update(RunSql.ADD_ACCOUNT, fired.row, account, 1);
      }
    }
    return fired.run;
  }

  private @Nullable Fired add(Firing firing, byte[] reminder) throws SQLException {
    ReminderReader rows = new ReminderReader(new SqliteReader(session, accounts));
    RunStatus status = firing.missed() == null ? RunStatus.WAITING : RunStatus.FAILED;
    return session.one(
        RunSql.FIRE,
        row -> new Fired(rows.run(row), row.getLong(ReminderReader.RUN_WIDTH + 1)),
        Rows.bytes(firing.run()),
        Values.micros(firing.instant()),
        Values.status(status),
        firing.missed(),
        Values.micros(firing.now()),
        reminder,
        firing.reminder().version(),
        firing.alone() ? 1 : 0);
  }
}
