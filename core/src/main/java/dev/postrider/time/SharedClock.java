package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The clock of a shared store, so that nodes whose own clocks differ agree on what is due. The
 * node's clock goes on ticking; it is only read with the difference that was measured.
 */
public final class SharedClock implements Scheduler {
  private final Scheduler own;
  private final Supplier<Duration> ahead;

  /**
   * @param ahead how far the shared clock is ahead of the node's own; may change
   */
  public SharedClock(Scheduler own, Supplier<Duration> ahead) {
    this.own = own;
    this.ahead = ahead;
  }

  @Override
  public Instant instant() {
    return own.instant().plus(ahead.get());
  }

  @Override
  public Duration elapsed() {
    return own.elapsed();
  }

  @Override
  public Strand start(String name, Runnable body) {
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
