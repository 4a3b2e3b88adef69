package dev.postrider.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.SqlStore;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.Committer;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.jdbc.session.Values;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Progress;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.cluster.ClusterMembers;
import dev.postrider.postgres.cluster.NotifyListener;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.inbound.InboundWriter;
import dev.postrider.postgres.media.BlobGc;
import dev.postrider.postgres.media.PieceBlobs;
import dev.postrider.postgres.message.MemoryWriter;
import dev.postrider.postgres.message.MessageWriter;
import dev.postrider.postgres.message.TransactionalAccept;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.reminder.ReminderWriter;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.MemorySql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.RestoreSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.CommitListener;
import dev.postrider.store.PruneResult;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Reencryption;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.Retention;
import dev.postrider.store.StoreExport;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.cluster.Takeover;
import dev.postrider.store.failure.StandDown;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.time.Scheduler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The store on a PostgreSQL database. Writes go through the {@link Committer}, reads and signs of
 * life through a pool beside it. Thread-safe.
 */
final class PostgresStore extends SqlStore<PostgresReader> implements Cluster {
  private final String node;
  private final Duration leaseLength;
  private final HikariDataSource pool;
  private final Accounts accounts;
  private final ClusterMembers members;
  private final MessageWriter writer;
  private final InboundWriter inboundWriter;
  private final PostgresInboundStore inboundStore;
  private final TransactionalAccept joining;
  private final WriteTransactions transactions;
  private final Committer<WriteOp<?>> committer;
  private final WriteTransactions longTransactions;
  private final Committer<WriteOp<?>> longCommitter;
  private final ReminderWriter reminderWriter;
  private final PostgresReminderStore reminders;
  private final PieceBlobs blobs;
  private final BlobGc sweeping;
  private final Workers workers;
  private final @Nullable NotifyListener notifyListener;
  private volatile @Nullable Listener listener;
  private volatile boolean closed;

  /** What a store is put together from. */
  record Parts(
      String node,
      Duration leaseLength,
      HikariDataSource pool,
      Accounts accounts,
      ClusterMembers members,
      String schema,
      String channel,
      UUID instance,
      Database database,
      Workers workers,
      Scheduler time,
      Migrations migrations,
      @Nullable NotifyListener notifyListener) {}

  PostgresStore(Parts parts) {
    super(parts.time);
    node = parts.node;
    leaseLength = parts.leaseLength;
    pool = parts.pool;
    accounts = parts.accounts;
    members = parts.members;
    workers = parts.workers;
    notifyListener = parts.notifyListener;
    writer = new MessageWriter(accounts);
    inboundWriter = new InboundWriter(accounts);
    blobs = new PieceBlobs(pool, accounts.cipher());
    sweeping = new BlobGc(pool);
    joining = new TransactionalAccept(accounts, parts.schema, parts.channel, node);
    transactions =
        new WriteTransactions(
            parts.database,
            accounts,
            node,
            Database.name(parts.instance, "writer", node),
            parts.instance.toString(),
            parts.channel,
            time,
            parts.migrations,
            account -> tellArrived(account));
    committer = new Committer<>(transactions, workers.writer(), workers.completer());
    inboundStore = new PostgresInboundStore(this, inboundWriter);
    longTransactions =
        new WriteTransactions(
            parts.database,
            accounts,
            node,
            Database.name(parts.instance, "writer at length", node),
            parts.instance + " at length",
            parts.channel,
            time,
            parts.migrations,
            _ -> {});
    longCommitter = new Committer<>(longTransactions, workers.readers(), Runnable::run);
    reminderWriter = new ReminderWriter(accounts);
    reminders = new PostgresReminderStore(this, accounts, reminderWriter);
  }

  @Override
  public boolean durable() {
    return true;
  }

  @Override
  public Optional<Cluster> cluster() {
    return Optional.of(this);
  }

  // ---- writes

  <T> CompletableFuture<T> write(WriteOp<T> op) {
    committer.submit(op);
    return op.future();
  }

  <T> CompletableFuture<T> alone(WriteOp.Alone.Work<T> work) {
    return write(new WriteOp.Alone<>(work));
  }

  /** A write that takes a while: no other waits for it, but those that take a while themselves. */
  <T> CompletableFuture<T> atLength(WriteOp.Alone.Work<T> work) {
    WriteOp<T> op = new WriteOp.Alone<>(work);
    longCommitter.submit(op);
    return op.future();
  }

