package dev.postrider.sqlite;

import dev.postrider.inbound.Report;
import dev.postrider.jdbc.Codec;
import dev.postrider.jdbc.Committer;
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
import dev.postrider.store.AccountState;
import dev.postrider.store.Blobs;
import dev.postrider.store.Change;
import dev.postrider.store.CommitListener;
import dev.postrider.store.Depth;
import dev.postrider.store.Desk;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.Lease;
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
import dev.postrider.store.Settled;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoreUnavailable;
import dev.postrider.store.StoredMessage;
import dev.postrider.store.Transfer;
import dev.postrider.store.Upload;
import dev.postrider.time.Scheduler;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The store on one SQLite file. Writes go through the {@link Committer}, reads beside it.
 * Thread-safe.
 */
final class SqliteStore extends SqlStore<Reader> {
  private final boolean durable;
  private final Accounts accounts;
  private final Session session;
  private final Spending spending;
  private final Aliases aliases;
  private final LanePauses pauses;
  private final Placer placer;
  private final BehindIndexes indexes;
  private final Writer writer;
  private final Inbox inbox;
  private final Sessions sessions;
  private final Following following;
  private final Desk desk;
  private final ReminderWriter reminderWriter;
  private final Reminders reminders;
  private final LaneMove laneMove;
  private final BlobFiles files;
  private final BlobRows blobRows;
  private final Blobs blobs;
  private final Access access = new Own();
  private final Committer<Transaction.Step<?>> committer;
  private final BlockingQueue<Reader> readers;
  private final Workers workers;
  private final @Nullable ProcessLock lock;
  private volatile boolean closed;

  SqliteStore(
      boolean durable,
      Accounts accounts,
      Session session,
      List<Reader> readers,
      BlobFiles files,
      Workers workers,
      Scheduler time,
      @Nullable ProcessLock lock)
      throws SQLException {
    super(time);
    this.durable = durable;
    this.accounts = accounts;
    this.session = session;
    this.readers = new LinkedBlockingQueue<>(readers);
    this.workers = workers;
    this.lock = lock;
    this.files = files;
    accounts.load(session);
    spending = new Spending(session, accounts);
    blobRows = new BlobRows(session, files);
    sessions = new Sessions(session, accounts);
    following = new Following(session, accounts, sessions);
    aliases = new Aliases(session);
    pauses = new LanePauses(session, accounts);
    placer = new Placer(session, accounts, spending, blobRows, following, aliases, pauses);
    inbox = new Inbox(session, accounts, sessions);
    indexes = new BehindIndexes(session, placer::lastRow, new Behind());
    writer = new Writer(session, accounts, spending, inbox, following, indexes, pauses);
    Handing handing = new Handing(session, accounts, sessions, following, placer);
    desk = new SqliteDesk(this, access, session, handing, following, sessions);
    reminderWriter = new ReminderWriter(session, accounts);
    reminders = new SqliteReminders(this, access, accounts, reminderWriter, new RunWriter(session));
    laneMove = new LaneMove(session, accounts, aliases, indexes, pauses);
    blobs = new FileBlobs(files, blobRows, access);
    files.clean(blobRows::isHere);
    committer =
        new Committer<>(
            new Transaction(session, spending, blobRows, indexes),
            workers.writer(),
            workers.completer());
    onWriter(indexes::look); // an earlier process may have left some
  }

  /** What the indexes behind the writer see of it. */
  private final class Behind implements BehindIndexes.Writes {
    @Override
    public boolean nobodyWaits() {
      return committer.isIdle();
    }

    @Override
    public void add(Transaction.Work<Void> work) {
      write(work);
    }

    @Override
    public void later(Duration wait, Runnable look) {
      time.after(wait, () -> onWriter(look));
    }
  }

  private void onWriter(Runnable work) {
    try {
      workers.writer().execute(work);
    } catch (RejectedExecutionException e) {
      // closed meanwhile
    }
  }

  @Override
  public boolean durable() {
    return durable;
  }

  // ---- writes

  private <T> CompletableFuture<T> write(Transaction.Work<T> work) {
    Transaction.Step<T> step = new Transaction.Step<>(work);
    committer.submit(step);
    return step.future();
  }

  @Override
  public CompletableFuture<Optional<Lease>> acquire(String account, String owner) {
    return write(() -> Optional.ofNullable(accounts.acquire(session, account, owner)));
  }

  @Override
  public CompletableFuture<Boolean> release(Lease lease) {
    return write(() -> accounts.release(lease));
  }

  @Override
  public CompletableFuture<Acceptance> accept(NewMessage message) {
    return Failures.prepared(
        "accept",
        () -> {
          Placer.Encoded encoded = Placer.Encoded.of(message, accounts.cipher());
          return write(() -> placer.accept(message, encoded));
        });
  }

