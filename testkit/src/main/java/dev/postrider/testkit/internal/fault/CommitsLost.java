package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.util.List;

/** The primary dies, and a standby takes over that has not got its last commits. */
final class CommitsLost extends PostgresFault {
  private static final int LOST = 100; // messages

  @Override
  PostgresPair startPair() {
    return new PostgresPair();
  }

  @Override
  public String name() {
    return "PostgreSQL's primary is killed, and a standby takes over that lacks its last commits";
  }

  @Override
  public String holds() {
    return "What was accepted since is lost: it is unknown by its id (404), and can be handed in"
        + " again. The server notices, and sends nothing; without `postrider hold` it does not"
        + " start again. What may have been sent is held then, and nothing is sent twice.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "the database has gone back to an earlier state"),
        new Sign(READY, "The store takes no writes."),
        new Sign(LOG, "Stop all servers, run 'postrider hold --taken "));
  }

  @Override
  public String ends() {
    return "the server is stopped, `postrider hold` run, what it held discarded";
  }

  @Override
  public void strike(Trial trial) throws InterruptedException {
    pair().replication().cut();
    trial.awaitMore(LOST);
    pair().primary().kill();
    pair().failOver();
  }

  @Override
  public void mend(Trial trial) throws IOException {
    trial.stop();
    trial.requireRefusal("run 'postrider hold --taken ");
    trial.hold();
    trial.start();
    trial.discardHeld();
  }
}
