package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time: virtual threads as tasks, one timer thread that only starts tasks. Thread-safe. */
public final class SystemScheduler implements Scheduler, AutoCloseable {
  private static final Duration LONGEST = Duration.ofDays(3650); // only avoids overflow

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
  public Task start(String name, Runnable body) {
    return Thread.ofVirtual().name(name).start(body)::interrupt;
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    if (timers.isShutdown()) {
      return () -> {};
    }
    Duration left = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    try {
      ScheduledFuture<?> future =
          timers.schedule(() -> run(task), Math.max(0, left.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) { // closed just now
      return () -> {};
    }
  }

  private void run(Runnable task) {
    try {
      start("timer", task);
    } catch (OutOfMemoryError e) { // no task to be had: a task whose time has come is not dropped
      timers.schedule(() -> run(task), 1, TimeUnit.SECONDS);
    }
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
