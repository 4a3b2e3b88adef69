package dev.postrider.internal.engine;

import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.context.MessageCounts;
import dev.postrider.store.history.QueueMinute;
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
final class QueueHistory {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final EngineContext context;
  private final IntSupplier sending;
  private final BooleanSupplier depthsToo;
  private final Meter accepted;
  private final Meter delivered;
  private final Meter failedSends;
  private final Meter undelivered;
  private final Meter received;
  private final Meter handled;
  private final Meter failedHandling;
  private final Meter unhandled;
  private Scheduler.@Nullable Timer next; // guarded by this
  private boolean stopped; // guarded by this

  /**
   * @param sending how many messages this process is sending
   * @param depthsToo whether this process is the one that tells how deep the queues are
   */
  QueueHistory(EngineContext context, IntSupplier sending, BooleanSupplier depthsToo) {
    this.context = context;
    this.sending = sending;
    this.depthsToo = depthsToo;
    MessageCounts counts = context.counts();
    accepted = new Meter(counts.accepted);
    delivered = new Meter(counts.delivered);
    failedSends = new Meter(counts.retried, counts.failed);
    undelivered = new Meter(counts.failed, counts.expired, counts.held);
    received = new Meter(counts.received);
    handled = new Meter(counts.handled);
    failedHandling = new Meter(counts.handlingFailed);
    unhandled = new Meter(counts.unhandled);
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
      Instant began = context.time().instant().truncatedTo(ChronoUnit.MINUTES);
      next = context.time().at(began.plus(MINUTE), () -> over(began));
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
      QueueMinute minute = minute(began);
      boolean depths = depthsToo.getAsBoolean();
      context.call(() -> context.store().inboundStore().save(context.node(), minute, depths));
    } finally {
      start();
    }
  }

  private synchronized QueueMinute minute(Instant began) {
    MessageCounts counts = context.counts();
    long leased = counts.leasedEvents();
    int underWay = sending.getAsInt();
    return new QueueMinute(
        began,
        new QueueMinute.Flow(
            Math.max(0, counts.waitingEvents() - leased),
            leased,
            counts.deadEvents(),
            received.since(),
            handled.since(),
            failedHandling.since(),
            unhandled.since()),
        new QueueMinute.Flow(
            Math.max(0, counts.active() - underWay),
            underWay,
            counts.deadLetters(),
            accepted.since(),
            delivered.since(),
            failedSends.since(),
            undelivered.since()));
  }
}
