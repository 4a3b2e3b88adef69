package dev.postrider.jdbc;

import dev.postrider.store.StoreClosed;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes durability cheap: many writes, one transaction, one fsync.
 *
 * <p>A commit costs one fsync whatever it holds. So every write is put into a queue, and one thread
 * takes whatever is waiting, applies it in one transaction and commits. While the fsync of one
 * batch runs, the next batch gathers: under load batches grow by themselves and the cost per write
 * shrinks, at rest a write waits for nobody. There is nothing to tune.
 *
 * <p>A future completes after the commit, never before, and on another thread than the writer's, so
 * that no callback can slow the next batch down. Writes are applied in the order in which they were
 * handed in.
 *
 * <p>One write that fails must not take its neighbours with it. The batch is rolled back; if the
 * store itself is the problem (disk full, connection lost), every write of the batch fails with
 * what the target says; if not, the writes are applied again one by one, each in a transaction of
 * its own, and only the culprit fails. The common case pays nothing for this: there are no
 * savepoints.
 *
 * <p>Thread-safe. The target is called only by tasks of the {@code writer} executor, which runs one
 * at a time.
 */
public final class Committer<W extends Write<?>> {
  private static final int LARGEST_BATCH = 2_000;

  /** Where writes become durable. */
  public interface Target<W> {
    /**
     * Applies the writes in one transaction. When this returns, they are durable and hold their
     * results; when it throws, none of them was applied.
     */
    void commit(List<W> batch) throws SQLException;

    /** What keeps the store from writing, or null if a write is at fault. */
    @Nullable RuntimeException unavailable(Throwable failure);

    /** Why a write is refused without being queued, or null. */
    default @Nullable RuntimeException refusal() {
      return null;
    }
  }

  private final Target<W> target;
  private final Executor writer;
  private final Executor completer;
  private final Queue<W> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * @param writer runs one task at a time
   * @param completer runs what follows from a commit, in order
   */
  public Committer(Target<W> target, Executor writer, Executor completer) {
    this.target = target;
    this.writer = writer;
    this.completer = completer;
  }

  /** Hands a write in; its future completes when it is durable. */
  public void submit(W write) {
    RuntimeException refusal = closed ? new StoreClosed() : target.refusal();
    if (refusal != null) {
      write.fail(refusal);
      write.complete();
    } else {
      waiting.add(write);
      schedule();
    }
  }

  /** Takes no more writes; what waits is refused once the store is gone. */
  public void close() {
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
    for (W late = waiting.poll(); late != null; late = waiting.poll()) {
      late.fail(new StoreClosed());
      late.complete();
    }
  }

  private void drain() {
    try {
      for (List<W> batch = take(); !batch.isEmpty(); batch = take()) {
        commit(batch);
        List<W> done = batch;
        completer.execute(() -> done.forEach(Write::complete));
      }
    } finally {
      scheduled.set(false);
      if (!waiting.isEmpty()) {
        schedule();
      }
    }
  }

  private List<W> take() {
    List<W> batch = new ArrayList<>();
    for (W next = waiting.peek();
        next != null && batch.size() < LARGEST_BATCH && (batch.isEmpty() || !next.alone());
        next = waiting.peek()) {
      batch.add(next);
      waiting.remove(); // the only one who removes is the writer
      if (next.alone()) {
        break;
      }
    }
    return batch;
  }

  private void commit(List<W> batch) {
    try {
      target.commit(batch);
    } catch (Throwable e) { // whatever it is, whoever waits for the write must hear of it
      RuntimeException unavailable = closed ? new StoreClosed() : target.unavailable(e);
      if (unavailable != null || batch.size() == 1) {
        Throwable cause = unavailable == null ? e : unavailable;
        batch.forEach(write -> write.fail(cause));
      } else {
        batch.forEach(write -> commit(List.of(write)));
      }
    }
  }
}