  ContentCipher cipher() {
    return accounts.cipher();
  }

  @Override
  public CompletableFuture<AcceptResult> accept(NewMessage message) {
    return StoreFailures.prepared(
        "accept", () -> write(new WriteOp.Accept(message, accounts.cipher())));
  }

  @Override
  public CompletableFuture<Optional<StoredMessage>> reserve(long row, Reservation reservation) {
    return StoreFailures.decoded(
        "reserve",
        write(new WriteOp.Reserve(row, reservation)),
        found -> found.map(RawMessage::decode));
  }

  @Override
  public CompletableFuture<Boolean> progress(
      StoredMessage message,
      Lease lease,
      Progress progress,
      @Nullable HistoryEntry history,
      List<Remembered> memory) {
    return StoreFailures.prepared(
        "progress",
        () ->
            write(
                new WriteOp.Advance(
                    message,
                    lease,
                    progress,
                    history,
                    MemoryRow.of(lease.account(), memory, accounts.cipher()))));
  }

  @Override
  public CompletableFuture<SettleResult> settle(Settlement settlement) {
    return StoreFailures.prepared(
        "settle",
        () ->
            StoreFailures.decoded(
                "settle",
                write(new WriteOp.Settle(settlement, accounts.cipher())),
                WriteOp.Written::decode));
  }

  @Override
  public CompletableFuture<Optional<Head>> enter(String account, long row, Instant now) {
    return write(new WriteOp.Enter(account, row, now));
  }

  @Override
  public CompletableFuture<Integer> takeIn(Lease lease, Instant now, int limit) {
    return write(new WriteOp.TakeIn(lease, now, limit));
  }

  @Override
  public CompletableFuture<Optional<Integer>> moveLane(
      Lease lease, String from, String to, SessionKey sessionKey, Instant now) {
    return write(new WriteOp.MoveLane(lease, from, to, sessionKey, now));
  }

  @Override
  public CompletableFuture<List<ReceiveResult>> receive(
      String account,
      List<NewInbound> events,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> aliases,
      SessionKey sessionKey) {
    return StoreFailures.prepared(
        "receive",
        () ->
            write(
                new WriteOp.Receive(
                    account, events, cursor, memory, aliases, sessionKey, accounts.cipher())));
  }

  @Override
  public CompletableFuture<Boolean> remember(
      String account, @Nullable String expected, Remembered by, Instant now) {
    return alone(
        (session, columns, _) ->
            new MemoryWriter(session, columns, accounts).replace(account, expected, by, now));
  }

  @Override
  public CompletableFuture<Integer> pruneMemory(Instant now, int limit) {
    return change(MemorySql.PRUNE_MEMORY, Values.micros(now), limit);
  }

  @Override
  public CompletableFuture<Void> notToRetry(StoredMessage message) {
    return alone(
        (session, _, _) -> {
          session.update(InboundSql.DELETE_RETRY, message.row());
          return null;
        });
  }

  @Override
  public CompletableFuture<List<ReportResult>> report(
      String account, List<DeliveryReport> reports, OnReceiptFailed onFailed, Instant now) {
    return StoreFailures.prepared(
        "report", () -> write(new WriteOp.Tell(account, reports, onFailed, now)));
  }

  @Override
  public CompletableFuture<Void> save(List<Budget> budgets) {
    return write(new WriteOp.Spend(budgets));
  }

  @Override
  public CompletableFuture<List<EndedMessage>> expire(Instant now, int limit) {
    return alone(
        (session, columns, sideEffects) ->
            writer.expire(session, columns, sideEffects, now, limit));
  }

  @Override
  public CompletableFuture<List<EndedMessage>> failQueued(
      String account, String reason, Instant now, int limit) {
    return alone(
        (session, columns, sideEffects) ->
            writer.failQueued(session, columns, sideEffects, account, reason, now, limit));
  }

  @Override
  public CompletableFuture<OperationResult> cancel(MessageId id, Instant now) {
    return alone(
        (session, columns, sideEffects) -> writer.cancel(session, columns, sideEffects, id, now));
  }

