package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Somebody stops the server as one should. */
final class Terminated implements Fault {
  private static final int WITHIN_MS = 300;
  private static final int BY_SIGTERM = 143;

  @Override
  public String name() {
    return "The server is ended at any moment (SIGTERM)";
  }

  @Override
  public String holds() {
    return "It finishes what is under way: nothing is in doubt, and nothing is sent again. It ends"
        + " with 143.";
  }

  @Override
  public List<Sign> signs() {
    return List.of();
  }

  @Override
  public String ends() {
    return "the server is started again";
  }

  @Override
  public boolean quick() {
    return true;
  }

  @Override
  public void strike(Trial trial) {
    LockSupport.parkNanos(Duration.ofMillis(new SplittableRandom().nextInt(WITHIN_MS)).toNanos());
    int exit = trial.stop();
    if (exit != BY_SIGTERM) {
      throw new AssertionError("it ended with " + exit);
    }
  }

  @Override
  public void mend(Trial trial) {
    trial.start();
  }
}
