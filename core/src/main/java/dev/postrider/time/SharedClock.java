package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The clock of a shared store, so that nodes whose own clocks differ agree on what is due. Between
 * two looks at it the node's stopwatch goes on; the node's own clock is not read, and may be set.
 */
public final class SharedClock implements Scheduler {
  private final Scheduler own;
  private final Supplier<Instant> zero;

  /**
   * @param zero what the shared clock showed when the node's stopwatch showed zero; may change
   */
  public SharedClock(Scheduler own, Supplier<Instant> zero) {
    this.own = own;
    this.zero = zero;
  }

  @Override
  public Instant instant() {
    return zero.get().plus(own.elapsed()).truncatedTo(ChronoUnit.MICROS); // as stores keep it
  }

  @Override
  public Duration elapsed() {
    return own.elapsed();
  }

  @Override
  public Task start(String name, Runnable body) {
    return own.start(name, body);
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    return own.after(wait, task);
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    return own.await(future);
  }
}
