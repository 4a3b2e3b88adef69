package dev.postrider.sqlite;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.SqlStore;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.message.MessageCodec;
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
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.FilesInPlace;
import dev.postrider.sqlite.file.ProcessLock;
import dev.postrider.sqlite.file.SqliteErrors;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.sqlite.inbound.InboundWriter;
import dev.postrider.sqlite.inbound.SessionMove;
import dev.postrider.sqlite.inbound.SessionWriter;
import dev.postrider.sqlite.media.BlobFiles;
import dev.postrider.sqlite.media.BlobRows;
import dev.postrider.sqlite.media.FileBlobs;
import dev.postrider.sqlite.message.BudgetWrites;
import dev.postrider.sqlite.message.ChatAliases;
import dev.postrider.sqlite.message.LaneAssigner;
import dev.postrider.sqlite.message.LaneMove;
import dev.postrider.sqlite.message.LanePauses;
import dev.postrider.sqlite.message.MemoryWriter;
import dev.postrider.sqlite.message.MessageEndEffects;
import dev.postrider.sqlite.message.MessageWriter;
import dev.postrider.sqlite.read.LateIndexes;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.reminder.ReminderWriter;
import dev.postrider.sqlite.reminder.RunWriter;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.sqlite.sql.RestoreSql;
import dev.postrider.store.CommitListener;
import dev.postrider.store.PruneResult;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Reencryption;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.Retention;
import dev.postrider.store.StoreExport;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
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
final class SqliteStore extends SqlStore<SqliteReader> {
  private final boolean durable;
  private final Accounts accounts;
  private final JdbcSession session;
  private final BudgetWrites spending;
  private final ChatAliases aliases;
  private final LanePauses pauses;
  private final MemoryWriter memoryWriter;
  private final LaneAssigner laneAssigner;
  private final LateIndexes indexes;
  private final MessageWriter writer;
  private final InboundWriter inbox;
  private final SessionWriter sessions;
  private final MessageEndEffects endEffects;
  private final InboundStore inboundStore;
  private final ReminderWriter reminderWriter;
  private final ReminderStore reminders;
  private final SessionMove sessionMove;
  private final LaneMove laneMove;
  private final BlobFiles files;
  private final BlobRows blobRows;
  private final Blobs blobs;
  private final StoreAccess access = new Own();
  private final Committer<WriteTransaction.Step<?>> committer;
  private final BlockingQueue<SqliteReader> readers;
  private final Workers workers;
  private final @Nullable ProcessLock lock;
  private volatile boolean closed;

  SqliteStore(
      boolean durable,
      Accounts accounts,
      JdbcSession session,
      List<SqliteReader> readers,
      BlobFiles files,
      FilesInPlace inPlace,
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
    spending = new BudgetWrites(session, accounts);
    blobRows = new BlobRows(session, files);
    sessions = new SessionWriter(session, accounts);
    endEffects = new MessageEndEffects(session, accounts, sessions);
    aliases = new ChatAliases(session);
    pauses = new LanePauses(session, accounts);
    laneAssigner =
        new LaneAssigner(session, accounts, spending, blobRows, endEffects, aliases, pauses);
    memoryWriter = new MemoryWriter(session, accounts, aliases);
    inbox = new InboundWriter(session, accounts, sessions);
    indexes = new LateIndexes(session, laneAssigner::lastRow, new Behind());
    writer = new MessageWriter(session, accounts, spending, inbox, endEffects, indexes, pauses);
    LeaseWriter leaseWriter =
        new LeaseWriter(session, accounts, sessions, endEffects, laneAssigner);
    inboundStore =
        new SqliteInboundStore(this, access, session, leaseWriter, endEffects, sessions, inbox);
    reminderWriter = new ReminderWriter(session, accounts);
    reminders =
        new SqliteReminderStore(
            this, access, accounts, reminderWriter, new RunWriter(session, accounts));
    sessionMove = new SessionMove(session, accounts, sessions);
    laneMove = new LaneMove(session, accounts, aliases, indexes, pauses, memoryWriter, sessionMove);
    blobs = new FileBlobs(files, blobRows, access);
    files.clean(blobRows::isHere);
    committer =
        new Committer<>(
            new WriteTransaction(session, inPlace, spending, blobRows, indexes),
            workers.writer(),
            workers.completer());
    onWriter(indexes::look); // an earlier process may have left some
  }

  /** What the indexes behind the writer see of it. */
  private final class Behind implements LateIndexes.Writes {
    @Override
    public boolean nobodyWaits() {
      return committer.isIdle();
    }

