package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** The process is stopped where it stands, for longer than it waits for an answer. */
final class Frozen implements Fault {
  private static final Duration LONG = Duration.ofSeconds(4);
  private static final int WITHIN_MS = 300;

  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "The server is stopped at any moment (SIGSTOP) and goes on";
  }

  @Override
  public String holds() {
    return "It goes on where it was.";
  }

  @Override
  public List<Sign> signs() {
    return List.of();
  }

  @Override
  public String ends() {
    return "SIGCONT";
  }

  @Override
  public void strike(Trial trial) {
    began = Instant.now();
    LockSupport.parkNanos(Duration.ofMillis(new SplittableRandom().nextInt(WITHIN_MS)).toNanos());
    trial.freeze();
    LockSupport.parkNanos(LONG.toNanos());
  }

  @Override
  public void mend(Trial trial) {
    trial.thaw();
    trial.doubtful(began);
  }
}