  @Override
  public CompletableFuture<OperationResult> retry(MessageId id, Instant now) {
    return alone(
        (session, columns, sideEffects) -> writer.retry(session, columns, sideEffects, id, now));
  }

  @Override
  public CompletableFuture<Boolean> discard(MessageId id) {
    return alone(
        (session, columns, sideEffects) -> writer.discard(session, sideEffects, id, columns));
  }

  @Override
  public CompletableFuture<PruneResult> prune(Retention retention, int limit) {
    return alone(
        (session, columns, sideEffects) ->
            writer.prune(session, sideEffects, columns, retention, limit));
  }

  /** Every transaction writes a mark; one without anything else will do. */
  @Override
  public CompletableFuture<Void> touch(Instant now) {
    return write(new WriteOp.Spend(List.of()));
  }

  @Override
  public CompletableFuture<AccountState> pauseAccount(
      String account, String reason, Instant since) {
    return alone(
        (session, _, sideEffects) -> writer.pause(session, sideEffects, account, reason, since));
  }

  @Override
  public CompletableFuture<AccountState> resumeAccount(String account) {
    return alone((session, _, sideEffects) -> writer.resume(session, sideEffects, account));
  }

  @Override
  public CompletableFuture<AccountState> accountBroken(Lease lease, String cause, Instant since) {
    return write(
        new WriteOp.Alone<>(
            lease,
            (session, _, sideEffects) ->
                writer.broken(session, sideEffects, lease.account(), cause, since)));
  }

  @Override
  public CompletableFuture<AccountState> accountRepaired(Lease lease) {
    return write(
        new WriteOp.Alone<>(
            lease,
            (session, _, sideEffects) -> writer.repaired(session, sideEffects, lease.account())));
  }

  @Override
  public CompletableFuture<Void> pauseLane(PausedLane lane) {
    return alone(
        (session, _, sideEffects) -> {
          writer.pauseLane(session, sideEffects, lane);
          return null;
        });
  }

  @Override
  public CompletableFuture<Boolean> resumeLane(String account, String chat) {
    return alone(
        (session, _, sideEffects) -> writer.resumeLane(session, sideEffects, account, chat));
  }

  @Override
  public AcceptResult accept(Connection transaction, NewMessage message) {
    try {
      return joining.accept(transaction, message);
    } catch (SQLException e) {
      throw PgErrors.failure(e);
    }
  }

  // ---- reads, and what does not go through the committer

  @FunctionalInterface
  private interface Work<T> {
    T run() throws SQLException;
  }

