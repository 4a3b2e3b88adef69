package dev.postrider.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.inbound.Report;
import dev.postrider.jdbc.Committer;
import dev.postrider.jdbc.ContentCipher;
import dev.postrider.jdbc.Failures;
import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.SqlStore;
import dev.postrider.jdbc.Values;
import dev.postrider.jdbc.Workers;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Progress;
import dev.postrider.pace.Budget;
import dev.postrider.store.Acceptance;
import dev.postrider.store.AccountReport;
import dev.postrider.store.AccountState;
import dev.postrider.store.Blobs;
import dev.postrider.store.Change;
import dev.postrider.store.Cluster;
import dev.postrider.store.CommitListener;
import dev.postrider.store.Depth;
import dev.postrider.store.Desk;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.Lease;
import dev.postrider.store.NameTaken;
import dev.postrider.store.NewInbound;
import dev.postrider.store.NewMessage;
import dev.postrider.store.PausedLane;
import dev.postrider.store.Pruned;
import dev.postrider.store.Received;
import dev.postrider.store.Reencryption;
import dev.postrider.store.Reminders;
import dev.postrider.store.Reported;
import dev.postrider.store.Reservation;
import dev.postrider.store.Retention;
import dev.postrider.store.Roll;
import dev.postrider.store.Settled;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoredMessage;
import dev.postrider.store.Takeover;
import dev.postrider.store.Transfer;
import dev.postrider.store.Upload;
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
final class PostgresStore extends SqlStore<Reader> implements Cluster {
  private final String node;
  private final Duration leaseLength;
  private final HikariDataSource pool;
  private final Accounts accounts;
  private final Members members;
  private final Writer writer;
  private final DeskWriter deskWriter;
  private final PostgresDesk desk;
  private final Joining joining;
  private final Transactions transactions;
  private final Committer<Op<?>> committer;
  private final Transactions longTransactions;
  private final Committer<Op<?>> longCommitter;
  private final ReminderWriter reminderWriter;
  private final PostgresReminders reminders;
  private final PieceBlobs blobs;
  private final Sweeping sweeping;
  private final Workers workers;
  private final @Nullable Ear ear;
  private volatile @Nullable Listener listener;
  private volatile boolean closed;

  /** What a store is put together from. */
  record Parts(
      String node,
      Duration leaseLength,
      HikariDataSource pool,
      Accounts accounts,
      Members members,
      String schema,
      String channel,
      UUID instance,
      Database database,
      Workers workers,
      Scheduler time,
      @Nullable Ear ear) {}