  @Override
  public CompletableFuture<Optional<StoredMessage>> reserve(long row, Reservation reservation) {
    return Failures.decoded(
        "reserve",
        write(() -> Optional.ofNullable(writer.reserve(row, reservation))),
        found -> found.map(Raw::decode));
  }

  @Override
  public CompletableFuture<Boolean> progress(
      StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history) {
    return write(() -> writer.progress(message, lease, progress, history));
  }

  @Override
  public CompletableFuture<Settled> settle(Settlement settlement) {
    return Failures.prepared(
        "settle",
        () -> {
          byte[] progress = Codec.progress(settlement.progress());
          return Failures.decoded(
              "settle", write(() -> writer.settle(settlement, progress)), Writer.Written::decode);
        });
  }

  @Override
  public CompletableFuture<Optional<Head>> enter(String account, long row, Instant now) {
    return write(() -> Optional.ofNullable(placer.enter(row, now)));
  }

  @Override
  public CompletableFuture<List<Ended>> expire(Instant now, int limit) {
    return write(() -> writer.expire(now, limit));
  }

  @Override
  public CompletableFuture<List<Ended>> failQueued(
      String account, String reason, Instant now, int limit) {
    return write(() -> writer.failQueued(account, reason, now, limit));
  }

  @Override
  public CompletableFuture<Optional<Integer>> moveLane(
      Lease lease, String from, String to, Instant now) {
    return write(() -> Optional.ofNullable(laneMove.move(lease, from, to, now)));
  }

  @Override
  public CompletableFuture<Change> cancel(MessageId id, Instant now) {
    return write(() -> writer.cancel(id, now));
  }

  @Override
  public CompletableFuture<Change> hurry(MessageId id, Instant now) {
    return write(() -> writer.hurry(id, now));
  }

  @Override
  public CompletableFuture<Boolean> discard(MessageId id) {
    return write(() -> writer.discard(id));
  }

  @Override
  public CompletableFuture<Pruned> prune(Retention retention, int limit) {
    return write(() -> writer.prune(retention, limit));
  }

  @Override
  public CompletableFuture<Void> touch(Instant now) {
    return write(
        () -> {
          session.update(Sql.TOUCH, Values.micros(now));
          return null;
        });
  }

  /** For whoever moves everything here. */
  CompletableFuture<Void> save(AccountState state) {
    return write(
        () -> {
          session.update(
              Sql.SAVE_ACCOUNT,
              state.pausedBecause(),
              Values.nullableMicros(state.pausedSince()),
              state.brokenBecause(),
              Values.nullableMicros(state.brokenSince()),
              accounts.idOrNew(session, state.account()));
          return null;
        });
  }

  @Override
  public CompletableFuture<AccountState> pauseAccount(
      String account, String reason, Instant since) {
    return write(
        () ->
            state(
                Sql.PAUSE_ACCOUNT,
                Values.micros(since),
                reason,
                accounts.idOrNew(session, account)));
  }

  @Override
  public CompletableFuture<AccountState> resumeAccount(String account) {
    return write(() -> state(Sql.RESUME_ACCOUNT, accounts.idOrNew(session, account)));
  }

  @Override
  public CompletableFuture<AccountState> accountBroken(Lease lease, String cause, Instant since) {
    return write(
        () -> {
          accounts.check(lease);
          int account = accounts.idOrNew(session, lease.account());
          return state(Sql.ACCOUNT_BROKEN, Values.micros(since), cause, account);
        });
  }

  @Override
  public CompletableFuture<AccountState> accountRepaired(Lease lease) {
    return write(
        () -> {
          accounts.check(lease);
          return state(Sql.ACCOUNT_REPAIRED, accounts.idOrNew(session, lease.account()));
        });
  }

  private @Nullable AccountState state(String change, Object... values) throws SQLException {
    return session.one(change, row -> Values.accountState(row, 0), values);
  }

