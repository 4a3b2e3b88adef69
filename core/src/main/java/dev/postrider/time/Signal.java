package dev.postrider.time;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Wakes whoever waits for something to do. Thread-safe. */
public final class Signal {
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

    /** Waits until the bell has rung, or until then. */
    public void await(Instant until) {
      Scheduler.Timer limit = time.at(until, () -> rung.complete(false));
      try {
        time.await(rung);
      } finally {
        limit.cancel();
      }
    }

    @Override
    public void close() {
      ears.remove(this);
    }
  }
}
