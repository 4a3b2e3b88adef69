package dev.postrider.channels;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Time that goes on when the test says so, while tasks and waiting are real. Thread-safe. */
public final class HandTime implements Scheduler {
  private record Due(Instant when, Runnable task) {}

  private final List<Due> timers = new ArrayList<>();
  private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

  public void pass(Duration time) {
    List<Due> due;
    synchronized (this) {
      now = now.plus(time);
      due = timers.stream().filter(timer -> !timer.when.isAfter(now)).toList();
      timers.removeAll(due);
    }
    due.forEach(timer -> timer.task.run());
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Duration elapsed() {
    return Duration.between(Instant.EPOCH, now);
  }

  @Override
  public Task start(String name, Runnable body) {
    return Thread.startVirtualThread(body)::interrupt;
  }

  @Override
  public synchronized Timer after(Duration wait, Runnable task) {
    Due due = new Due(now.plus(wait), task);
    timers.add(due);
    return () -> cancel(due);
  }

  private synchronized void cancel(Due due) {
    timers.remove(due);
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Interrupted();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
