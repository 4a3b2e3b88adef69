package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes whoever waits for something to do. Waiting counts on the stopwatch: whatever is done to the
 * clock, nobody sleeps longer than they were told. Thread-safe.
 */
public final class Signal {
  /** So long at most is an instant waited for without another look: the clock may be set. */
  public static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private final Set<Ear> ears = ConcurrentHashMap.newKeySet();
  private final Scheduler time;

  public Signal(Scheduler time) {
    this.time = time;
  }

  public void ring() {
    ears.forEach(ear -> ear.rung.complete(true));
  }

  /** Hears the bell from now on; to be had before one looks, so that nothing is missed. */
  public Ear listen() {
    Ear ear = new Ear();
    ears.add(ear);
    return ear;
  }

  /** Somebody who listens. Belongs to one task. */
  public final class Ear implements AutoCloseable {
    private final CompletableFuture<Boolean> rung = new CompletableFuture<>();

    private Ear() {}

    /** Waits until the bell has rung, but no longer than this. */
    public void await(Duration atMost) {
      time.awaitFor(rung, atMost);
    }

    /**
     * Waits until the bell has rung, or until the instant seems to have come, but no longer than
     * {@link #LOOK_AGAIN}: whoever waits for it looks whether it has.
     */
    public void await(Instant until) {
      Duration left = Duration.between(time.instant(), until);
      await(left.compareTo(LOOK_AGAIN) > 0 ? LOOK_AGAIN : left);
    }

    @Override
    public void close() {
      ears.remove(this);
    }
  }
}
