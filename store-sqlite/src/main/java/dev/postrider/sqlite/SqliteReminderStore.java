package dev.postrider.sqlite;

import dev.postrider.jdbc.SqlReminderStore;
import dev.postrider.jdbc.SqlStore;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.MessageId;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.reminder.ReminderWriter;
import dev.postrider.sqlite.reminder.RunWriter;
import dev.postrider.sqlite.sql.ReminderSql;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunReport;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reminders on one SQLite file. Thread-safe. */
final class SqliteReminderStore extends SqlReminderStore {
  private final StoreAccess access;
  private final Accounts accounts;
  private final ReminderWriter reminders;
  private final RunWriter runs;

  SqliteReminderStore(
      SqlStore<SqliteReader> store,
      StoreAccess access,
      Accounts accounts,
      ReminderWriter reminders,
      RunWriter runs) {
    super(store);
    this.access = access;
    this.accounts = accounts;
    this.reminders = reminders;
    this.runs = runs;
  }

  // ---- reminders

  @Override
  public CompletableFuture<Boolean> save(
      StoredReminder reminder, List<ReminderTarget> targets, @Nullable Long expected) {
    ReminderWriter.Encoded encoded =
        ReminderWriter.Encoded.of(reminder, targets, accounts.cipher());
    return access.write(() -> reminders.save(encoded, expected));
  }

  @Override
  public CompletableFuture<Boolean> delete(UUID id) {
    return access.write(() -> reminders.delete(id));
  }

  @Override
  public Set<String> known(String account, Collection<String> chats) {
    Integer number = accounts.id(account);
    return number == null
        ? Set.of()
        : access.read(session -> known(session, number, List.copyOf(chats)));
  }

  private static Set<String> known(JdbcSession session, int account, List<String> chats)
      throws SQLException {
    Set<String> known = new HashSet<>();
    for (String chat : chats) {
      Boolean found = session.one(ReminderSql.KNOWN, row -> row.getBoolean(1), account, chat);
      if (Boolean.TRUE.equals(found)) {
        known.add(chat);
      }
    }
    return known;
  }

  @Override
  public CompletableFuture<Optional<StoredRun>> fire(Firing firing) {
    return access.write(() -> Optional.ofNullable(reminders.fire(firing)));
  }

  // ---- runs

  @Override
  public CompletableFuture<Boolean> update(StoredRun run) {
    return access.write(() -> runs.update(run));
  }

  @Override
  public CompletableFuture<Begun> begin(
      RunTarget target, int sends, LocalDate day, @Nullable Integer ceiling, Instant now) {
    return access.write(() -> runs.begin(target, sends, day, ceiling, now));
  }

  @Override
  public CompletableFuture<Boolean> advance(RunTarget target, int step, List<MessageId> messages) {
    byte[] ids = TargetCodec.messages(messages);
    return access.write(() -> runs.advance(target, step, ids));
  }

  @Override
  public CompletableFuture<Boolean> settle(
      RunTarget target,
      TargetStatus status,
      int step,
      List<MessageId> messages,
      @Nullable String error,
      Instant now) {
    requireSettled(status);
    byte[] ids = TargetCodec.messages(messages);
    return access.write(() -> runs.settle(target, status, step, ids, error, now));
  }

  @Override
  public CompletableFuture<Integer> endPending(
      UUID run, int from, int to, TargetStatus status, String error, Instant now, int limit) {
    requireEnd(status);
    return access.write(() -> runs.endPending(run, from, to, status, error, now, limit));
  }

  @Override
  public CompletableFuture<Integer> reassign(UUID run, String from, String to, int limit) {
    return access.write(() -> runs.reassign(run, from, to, limit));
  }

  @Override
  public CompletableFuture<Integer> revive(UUID run, Set<TargetStatus> ended, int limit) {
    ended.forEach(SqlReminderStore::requireEnd);
    Set<TargetStatus> those = Set.copyOf(ended);
    return access.write(() -> runs.revive(run, those, limit));
  }

  @Override
  public CompletableFuture<Boolean> follow(
      RunTarget target, TargetStatus status, int step, @Nullable String error) {
    requireFollowed(target, status);
    return access.write(() -> runs.follow(target, status, step, error));
  }

  @Override
  public CompletableFuture<Void> followed(List<RunReport> reports) {
    List<RunReport> all = List.copyOf(reports);
    return access.write(
        () -> {
          runs.followed(all);
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> prune(Instant before, int limit) {
    return access.write(() -> runs.prune(before, limit));
  }
}
