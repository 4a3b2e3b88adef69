package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

/**
 * The clock, the timers and the strands of one engine. A strand is a line of straight code that may
 * block: a virtual thread in production, a turn-taking thread in virtual time. Code that runs on a
 * strand blocks only through {@link #await}, so that virtual time knows when everybody waits.
 */
public interface Scheduler extends InstantSource {

  /**
   * What a stopwatch shows: goes on evenly whatever is done to the clock. Its zero means nothing.
   */
  Duration elapsed();

  /** Starts a strand. */
  Strand start(String name, Runnable body);

  /** Runs a short task that does not block at the given time, or at once if that has passed. */
  Timer at(Instant when, Runnable task);

  /**
   * Waits for the future and gives its value; an unchecked exception of the future is thrown as it
   * is.
   *
   * @throws Interrupted if the strand is interrupted while it waits
   */
  <T> T await(CompletableFuture<T> future);

  /**
   * Waits so long.
   *
   * @throws Interrupted if the strand is interrupted while it waits
   */
  default void pause(Duration length) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Timer timer = at(instant().plus(length), () -> over.complete(true));
    try {
      await(over);
    } finally {
      timer.cancel();
    }
  }

  /**
   * Waits until the future is done, or until then; tells whether it is done.
   *
   * @throws Interrupted if the strand is interrupted while it waits
   */
  default boolean awaitUntil(CompletableFuture<?> future, Instant until) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Timer limit = at(until, () -> over.complete(false));
    future.whenComplete((_, _) -> over.complete(true));
    try {
      return await(over);
    } finally {
      limit.cancel();
    }
  }

  /** A running strand. */
  interface Strand {
    void interrupt();
  }

  /** A task that has not run yet. */
  interface Timer {
    void cancel();
  }

  /** Thrown out of {@link #await} on a strand that was asked to stop. */
  final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Interrupted() {
      super("interrupted");
    }
  }
}
