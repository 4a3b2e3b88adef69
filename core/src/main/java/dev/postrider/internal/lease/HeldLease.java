package dev.postrider.internal.lease;

import dev.postrider.store.message.Lease;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder sees it: it is certain until a moment on the holder's own stopwatch, and in
 * doubt from then on until the next sign of life was answered. Whoever is about to act under it
 * asks first, so that a process that was stopped for a while and wakes up does not act on an old
 * right. Thread-safe.
 */
public final class HeldLease {
  /** What people are told while it is not certain. */
  public static final String IN_DOUBT =
      "this node is not certain that it still works the account: the store has not confirmed it";

  private final Lease lease;
  private final Scheduler time;
  private @Nullable Duration
      certainUntil; // guarded by this; null: for as long as the process lives
  private boolean lost; // guarded by this
  private CompletableFuture<Boolean> answer = new CompletableFuture<>(); // guarded by this

  private HeldLease(Lease lease, Scheduler time, @Nullable Duration certainUntil) {
    this.lease = lease;
    this.time = time;
    this.certainUntil = certainUntil;
  }

  /** A lease nobody can take while this process lives. */
  public static HeldLease forGood(Lease lease, Scheduler time) {
    return new HeldLease(lease, time, null);
  }

  static HeldLease until(Lease lease, Scheduler time, Duration certainUntil) {
    return new HeldLease(lease, time, certainUntil);
  }

  public Lease lease() {
    return lease;
  }

  /** Whether it is held for certain right now. */
  public boolean isCertain() {
    Duration left = certainFor();
    return left == null || left.isPositive();
  }

  /** How long it will be certain; not positive if it is not. Null: for as long as we live. */
  public synchronized @Nullable Duration certainFor() {
    if (lost) {
      return Duration.ZERO;
    }
    return certainUntil == null ? null : certainUntil.minus(time.elapsed());
  }

  /** Whether it is known to be lost. */
  public synchronized boolean isLost() {
    return lost;
  }

  /** Whether it is held: known at once if it is certain, else when the store has answered. */
  public synchronized CompletableFuture<Boolean> confirm() {
    return lost || isCertain() ? CompletableFuture.completedFuture(!lost) : answer;
  }

  void renew(Duration until) {
    CompletableFuture<Boolean> waited;
    synchronized (this) {
      certainUntil = until;
      waited = answer;
      answer = new CompletableFuture<>();
    }
    waited.complete(true);
  }

  void lose() {
    CompletableFuture<Boolean> waited;
    synchronized (this) {
      lost = true;
      waited = answer;
    }
    waited.complete(false);
  }
}
