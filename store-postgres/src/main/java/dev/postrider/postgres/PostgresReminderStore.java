package dev.postrider.postgres;

import dev.postrider.jdbc.SqlReminderStore;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.reminder.ReminderWriter;
import dev.postrider.postgres.reminder.RunWriter;
import dev.postrider.postgres.sql.ReminderSql;
import dev.postrider.postgres.write.RunWriteOp;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reminders in a PostgreSQL database. What is about all of a reminder's targets is written at
 * length, beside the committer's batches; what is about one target goes with them. Thread-safe.
 */
final class PostgresReminderStore extends SqlReminderStore {
  private static final int LARGEST_BATCH = 1_000;

  private final PostgresStore store;
  private final Accounts accounts;
  private final ReminderWriter reminders;
  private final RunWriter runs = new RunWriter();

  PostgresReminderStore(PostgresStore store, Accounts accounts, ReminderWriter reminders) {
    super(store);
    this.store = store;
    this.accounts = accounts;
    this.reminders = reminders;
  }

  // ---- reminders

  @Override
  public CompletableFuture<Boolean> save(
      StoredReminder reminder, List<ReminderTarget> targets, @Nullable Long expected) {
    ReminderWriter.Encoded encoded =
        ReminderWriter.Encoded.of(reminder, targets, accounts.cipher());
    return store.atLength(
        (session, arrays, _) -> reminders.save(session, arrays, encoded, expected));
  }

  @Override
  public CompletableFuture<Boolean> delete(UUID id) {
    return store.atLength((session, _, _) -> reminders.delete(session, id));
  }

  @Override
  public Set<String> known(String account, Collection<String> chats) {
    List<String> all = List.copyOf(chats);
    Set<String> known = new HashSet<>();
    for (int from = 0; from < all.size(); from += LARGEST_BATCH) {
      List<String> some = all.subList(from, Math.min(from + LARGEST_BATCH, all.size()));
      known.addAll(store.ask((session, arrays) -> known(session, arrays, account, some)));
    }
    return known;
  }

  private Set<String> known(
      JdbcSession session, BatchColumns arrays, String account, List<String> chats)
      throws SQLException {
    Integer number = accounts.id(account);
    if (number == null) {
      return Set.of();
    }
    Set<String> stored =
        new HashSet<>(
            session.all(
                ReminderSql.KNOWN,
                row -> row.getString(1),
                number,
                arrays.texts(chats, Rows::asStored)));
    return chats.stream()
        .filter(chat -> stored.contains(Rows.asStored(chat)))
        .collect(Collectors.toSet());
  }

  @Override
  public CompletableFuture<Optional<StoredRun>> fire(Firing firing) {
    return store.atLength((session, _, _) -> Optional.ofNullable(reminders.fire(session, firing)));
  }

  // ---- runs

  @Override
  public CompletableFuture<Boolean> update(StoredRun run) {
    return store.alone((session, _, _) -> runs.update(session, run));
  }

  @Override
  public CompletableFuture<Begun> begin(
      RunTarget target, int sends, LocalDate day, @Nullable Integer ceiling, Instant now) {
    return store.write(
        new RunWriteOp<>(
            target, day, session -> runs.begin(session, target, sends, day, ceiling, now)));
  }

  @Override
  public CompletableFuture<Boolean> advance(RunTarget target, int step, List<MessageId> messages) {
    byte[] ids = TargetCodec.messages(messages);
    return store.write(
        new RunWriteOp<>(target, null, session -> runs.advance(session, target, step, ids)));
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
    return store.write(
        new RunWriteOp<>(
            target, null, session -> runs.settle(session, target, status, step, ids, error, now)));
  }

  @Override
  public CompletableFuture<Integer> endPending(
      UUID run, int from, int to, TargetStatus status, String error, Instant now, int limit) {
    requireEnd(status);
    RunWriter.Places places = new RunWriter.Places(from, to);
    return store.alone(
        (session, arrays, _) ->
            runs.endPending(session, arrays, run, places, status, error, now, limit));
  }

  @Override
  public CompletableFuture<Integer> reassign(UUID run, String from, String to, int limit) {
    return store.alone((session, _, _) -> runs.reassign(session, accounts, run, from, to, limit));
  }

  @Override
  public CompletableFuture<Integer> revive(UUID run, Set<TargetStatus> ended, int limit) {
    ended.forEach(SqlReminderStore::requireEnd);
    Set<TargetStatus> those = Set.copyOf(ended);
    return store.alone((session, arrays, _) -> runs.revive(session, arrays, run, those, limit));
  }

  @Override
  public CompletableFuture<Boolean> follow(
      RunTarget target, TargetStatus status, int step, @Nullable String error) {
    requireFollowed(target, status);
    return store.write(
        new RunWriteOp<>(
            target, null, session -> runs.follow(session, target, status, step, error)));
  }

  @Override
  public CompletableFuture<Void> followed(List<RunReport> reports) {
    List<RunReport> all = List.copyOf(reports);
    return store.alone(
        (session, arrays, _) -> {
          runs.followed(session, arrays, all);
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> prune(Instant before, int limit) {
    return store.atLength((session, _, _) -> runs.prune(session, before, limit));
  }
}
