package dev.postrider.sqlite;

import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoreUnavailable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes durability cheap: many writes, one transaction, one fsync.
 *
 * <p>SQLite has one writer, and a commit with {@code synchronous=FULL} costs one fsync whatever it
 * holds. So every write is put into a queue, and one thread takes whatever is waiting, applies it
 * in one transaction and commits. While the fsync of one batch runs, the next batch gathers: under
 * load batches grow by themselves and the cost per write shrinks, at rest a write waits for nobody.
 * There is nothing to tune.
 *
 * <p>A future completes after the commit, never before, and on another thread than the writer's, so
 * that no callback can slow the next batch down. Writes are applied in the order in which they were
 * handed in.
 *
 * <p>One write that fails must not take its neighbours with it. The batch is rolled back; if the
 * store itself is the problem (disk full, I/O error), every write of the batch fails with {@link
 * StoreUnavailable}; if not, the writes are applied again one by one, each in a transaction of its
 * own, and only the culprit fails. The common case pays nothing for this: there are no savepoints.
 *
 * <p>Thread-safe. The writer session is touched only by tasks of the {@code writer} executor, which
 * runs one at a time.
 */
final class Committer {
  private static final int LARGEST_BATCH = 2_000;

  /** What happens around the writes of a transaction, on the writer's thread. */
  interface Batch {
    /** Inside the transaction, after its last write. */
    void beforeCommit() throws SQLException;

    void committed();

    void rolledBack();
  }

  /** Something to do in the writer's transaction. */
  @FunctionalInterface
  interface Work<T> {
    @Nullable T apply() throws SQLException;
  }

  private static final class Pending<T> {
    final Work<T> work;
    final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable T result;
    private @Nullable Throwable failure;

    Pending(Work<T> work) {
      this.work = work;
    }

    void apply() throws SQLException {
      result = work.apply();
    }

    void fail(Throwable cause) {
      failure = cause;
    }

    void complete() {
      if (failure == null) {
        future.complete(result);
      } else {
        future.completeExceptionally(failure);
      }
    }
  }

  private final Session session;
  private final Executor writer;
  private final Executor completer;
  private final Batch around;
  private final Queue<Pending<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * @param writer runs one task at a time
   * @param completer runs what follows from a commit, in order
   */
  Committer(Session session, Executor writer, Executor completer, Batch around) {
    this.session = session;
    this.writer = writer;
    this.completer = completer;
    this.around = around;
  }

  <T> CompletableFuture<T> submit(Work<T> work) {
    Pending<T> pending = new Pending<>(work);
    if (closed) {
      pending.future.completeExceptionally(new StoreClosed());
    } else {
      waiting.add(pending);
      schedule();
    }
    return pending.future;
  }

  /** Takes no more writes; what waits is refused once the session is gone. */
  void close() {
    closed = true;
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        writer.execute(this::drain);
      } catch (RejectedExecutionException e) {
        scheduled.set(false);
        refuseWaiting();
      }
    }
  }

  private void refuseWaiting() {
    for (Pending<?> late = waiting.poll(); late != null; late = waiting.poll()) {
      late.fail(new StoreClosed());
      late.complete();
    }
  }

  private void drain() {
    try {
      for (List<Pending<?>> batch = take(); !batch.isEmpty(); batch = take()) {
        commit(batch);
        List<Pending<?>> done = batch;
        completer.execute(() -> done.forEach(Pending::complete));
      }
    } finally {
      scheduled.set(false);
      if (!waiting.isEmpty()) {
        schedule();
      }
    }
  }

  private List<Pending<?>> take() {
    List<Pending<?>> batch = new ArrayList<>();
    Pending<?> next;
    while (batch.size() < LARGEST_BATCH && (next = waiting.poll()) != null) {
      batch.add(next);
    }
    return batch;
  }

  private void commit(List<Pending<?>> batch) {
    try {
      transact(batch);
    } catch (Throwable e) { // whatever it is, whoever waits for the write must hear of it
      RuntimeException unavailable = closed ? new StoreClosed() : SqliteErrors.unavailable(e);
      if (unavailable != null || batch.size() == 1) {
        Throwable cause = unavailable == null ? e : unavailable;
        batch.forEach(pending -> pending.fail(cause));
      } else {
        batch.forEach(pending -> commit(List.of(pending)));
      }
    }
  }

  private void transact(List<Pending<?>> batch) throws SQLException {
    boolean committed = false;
    try {
      session.update("BEGIN IMMEDIATE");
      for (Pending<?> pending : batch) {
        pending.apply();
      }
      around.beforeCommit();
      session.update("COMMIT");
      committed = true;
      around.committed();
    } finally {
      if (!committed) {
        rollback();
      }
    }
  }

  private void rollback() {
    try {
      session.update("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back by itself, or never begun; either way nothing was written.
    }
    around.rolledBack();
  }
}
