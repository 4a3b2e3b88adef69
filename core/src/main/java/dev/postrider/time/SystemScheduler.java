package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real time: virtual threads as strands, one timer thread that only starts strands. Thread-safe.
 */
public final class SystemScheduler implements Scheduler, AutoCloseable {
  private final InstantSource clock = InstantSource.system();
  private final ScheduledThreadPoolExecutor timers;

  public SystemScheduler() {
    timers =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("postrider-timer").factory());
    timers.setRemoveOnCancelPolicy(true);
    timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Instant instant() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS); // as precise as stores keep it
  }

  @Override
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime());
  }

  @Override
  public Strand start(String name, Runnable body) {
    return Thread.ofVirtual().name(name).start(body)::interrupt;
  }

  @Override
  public Timer at(Instant when, Runnable task) {
    if (timers.isShutdown()) {
      return () -> {};
    }
    long nanos = Math.max(0, nanosUntil(when));
    ScheduledFuture<?> future =
        timers.schedule(() -> start("timer", task), nanos, TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  private long nanosUntil(Instant when) {
    Duration left = Duration.between(instant(), when);
    // Timers further away than a day are re-checked by their owners; this only avoids overflow.
    return left.compareTo(Duration.ofDays(3650)) > 0
        ? Duration.ofDays(3650).toNanos()
        : left.toNanos();
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Interrupted();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    }
  }

  @Override
  public void close() {
    timers.shutdownNow();
  }
}
