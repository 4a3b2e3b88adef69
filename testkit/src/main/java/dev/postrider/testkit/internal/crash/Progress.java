package dev.postrider.testkit.internal.crash;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How far a load has come, so that a harness goes by what was done and not by the clock: on a busy
 * machine little may happen in a second.
 */
final class Progress {
  private final Semaphore steps = new Semaphore(0);

  void step() {
    steps.release();
  }

  /** Returns when so many steps were made from now on. */
  void awaitMore(int count) throws InterruptedException {
    steps.drainPermits();
    if (!steps.tryAcquire(count, ServerProcess.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError(
          "the load came no further within " + ServerProcess.LIMIT + ": " + count + " to go");
    }
  }
}
