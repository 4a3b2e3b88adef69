package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.DOCTOR;
import static dev.postrider.testkit.internal.fault.Sign.Place.WAITING;

import dev.postrider.testkit.internal.crash.Trial;
import java.time.Instant;
import java.util.List;

/** Connections stay open and nothing comes through, as when a router in between lost them. */
final class PlatformSilent implements Fault {
  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "Connections to the platform are half open: nothing arrives, nobody is told";
  }

  @Override
  public String holds() {
    return "Messages are taken all the while, and wait in order. Nobody knows whether what was sent"
        + " arrived: it is sent again, and says `possibleDuplicate`.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(WAITING, "no answer within 3000 ms"), new Sign(DOCTOR, "could not be asked"));
  }

  @Override
  public String ends() {
    return "the way is free again";
  }

  @Override
  public void strike(Trial trial) {
    began = Instant.now();
    trial.cable().clog();
  }

  @Override
  public void mend(Trial trial) {
    trial.cable().cut(); // what was held up is lost
    trial.cable().heal();
    trial.doubtful(began);
  }
}
