package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * The clock, the timers and the tasks of one engine. A task is a line of straight code that may
 * block: a virtual thread in production, a turn-taking thread in virtual time. Code that runs on a
 * task blocks only through {@link #await}, so that virtual time knows when everybody waits.
 */
public interface Scheduler extends InstantSource {
  /** How soon a timer for an instant notices that the clock was set. */
  Duration CLOCK_READ_EVERY = Duration.ofSeconds(5);

  /**
   * What a stopwatch shows: goes on evenly whatever is done to the clock. Its zero means nothing.
   */
  Duration elapsed();

  /** Starts a task. */
  Task start(String name, Runnable body);

  /**
   * Runs a short task that does not block after so long, whatever is done to the clock; at once if
   * that is not positive. For how long something may take, or a pause.
   */
  Timer after(Duration wait, Runnable task);

  /**
   * Runs a short task that does not block when the clock shows the given time, or at once if that
   * has passed. A clock that is set is noticed within {@link #CLOCK_READ_EVERY}. For times that
   * people or the store know of.
   */
  default Timer at(Instant when, Runnable task) {
    return new ClockTimer(this, when, task).arm();
  }

  /**
   * Waits for the future and gives its value; an unchecked exception of the future is thrown as it
   * is.
   *
   * @throws Interrupted if the task is interrupted while it waits
   */
  <T> T await(CompletableFuture<T> future);

  /**
   * Waits so long.
   *
   * @throws Interrupted if the task is interrupted while it waits
   */
  default void pause(Duration length) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Timer timer = after(length, () -> over.complete(true));
    try {
      await(over);
    } finally {
      timer.cancel();
    }
  }

  /**
   * Waits until the future is done, but no longer than this; tells whether it is done.
   *
   * @throws Interrupted if the task is interrupted while it waits
   */
  default boolean awaitFor(CompletableFuture<?> future, Duration atMost) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Timer limit = after(atMost, () -> over.complete(false));
    future.whenComplete((_, _) -> over.complete(true));
    try {
      return await(over);
    } finally {
      limit.cancel();
    }
  }

  /** A running task. */
  interface Task {
    void interrupt();
  }

  /** A task that has not run yet. */
  interface Timer {
    void cancel();
  }

  /** Thrown out of {@link #await} in a task that was asked to stop. */
  final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Interrupted() {
      super("interrupted");
    }
  }
}
