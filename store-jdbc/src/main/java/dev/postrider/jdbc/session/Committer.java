package dev.postrider.jdbc.session;

import dev.postrider.store.CommitListener;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * what the target says; if not, each half of the batch is applied again by itself, and so on until
 * the culprit is alone, and only that one fails, by name. The common case pays nothing for this:
 * there are no savepoints.
 *
 * <p>Every write is answered, whatever happens: also one that waits when the store is closed, and
 * one whose batch met a defect of ours.
 *
 * <p>Thread-safe. The target is called only by tasks of the {@code writer} executor, which runs one
 * at a time.
 */
public final class Committer<W extends Write<?>> {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
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
  private volatile boolean ended;
  private volatile CommitListener listener = (_, _) -> {};

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
      return;
    }
    waiting.add(write);
    schedule();
    if (ended) {
      refuseWaiting();
    }
  }

  /** Whether nobody waits, but for what is being written. */
  public boolean isIdle() {
    return waiting.isEmpty();
  }

  /** Tells of commits from now on. */
  public void onCommit(CommitListener whom) {
    listener = whom;
  }

  /** Takes no more writes; what waits is still written if the writer goes on. */
  public void close() {
    closed = true;
  }

  /** The writer has ended: what still waits is refused. */
  public void end() {
    closed = true;
    ended = true;
    refuseWaiting();
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

  private synchronized void refuseWaiting() {
    for (W late = waiting.poll(); late != null; late = waiting.poll()) {
      late.fail(new StoreClosed());
      late.complete();
    }
  }

  private void drain() {
    try {
      for (List<W> batch = take(); !batch.isEmpty(); batch = take()) {
        try {
          commit(batch);
        } catch (Throwable e) { // a defect of the target's: whoever waits must hear of it
          fail(batch, new StoreUnavailable("the writer met a defect: " + e, e));
        }
        answer(batch);
      }
    } finally {
      scheduled.set(false);
      if (!waiting.isEmpty()) {
        schedule();
      }
    }
  }

  private void answer(List<W> batch) {
    try {
      completer.execute(() -> batch.forEach(Write::complete));
    } catch (RejectedExecutionException e) {
      batch.forEach(Write::complete); // the store closes; nothing is slowed down any more
    }
  }

  private synchronized List<W> take() {
    List<W> batch = new ArrayList<>();
    for (W next = waiting.peek();
        next != null && batch.size() < LARGEST_BATCH && (batch.isEmpty() || !next.alone());
        next = waiting.peek()) {
      batch.add(next);
      waiting.remove(); // whoever removes holds the lock
      if (next.alone()) {
        break;
      }
    }
    return batch;
  }

  /** What is durable stays so, whatever a listener does. */
  private void tell(int writes, Duration took) {
    try {
      listener.committed(writes, took);
    } catch (RuntimeException | Error e) {
      log.warn("A listener failed on a commit: {}", e.toString());
    }
  }

  /** Applies the writes; gives what keeps the store from writing, if anything does. */
  private @Nullable RuntimeException commit(List<W> batch) {
    long began = System.nanoTime();
    try {
      target.commit(batch);
      tell(batch.size(), Duration.ofNanos(System.nanoTime() - began));
      return null;
    } catch (Throwable e) { // whatever it is, whoever waits for the write must hear of it
      RuntimeException unavailable = closed ? new StoreClosed() : target.unavailable(e);
      if (unavailable != null) {
        fail(batch, unavailable);
      } else if (batch.size() == 1) {
        W culprit = batch.getFirst();
        culprit.fail(StoreFailures.of(culprit.operation(e), e));
      } else {
        return halve(batch);
      }
      return unavailable;
    }
  }

  private @Nullable RuntimeException halve(List<W> batch) {
    int half = batch.size() / 2;
    List<W> rest = batch.subList(half, batch.size());
    RuntimeException unavailable = commit(batch.subList(0, half));
    if (unavailable == null) {
      return commit(rest);
    }
    fail(rest, unavailable);
    return unavailable;
  }

  private void fail(List<W> batch, RuntimeException failure) {
    batch.forEach(write -> write.fail(failure));
  }
}
