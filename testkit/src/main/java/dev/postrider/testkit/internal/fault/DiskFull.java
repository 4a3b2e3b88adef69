package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.DOCTOR;
import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Another program fills the disk, and gives the room back. */
final class DiskFull implements Fault {
  private static final String MEGABYTES = "24";

  @Override
  public String name() {
    return "The disk is full";
  }

  @Override
  public String holds() {
    return "Whatever cannot be written down is refused with 503, to be handed in again.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "The store takes no writes: the disk is full; free some space"),
        new Sign(READY, "The store takes no writes."),
        new Sign(LOG, "The store takes no writes: the disk is full; free some space"),
        new Sign(DOCTOR, "Only 0 bytes free."));
  }

  @Override
  public String ends() {
    return "room is made";
  }

  @Override
  public boolean needsRoot() {
    return true;
  }

  @Override
  public boolean quick() {
    return true;
  }

  @Override
  public void prepare(Trial trial) throws IOException {
    Fault.mountSmallDisk(trial.data(), MEGABYTES);
  }

  @Override
  public void strike(Trial trial) throws IOException {
    byte[] some = new byte[4096];
    try (OutputStream filler = Files.newOutputStream(filler(trial))) {
      while (true) {
        filler.write(some);
      }
    } catch (IOException e) {
      // It is full.
    }
  }

  @Override
  public void mend(Trial trial) throws IOException {
    Files.delete(filler(trial));
  }

  @Override
  public void tidy(Trial trial) throws IOException {
    Fault.unmount(trial.data());
  }

  private static Path filler(Trial trial) {
    return trial.data().resolve("filler");
  }
}