  private <T> CompletableFuture<T> beside(Work<T> work) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      workers.readers().execute(() -> answer(work, future));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(new StoreClosed());
    }
    return future;
  }

  private <T> void answer(Work<T> work, CompletableFuture<T> future) {
    T answer;
    try {
      if (closed) {
        throw new StoreClosed();
      }
      answer = work.run();
    } catch (Throwable e) { // whatever it is, whoever waits for the answer must hear of it
      future.completeExceptionally(failure(e));
      return;
    }
    future.complete(answer);
  }

  private RuntimeException failure(Throwable e) {
    if (e instanceof StandDown order) {
      transactions.standDown(String.valueOf(order.getMessage()));
      longTransactions.standDown(String.valueOf(order.getMessage()));
      return order;
    }
    if (closed) {
      return new StoreClosed();
    }
    return e instanceof SQLException sql ? PgErrors.failure(sql) : StoreFailures.ofRead(e);
  }

  @Override
  protected <T> CompletableFuture<T> read(Query<PostgresReader, T> query) {
    return beside(
        () -> {
          try (Connection connection = pool.getConnection()) {
            return query.run(new PostgresReader(new JdbcSession(connection), accounts));
          }
        });
  }

  /** A question that has arrays in it. */
  @FunctionalInterface
  interface Inquiry<T> {
    T run(JdbcSession session, BatchColumns arrays) throws SQLException;
  }

  <T> T ask(Inquiry<T> inquiry) {
    return time.await(
        beside(
            () -> {
              try (Connection connection = pool.getConnection()) {
                return inquiry.run(
                    new JdbcSession(connection), new BatchColumns(connection, "", node));
              }
            }));
  }

  /** A message, to be decoded on the way to the caller. */
  CompletableFuture<Optional<RawMessage>> raw(MessageId id) {
    return read(reader -> Optional.ofNullable(reader.raw(id)));
  }

  /** What concerns no message, and is as well done twice: it needs neither batch nor mark. */
  CompletableFuture<Integer> change(String sql, Object... values) {
    return beside(
        () -> {
          try (Connection connection = pool.getConnection()) {
            return new JdbcSession(connection).update(sql, values);
          }
        });
  }

  @Override
  public CompletableFuture<Integer> pruneInbound(Instant before, int limit) {
    return alone(
        (session, _, sideEffects) -> inboundWriter.prune(session, sideEffects, before, limit));
  }

  @Override
  public InboundStore inboundStore() {
    return inboundStore;
  }

  @Override
  public ReminderStore reminders() {
    return reminders;
  }

  @Override
  public CompletableFuture<List<QueueDepth>> depths() {
    return read(PostgresReader::depths);
  }

  // ---- media

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public CompletableFuture<Void> save(Upload upload) {
    return change(
            MessageSql.SAVE_UPLOAD,
            upload.account(),
            upload.hash(),
            upload.variant(),
            upload.handle(),
            Values.micros(upload.expiresAt()))
        .thenAccept(_ -> {});
  }

  @Override
  public CompletableFuture<Boolean> forget(Upload upload) {
    return change(
            MessageSql.FORGET_UPLOAD,
            upload.account(),
            upload.hash(),
            upload.variant(),
            upload.handle())
        .thenApply(rows -> rows > 0);
  }

  @Override
  public CompletableFuture<Integer> sweep(Instant now, Duration lookAgain, int limit) {
    return beside(() -> sweeping.sweep(now, lookAgain, limit));
  }

  // ---- the cluster

  @Override
  public CompletableFuture<Optional<Lease>> acquire(String account, String owner) {
    return beside(() -> members.acquire(account, owner));
  }

  @Override
  public CompletableFuture<Boolean> release(Lease lease) {
    return beside(() -> members.release(lease, node));
  }

  @Override
  public void listen(Listener whom) {
    listener = whom;
    if (notifyListener != null) {
      notifyListener.tell(whom);
    }
  }

  private void tellArrived(String account) {
    Listener whom = listener;
    if (whom != null) {
      whom.arrived(account);
    }
  }

  @Override
  public Instant clockZero() {
    return members.clockZero();
  }

  @Override
  public Duration leaseLength() {
    return leaseLength;
  }

  @Override
  public CompletableFuture<ClusterSnapshot> beat(
      String name, String address, Set<String> claims, List<AccountReport> reports) {
    return beside(() -> members.beat(name, address, claims, reports));
  }

  @Override
  public CompletableFuture<Boolean> leave(String name) {
    return beside(() -> members.leave(name));
  }

  @Override
  public ClusterSnapshot roll() {
    return time.await(beside(members::roll));
  }

  @Override
  public List<Takeover> takeovers(int limit) {
    return time.await(beside(() -> members.takeovers(limit)));
  }

  // ---- keys, export

  @Override
  public Optional<Reencryption> reencryption() {
    return Optional.of(new PostgresReencryption(pool, accounts));
  }

  @Override
  public Optional<StoreExport> export() {
    return Optional.of(new PostgresExport(this, pool, accounts));
  }

  // ---- coming back from a backup

  @Override
  public Optional<Restoration> restoration(Instant takenAt, Instant now, boolean everything) {
    return Optional.of(new PostgresRestoration(pool, takenAt, now, everything));
  }

  @Override
  public Optional<Restored> restored() {
    return ask((session, _) -> SqlRestoration.last(session));
  }

  @Override
  public boolean isUndecided(Restored restored) {
    long at = Values.micros(restored.at());
    return ask(
        (session, _) ->
            session.one(
                    RestoreSql.UNDECIDED, _ -> true, at, at + restored.held(), Restoration.REASON)
                != null);
  }

  // ---- the end

  @Override
  public void close(Duration grace) {
    closed = true;
    committer.close();
    longCommitter.close();
    transactions.giveUp();
    longTransactions.giveUp();
    workers.close(grace);
    transactions.close();
    longTransactions.close();
    committer.end();
    longCommitter.end();
    if (notifyListener != null) {
      notifyListener.close();
    }
    pool.close();
  }

  @Override
  public void onCommit(CommitListener listener) {
    committer.onCommit(listener);
  }
}
