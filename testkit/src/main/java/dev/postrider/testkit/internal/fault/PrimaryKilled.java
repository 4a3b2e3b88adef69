package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.time.Instant;
import java.util.List;

/** The primary dies, and a standby takes over that has everything. */
final class PrimaryKilled extends PostgresFault {
  private Instant began = Instant.EPOCH;

  @Override
  PostgresPair startPair() {
    return new PostgresPair().synchronous();
  }

  @Override
  public String name() {
    return "PostgreSQL's primary is killed (SIGKILL), and its synchronous standby takes over";
  }

  @Override
  public String holds() {
    return "Whatever comes meanwhile is refused with 503, to be handed in again. What was being"
        + " sent then is sent again: one part of each chat at most, marked `possibleDuplicate`."
        + " The server goes on by itself.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "The store takes no writes: "),
        new Sign(READY, "The store takes no writes."),
        new Sign(LOG, "The store takes no writes: "));
  }

  @Override
  public String ends() {
    return "the standby is promoted and the address moved";
  }

  @Override
  public void strike(Trial trial) {
    began = Instant.now();
    pair().primary().kill();
  }

  @Override
  public void mend(Trial trial) {
    pair().failOver();
    trial.doubtful(began);
  }
}
