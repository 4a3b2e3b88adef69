package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Somebody moves the store's file away underneath the server, and brings it back. */
final class FileTaken implements Fault {
  @Override
  public String name() {
    return "The store's file is taken away";
  }

  @Override
  public String holds() {
    return "Whatever comes meanwhile is refused with 503, to be handed in again.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "is not there any more"),
        new Sign(READY, "The store takes no writes."),
        new Sign(LOG, "put the very file back"));
  }

  @Override
  public String ends() {
    return "the very file is put back";
  }

  @Override
  public boolean quick() {
    return true;
  }

  @Override
  public void strike(Trial trial) throws IOException {
    Files.move(trial.file(), aside(trial));
  }

  @Override
  public void mend(Trial trial) throws IOException {
    Files.move(aside(trial), trial.file());
  }

  private static Path aside(Trial trial) {
    return trial.data().resolve("aside");
  }
}