  PostgresStore(Parts parts) {
    super(parts.time);
    node = parts.node;
    leaseLength = parts.leaseLength;
    pool = parts.pool;
    accounts = parts.accounts;
    members = parts.members;
    workers = parts.workers;
    ear = parts.ear;
    writer = new Writer(accounts);
    deskWriter = new DeskWriter(accounts);
    blobs = new PieceBlobs(pool, accounts.cipher());
    sweeping = new Sweeping(pool);
    joining = new Joining(accounts, parts.schema, parts.channel, node);
    transactions =
        new Transactions(
            parts.database,
            accounts,
            node,
            Database.name(parts.instance, "writer", node),
            parts.instance.toString(),
            parts.channel,
            time,
            account -> tellArrived(account));
    committer = new Committer<>(transactions, workers.writer(), workers.completer());
    desk = new PostgresDesk(this, deskWriter);
    longTransactions =
        new Transactions(
            parts.database,
            accounts,
            node,
            Database.name(parts.instance, "writer at length", node),
            parts.instance + " at length",
            parts.channel,
            time,
            _ -> {});
    longCommitter = new Committer<>(longTransactions, workers.readers(), Runnable::run);
    reminderWriter = new ReminderWriter(accounts);
    reminders = new PostgresReminders(this, accounts, reminderWriter);
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

  <T> CompletableFuture<T> write(Op<T> op) {
    committer.submit(op);
    return op.future();
  }

  <T> CompletableFuture<T> alone(Op.Alone.Work<T> work) {
    return write(new Op.Alone<>(work));
  }

  /** A write that takes a while: no other waits for it, but those that take a while themselves. */
  <T> CompletableFuture<T> atLength(Op.Alone.Work<T> work) {
    Op<T> op = new Op.Alone<>(work);
    longCommitter.submit(op);
    return op.future();
  }

  ContentCipher cipher() {
    return accounts.cipher();
  }

  @Override
  public CompletableFuture<Acceptance> accept(NewMessage message) {
    return Failures.prepared("accept", () -> write(new Op.Accept(message, accounts.cipher())));
  }

  @Override
  public CompletableFuture<Optional<StoredMessage>> reserve(long row, Reservation reservation) {
    return Failures.decoded(
        "reserve", write(new Op.Reserve(row, reservation)), found -> found.map(Raw::decode));
  }

  @Override
  public CompletableFuture<Boolean> progress(
      StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history) {
    return Failures.prepared(
        "progress", () -> write(new Op.Advance(message, lease, progress, history)));
  }

  @Override
  public CompletableFuture<Settled> settle(Settlement settlement) {
    return Failures.prepared(
        "settle",
        () -> Failures.decoded("settle", write(new Op.Settle(settlement)), Op.Written::decode));
  }

  @Override
  public CompletableFuture<Optional<Head>> enter(String account, long row, Instant now) {
    return write(new Op.Enter(account, row, now));
  }

  @Override
  public CompletableFuture<Integer> takeIn(Lease lease, Instant now, int limit) {
    return write(new Op.TakeIn(lease, now, limit));
  }

  @Override
  public CompletableFuture<Optional<Integer>> moveLane(
      Lease lease, String from, String to, Instant now) {
    return write(new Op.MoveLane(lease, from, to, now));
  }

  @Override
  public CompletableFuture<List<Received>> receive(
      String account, List<NewInbound> events, @Nullable String cursor) {
    return Failures.prepared(
        "receive", () -> write(new Op.Receive(account, events, cursor, accounts.cipher())));
  }

  @Override
  public CompletableFuture<List<Reported>> report(
      String account, List<Report> reports, Instant now) {
    return Failures.prepared("report", () -> write(new Op.Tell(account, reports, now)));
  }

  @Override
  public CompletableFuture<Void> save(List<Budget> budgets) {
    return write(new Op.Spend(budgets));
  }

  @Override
  public CompletableFuture<List<Ended>> expire(Instant now, int limit) {
    return alone(
        (session, batches, effects) -> writer.expire(session, batches, effects, now, limit));
  }

  @Override
  public CompletableFuture<List<Ended>> failQueued(
      String account, String reason, Instant now, int limit) {
    return alone(
        (session, batches, effects) ->
            writer.failQueued(session, batches, effects, account, reason, now, limit));
  }

  @Override
  public CompletableFuture<Change> cancel(MessageId id, Instant now) {
    return alone((session, batches, effects) -> writer.cancel(session, batches, effects, id, now));
  }

  @Override
  public CompletableFuture<Change> hurry(MessageId id, Instant now) {
    return alone((session, batches, effects) -> writer.hurry(session, batches, effects, id, now));
  }

  @Override
  public CompletableFuture<Boolean> discard(MessageId id) {
    return alone((session, batches, effects) -> writer.discard(session, effects, id, batches));
  }

  @Override
  public CompletableFuture<Pruned> prune(Retention retention, int limit) {
    return alone(
        (session, batches, effects) -> writer.prune(session, effects, batches, retention, limit));
  }

  /** Every transaction writes a mark; one without anything else will do. */
  @Override
  public CompletableFuture<Void> touch(Instant now) {
    return write(new Op.Spend(List.of()));
  }

  @Override
  public CompletableFuture<AccountState> pauseAccount(
      String account, String reason, Instant since) {
    return alone((session, _, effects) -> writer.pause(session, effects, account, reason, since));
  }

  @Override
  public CompletableFuture<AccountState> resumeAccount(String account) {
    return alone((session, _, effects) -> writer.resume(session, effects, account));
  }

  @Override
  public CompletableFuture<AccountState> accountBroken(Lease lease, String cause, Instant since) {
    return write(
        new Op.Alone<>(
            lease,
            (session, _, effects) ->
                writer.broken(session, effects, lease.account(), cause, since)));
  }

  @Override
  public CompletableFuture<AccountState> accountRepaired(Lease lease) {
    return write(
        new Op.Alone<>(
            lease, (session, _, effects) -> writer.repaired(session, effects, lease.account())));
  }

  /** For whoever moves everything here. */
  CompletableFuture<Void> save(AccountState state) {
    return alone(
        (session, _, effects) -> {
          writer.save(session, effects, state);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> pauseLane(PausedLane lane) {
    return alone(
        (session, _, effects) -> {
          writer.pauseLane(session, effects, lane);
          return null;
        });
  }

  @Override
  public CompletableFuture<Boolean> resumeLane(String account, String chat) {
    return alone((session, _, effects) -> writer.resumeLane(session, effects, account, chat));
  }

  @Override
  public Acceptance accept(Connection transaction, NewMessage message) {
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
    if (e instanceof NameTaken taken) {
      transactions.standDown(String.valueOf(taken.getMessage()));
      longTransactions.standDown(String.valueOf(taken.getMessage()));
      return taken;
    }
    if (closed) {
      return new StoreClosed();
    }
    return e instanceof SQLException sql ? PgErrors.failure(sql) : Failures.ofRead(e);
  }

  @Override
  protected <T> CompletableFuture<T> read(Query<Reader, T> query) {
    return beside(
        () -> {
          try (Connection connection = pool.getConnection()) {
            return query.run(new Reader(new Session(connection), accounts));
          }
        });
  }

  /** A question that has arrays in it. */
  @FunctionalInterface
  interface Inquiry<T> {
    T run(Session session, Batches arrays) throws SQLException;
  }

  <T> T ask(Inquiry<T> inquiry) {
    return time.await(
        beside(
            () -> {
              try (Connection connection = pool.getConnection()) {
                return inquiry.run(new Session(connection), new Batches(connection, "", node));
              }
            }));
  }

  /** A message, to be decoded on the way to the caller. */
  CompletableFuture<Optional<Raw>> raw(MessageId id) {
    return read(reader -> Optional.ofNullable(reader.raw(id)));
  }

  /** What concerns no message, and is as well done twice: it needs neither batch nor mark. */
  CompletableFuture<Integer> change(String sql, Object... values) {
    return beside(
        () -> {
          try (Connection connection = pool.getConnection()) {
            return new Session(connection).update(sql, values);
          }
        });
  }

  @Override
  public CompletableFuture<Integer> pruneInbound(Instant before, int limit) {
    return alone((session, _, effects) -> deskWriter.prune(session, effects, before, limit));
  }

  @Override
  public Desk desk() {
    return desk;
  }

  @Override
  public Reminders reminders() {
    return reminders;
  }

  @Override
  public CompletableFuture<List<Depth>> depths() {
    return read(Reader::depths);
  }

  // ---- media

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public CompletableFuture<Void> save(Upload upload) {
    return change(
            Sql.SAVE_UPLOAD,
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
            Sql.FORGET_UPLOAD, upload.account(), upload.hash(), upload.variant(), upload.handle())
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
    if (ear != null) {
      ear.tell(whom);
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
  public CompletableFuture<Roll> beat(
      String name, String address, Set<String> claims, List<AccountReport> reports) {
    return beside(() -> members.beat(name, address, claims, reports));
  }

  @Override
  public CompletableFuture<Boolean> leave(String name) {
    return beside(() -> members.leave(name));
  }

  @Override
  public Roll roll() {
    return time.await(beside(members::roll));
  }

  @Override
  public List<Takeover> takeovers(int limit) {
    return time.await(beside(() -> members.takeovers(limit)));
  }

  // ---- moving

  @Override
  public Optional<Reencryption> reencryption() {
    return Optional.of(new PostgresReencryption(pool, accounts));
  }

  @Override
  public Optional<Transfer> transfer() {
    return Optional.of(new Moving(this, pool, accounts, reminderWriter, time));
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
    if (ear != null) {
      ear.close();
    }
    pool.close();
  }

  @Override
  public void onCommit(CommitListener listener) {
    committer.onCommit(listener);
  }
}