    @Override
    public void add(WriteTransaction.Work<Void> work) {
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

  private <T> CompletableFuture<T> write(WriteTransaction.Work<T> work) {
    WriteTransaction.Step<T> step = new WriteTransaction.Step<>(work);
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
  public CompletableFuture<AcceptResult> accept(NewMessage message) {
    return StoreFailures.prepared(
        "accept",
        () -> {
          LaneAssigner.Encoded encoded = LaneAssigner.Encoded.of(message, accounts.cipher());
          return write(() -> laneAssigner.accept(message, encoded));
        });
  }

  @Override
  public CompletableFuture<Optional<StoredMessage>> reserve(long row, Reservation reservation) {
    return StoreFailures.decoded(
        "reserve",
        write(() -> Optional.ofNullable(writer.reserve(row, reservation))),
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
        () -> {
          List<MemoryRow> rows = MemoryRow.of(lease.account(), memory, accounts.cipher());
          return write(
              () -> {
                boolean applied = writer.progress(message, lease, progress, history);
                if (applied) {
                  memoryWriter.write(lease.account(), rows);
                }
                return applied;
              });
        });
  }

  @Override
  public CompletableFuture<SettleResult> settle(Settlement settlement) {
    return StoreFailures.prepared(
        "settle",
        () -> {
          byte[] progress = MessageCodec.progress(settlement.progress());
          String account = settlement.lease().account();
          List<MemoryRow> rows = MemoryRow.of(account, settlement.memory(), accounts.cipher());
          return StoreFailures.decoded(
              "settle",
              write(
                  () -> {
                    MessageWriter.Written written = writer.settle(settlement, progress);
                    if (written.applied()) {
                      memoryWriter.write(account, rows);
                    }
                    return written;
                  }),
              MessageWriter.Written::decode);
        });
  }

  @Override
  public CompletableFuture<Optional<Head>> enter(String account, long row, Instant now) {
    return write(() -> Optional.ofNullable(laneAssigner.enter(row, now)));
  }

  @Override
  public CompletableFuture<List<EndedMessage>> expire(Instant now, int limit) {
    return write(() -> writer.expire(now, limit));
  }

  @Override
  public CompletableFuture<List<EndedMessage>> failQueued(
      String account, String reason, Instant now, int limit) {
    return write(() -> writer.failQueued(account, reason, now, limit));
  }

  @Override
  public CompletableFuture<Optional<Integer>> moveLane(
      Lease lease, String from, String to, SessionKey sessionKey, Instant now) {
    return write(() -> Optional.ofNullable(laneMove.move(lease, from, to, sessionKey, now)));
  }

  @Override
  public CompletableFuture<OperationResult> cancel(MessageId id, Instant now) {
    return write(() -> writer.cancel(id, now));
  }

  @Override
  public CompletableFuture<OperationResult> retry(MessageId id, Instant now) {
    return write(() -> writer.retry(id, now));
  }

  @Override
  public CompletableFuture<Boolean> discard(MessageId id) {
    return write(() -> writer.discard(id));
  }

  @Override
  public CompletableFuture<PruneResult> prune(Retention retention, int limit) {
    return write(() -> writer.prune(retention, limit));
  }

  @Override
  public CompletableFuture<Void> touch(Instant now) {
    return write(
        () -> {
          session.update(MessageSql.TOUCH, Values.micros(now));
          return null;
        });
  }

  @Override
  public CompletableFuture<AccountState> pauseAccount(
      String account, String reason, Instant since) {
    return write(
        () ->
            state(
                MessageSql.PAUSE_ACCOUNT,
                Values.micros(since),
                reason,
                accounts.idOrNew(session, account)));
  }

  @Override
  public CompletableFuture<AccountState> resumeAccount(String account) {
    return write(() -> state(MessageSql.RESUME_ACCOUNT, accounts.idOrNew(session, account)));
  }

  @Override
  public CompletableFuture<AccountState> accountBroken(Lease lease, String cause, Instant since) {
    return write(
        () -> {
          accounts.check(lease);
          int account = accounts.idOrNew(session, lease.account());
          return state(MessageSql.ACCOUNT_BROKEN, Values.micros(since), cause, account);
        });
  }

  @Override
  public CompletableFuture<AccountState> accountRepaired(Lease lease) {
    return write(
        () -> {
          accounts.check(lease);
          return state(MessageSql.ACCOUNT_REPAIRED, accounts.idOrNew(session, lease.account()));
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
  public CompletableFuture<List<ReceiveResult>> receive(
      String account,
      List<NewInbound> events,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> told,
      SessionKey sessionKey) {
    return StoreFailures.prepared(
        "receive",
        () -> {
          List<InboundWriter.Encoded> encoded =
              events.stream()
                  .map(event -> InboundWriter.Encoded.of(event, accounts.cipher()))
                  .toList();
          List<MemoryRow> rows = MemoryRow.of(account, memory, accounts.cipher());
          return write(
              () -> {
                tell(account, told, sessionKey);
                List<ReceiveResult> received = inbox.receive(account, encoded, cursor);
                if (received.isEmpty() || received.stream().anyMatch(ReceiveResult::isNew)) {
                  memoryWriter.write(account, rows);
                }
                return received;
              });
        });
  }

  private void tell(String name, List<Alias> told, SessionKey sessionKey) throws SQLException {
    for (Alias alias : told) {
      int account = accounts.idOrNew(session, name);
      aliases.tell(account, alias.former(), alias.chat());
      if (aliases.chat(account, alias.former()).equals(alias.former())) { // else it is elsewhere
        sessionMove.move(account, alias.former(), aliases.chat(account, alias.chat()), sessionKey);
      }
    }
  }

  @Override
  public CompletableFuture<Boolean> remember(
      String account, @Nullable String expected, Remembered by, Instant now) {
    return write(() -> memoryWriter.replace(account, expected, by, now));
  }

  @Override
  public CompletableFuture<Integer> pruneMemory(Instant now, int limit) {
    return write(() -> memoryWriter.prune(now, limit));
  }

  @Override
  public CompletableFuture<Void> notToRetry(StoredMessage message) {
    return write(
        () -> {
          writer.notToRetry(message);
          return null;
        });
  }

  @Override
  public CompletableFuture<List<ReportResult>> report(
      String account, List<DeliveryReport> reports, OnReceiptFailed onFailed, Instant now) {
    List<DeliveryReport> all = List.copyOf(reports);
    return write(() -> writer.report(account, all, onFailed, now));
  }

  @Override
  public InboundStore inboundStore() {
    return inboundStore;
  }

  @Override
  public CompletableFuture<Integer> pruneInbound(Instant before, int limit) {
    return write(() -> inbox.prune(before, limit));
  }

  @Override
  public ReminderStore reminders() {
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
  protected <T> CompletableFuture<T> read(Query<SqliteReader, T> query) {
    CompletableFuture<T> future = new CompletableFuture<>();
    try {
      workers.readers().execute(() -> answer(query, future));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(new StoreClosed());
    }
    return future;
  }

  private <T> void answer(Query<SqliteReader, T> query, CompletableFuture<T> future) {
    T answer;
    try {
      if (closed) {
        throw new StoreClosed();
      }
      SqliteReader reader = readers.take();
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
        : StoreFailures.ofRead(e);
  }

  @Override
  public CompletableFuture<List<QueueDepth>> depths() {
    CompletableFuture<Boolean> fixed = new CompletableFuture<>();
    CompletableFuture<List<QueueDepth>> depths =
        read(reader -> reader.depths(() -> fixed.complete(true)));
    depths.whenComplete((_, _) -> fixed.complete(true));
    time.await(fixed); // from here on changes do not count
    return depths;
  }

  // ---- export

  @Override
  public Optional<StoreExport> export() {
    return Optional.of(new SqliteExport(session, accounts, pauses, access));
  }

  // ---- coming back from a backup

  @Override
  public Optional<Restoration> restoration(Instant takenAt, Instant now, boolean everything) {
    return Optional.of(new SqliteRestoration(session, access, takenAt, now, everything));
  }

  @Override
  public Optional<Restored> restored() {
    return access.read(SqlRestoration::last);
  }

  @Override
  public boolean isUndecided(Restored restored) {
    long at = Values.micros(restored.at());
    return access.read(
        reading ->
            reading.one(
                    RestoreSql.UNDECIDED, _ -> true, at, at + restored.held(), Restoration.REASON)
                != null);
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

  private final class Own implements StoreAccess {
    @Override
    public <T> T read(StoreAccess.Query<T> query) {
      return ask(reader -> query.run(reader.session()));
    }

    @Override
    public <T> CompletableFuture<T> write(WriteTransaction.Work<T> work) {
      return SqliteStore.this.write(work);
    }

    @Override
    public <T> T await(CompletableFuture<T> write) {
      return time.await(write);
    }
  }

  // ---- for tests

  void submit(WriteTransaction.Step<?> step) {
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
      readers.forEach(SqliteReader::close);
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
