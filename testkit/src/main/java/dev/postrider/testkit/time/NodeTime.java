package dev.postrider.testkit.time;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * The time of one process among several in a virtual world. It can be stopped for a while and go on
 * (as by SIGSTOP and SIGCONT), or end (as by SIGKILL), without the others; and its clock can be
 * wrong.
 */
public final class NodeTime implements Scheduler {
  private final VirtualTime world;
  private Duration ahead = Duration.ZERO;
  private boolean dead;
  private CompletableFuture<Boolean> going = CompletableFuture.completedFuture(true);

  public NodeTime(VirtualTime world) {
    this.world = world;
  }

  /** Its clock is wrong by this much. */
  public void clockAhead(Duration by) {
    ahead = by;
  }

  /** Nothing of it runs until it is thawed; what it waits for may happen meanwhile. */
  public void freeze() {
    going = new CompletableFuture<>();
  }

  public void thaw() {
    going.complete(true);
  }

  /** Nothing of it runs ever again. */
  public void kill() {
    dead = true;
    going = new CompletableFuture<>();
  }

  @Override
  public Instant instant() {
    return world.instant().plus(ahead);
  }

  @Override
  public Duration elapsed() {
    return world.elapsed();
  }

  @Override
  public Task start(String name, Runnable body) {
    return world.start(
        name,
        () -> {
          goOn();
          body.run();
        });
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    return world.after(
        wait,
        () -> {
          if (going.isDone()) {
            task.run();
          } else if (!dead) {
            going.thenRun(task);
          }
        });
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    try {
      return world.await(future);
    } finally {
      goOn();
    }
  }

  private void goOn() {
    if (!going.isDone()) {
      world.await(going); // for ever, if it is dead
    }
  }
}
