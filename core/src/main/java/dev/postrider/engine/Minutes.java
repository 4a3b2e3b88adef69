package dev.postrider.engine;

import dev.postrider.store.Minute;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a history of the queues: once a minute, what happened in it and how deep they are.
 * Thread-safe.
 */
final class Minutes {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final House house;
  private final IntSupplier sending;
  private final BooleanSupplier depthsToo;
  private final Meter accepted;
  private final Meter delivered;
  private final Meter failedSends;
  private final Meter received;
  private final Meter handled;
  private final Meter failedHandling;
  private Scheduler.@Nullable Timer next; // guarded by this
  private boolean stopped; // guarded by this

  /**
   * @param sending how many messages this process is sending
   * @param depthsToo whether this process is the one that tells how deep the queues are
   */
  Minutes(House house, IntSupplier sending, BooleanSupplier depthsToo) {
    this.house = house;
    this.sending = sending;
    this.depthsToo = depthsToo;
    Tally tally = house.tally();
    accepted = new Meter(tally.accepted);
    delivered = new Meter(tally.delivered);
    failedSends = new Meter(tally.retried, tally.failed);
    received = new Meter(tally.received);
    handled = new Meter(tally.handled);
    failedHandling = new Meter(tally.handlingFailed);
  }

  /** Tells how much was counted since it was last asked. */
  private static final class Meter {
    private final LongAdder[] counters;
    private long last;

    Meter(LongAdder... counters) {
      this.counters = counters;
    }

    long since() {
      long sum = 0;
      for (LongAdder counter : counters) {
        sum += counter.sum();
      }
      long since = sum - last;
      last = sum;
      return since;
    }
  }

  synchronized void start() {
    if (!stopped) {
      Instant began = house.time().instant().truncatedTo(ChronoUnit.MINUTES);
      next = house.time().at(began.plus(MINUTE), () -> over(began));
    }
  }

  synchronized void stop() {
    stopped = true;
    if (next != null) {
      next.cancel();
    }
  }

  private void over(Instant began) {
    // A minute that cannot be stored is gone: while the store is away little happens anyway.
    try {
      Minute minute = minute(began);
      boolean depths = depthsToo.getAsBoolean();
      house.call(() -> house.store().desk().save(house.node(), minute, depths));
    } finally {
      start();
    }
  }

  private synchronized Minute minute(Instant began) {
    Tally tally = house.tally();
    long leased = tally.leasedEvents();
    int underWay = sending.getAsInt();
    return new Minute(
        began,
        new Minute.Flow(
            Math.max(0, tally.waitingEvents() - leased),
            leased,
            tally.deadEvents(),
            received.since(),
            handled.since(),
            failedHandling.since()),
        new Minute.Flow(
            Math.max(0, tally.active() - underWay),
            underWay,
            tally.deadLetters(),
            accepted.since(),
            delivered.since(),
            failedSends.since()));
  }
}