  @Override
  public CompletableFuture<Void> save(List<Budget> budgets) {
    return write(
        () -> {
          budgets.forEach(spending::save);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> pauseLane(PausedLane lane) {
    return write(
        () -> {
          int account = accounts.idOrNew(session, lane.account()); // so that its lanes are listed
          pauses.pause(lane, account, aliases.chat(account, lane.chat()));
          return null;
        });
  }

  @Override
  public CompletableFuture<Boolean> resumeLane(String account, String chat) {
    return write(
        () -> {
          int id = accounts.idOrNew(session, account);
          return pauses.resume(id, aliases.chat(id, chat));
        });
  }

  // ---- what comes from platforms

  @Override
  public CompletableFuture<List<Received>> receive(
      String account, List<NewInbound> events, @Nullable String cursor) {
    return Failures.prepared(
        "receive",
        () -> {
          List<Inbox.Encoded> encoded =
              events.stream().map(event -> Inbox.Encoded.of(event, accounts.cipher())).toList();
          return write(() -> inbox.receive(account, encoded, cursor));
        });
  }

  @Override
  public CompletableFuture<List<Reported>> report(
      String account, List<Report> reports, Instant now) {
    List<Report> all = List.copyOf(reports);
    return write(() -> inbox.report(account, all, now));
  }

  @Override
  public Desk desk() {
    return desk;
  }

  @Override
  public CompletableFuture<Integer> pruneInbound(Instant before, int limit) {
    return write(() -> inbox.prune(before, limit));
  }

  @Override
  public Reminders reminders() {
    return reminders;
  }

  // ---- media

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public CompletableFuture<Void> save(Upload upload) {
    return write(() -> blobRows.save(upload));
  }

  @Override
  public CompletableFuture<Boolean> forget(Upload upload) {
    return write(() -> blobRows.forget(upload));
  }

  @Override
  public CompletableFuture<Integer> sweep(Instant now, Duration lookAgain, int limit) {
    return write(() -> blobRows.sweep(now, lookAgain, limit));
  }

  // ---- reads

  @Override
  protected <T> CompletableFuture<T> read(Query<Reader, T> query) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      workers.readers().execute(() -> answer(query, future));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(new StoreClosed());
    }
    return future;
  }

  private <T> void answer(Query<Reader, T> query, CompletableFuture<T> future) {
    T answer;
    try {
      if (closed) {
        throw new StoreClosed();
      }
      Reader reader = readers.take();
      try {
        answer = query.run(reader);
      } finally {
        readers.add(reader);
      }
    } catch (Throwable e) { // whatever it is, whoever waits for the answer must hear of it
      future.completeExceptionally(failure(e));
      return;
    }
    future.complete(answer);
  }

  private RuntimeException failure(Throwable e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new StoreClosed();
    }
    StoreUnavailable known = SqliteErrors.unavailable(e);
    if (known != null) {
      return known;
    }
    return e instanceof SQLException
        ? new StoreUnavailable("reading failed: " + e.getMessage(), e)
        : Failures.ofRead(e);
  }

  @Override
  public CompletableFuture<List<Depth>> depths() {
    CompletableFuture<Boolean> fixed = new CompletableFuture<>();
    CompletableFuture<List<Depth>> depths =
        read(reader -> reader.depths(() -> fixed.complete(true)));
    depths.whenComplete((_, _) -> fixed.complete(true));
    time.await(fixed); // from here on changes do not count
    return depths;
  }

  // ---- moving

  @Override
  public Optional<Transfer> transfer() {
    MovingDesk events = new MovingDesk(session, accounts, sessions, access);
    MovingRuns runs = new MovingRuns(session, accounts, reminderWriter, access);
    return Optional.of(
        new Moving(this, session, accounts, blobRows, following, events, runs, access));
  }

  // ---- changing keys

  @Override
  public Optional<Reencryption> reencryption() {
    return Optional.of(new SqliteReencryption(session, accounts, files, access, this::alone));
  }

  /** Between two transactions of the writer. */
  private void alone(SqliteReencryption.Job job) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    workers
        .writer()
        .execute(
            () -> {
              try {
                job.run();
                done.complete(true);
              } catch (Throwable e) { // whoever waits must hear of it
                done.completeExceptionally(failure(e));
              }
            });
    time.await(done);
  }

  private final class Own implements Access {
    @Override
    public <T> T read(Access.Query<T> query) {
      return ask(reader -> query.run(reader.session()));
    }

    @Override
    public <T> CompletableFuture<T> write(Transaction.Work<T> work) {
      return SqliteStore.this.write(work);
    }

    @Override
    public <T> T await(CompletableFuture<T> write) {
      return time.await(write);
    }
  }

  // ---- for tests

  void submit(Transaction.Step<?> step) {
    committer.submit(step);
  }

  /** Asks the writer's connection for a setting, or sets it. */
  CompletableFuture<String> pragma(String pragma) {
    return write(() -> session.one("PRAGMA " + pragma, row -> row.getString(1)));
  }

  // ---- the end

  @Override
  public void close(Duration grace) {
    committer.close();
    closed = true;
    workers.close(grace);
    committer.end();
    try {
      readers.forEach(Reader::close);
      session.close();
      files.close();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  @Override
  public void onCommit(CommitListener listener) {
    committer.onCommit(listener);
  }
}
