package dev.postrider.channels;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** Time that stands still until somebody waits, and then jumps to the next timer. One thread. */
public final class StillTime implements Scheduler {
  private final PriorityQueue<Due> timers = new PriorityQueue<>(Comparator.comparing(Due::when));
  private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

  private record Due(Instant when, Runnable task) {}

  public void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Duration elapsed() {
    return Duration.ZERO;
  }

  @Override
  public Task start(String name, Runnable body) {
    throw new UnsupportedOperationException("nothing here starts tasks");
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    return at(now.plus(wait), task);
  }

  @Override
  public Timer at(Instant when, Runnable task) {
    Due due = new Due(when, task);
    timers.add(due);
    return () -> timers.remove(due);
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    while (!future.isDone()) {
      Due next = timers.remove();
      now = next.when.isAfter(now) ? next.when : now;
      next.task.run();
    }
    return future.join();
  }
}
