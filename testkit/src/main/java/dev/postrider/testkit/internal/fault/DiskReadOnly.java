package dev.postrider.testkit.internal.fault;

import static dev.postrider.testkit.internal.fault.Sign.Place.DOCTOR;
import static dev.postrider.testkit.internal.fault.Sign.Place.HEALTH;
import static dev.postrider.testkit.internal.fault.Sign.Place.LOG;
import static dev.postrider.testkit.internal.fault.Sign.Place.READY;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The file system has met an error, and lets nobody write until it is mounted anew. */
final class DiskReadOnly implements Fault {
  private Instant began = Instant.EPOCH;

  @Override
  public String name() {
    return "The disk turns read-only after an error of its own";
  }

  @Override
  public String holds() {
    return "A server that is stopped meanwhile says that not everything may be stored. What it was"
        + " sending then is sent again: one part of each chat at most, marked `possibleDuplicate`.";
  }

  @Override
  public List<Sign> signs() {
    return List.of(
        new Sign(HEALTH, "The store takes no writes: the disk reports an I/O error"),
        new Sign(READY, "The store takes no writes."),
        new Sign(LOG, "the system's log (dmesg) says more"),
        new Sign(DOCTOR, "Read-only file system"));
  }

  @Override
  public String ends() {
    return "the disk is mounted anew and the server started again";
  }

  @Override
  public boolean needsRoot() {
    return true;
  }

  @Override
  public void prepare(Trial trial) throws IOException {
    Path image = image(trial);
    Fault.run("truncate", "--size=64M", image.toString());
    Fault.run("mkfs.ext4", "-q", image.toString());
    mount(trial);
  }

  @Override
  public void strike(Trial trial) throws IOException {
    began = Instant.now();
    Path device = Path.of(Files.readString(source(trial)).strip());
    Files.writeString(
        Path.of("/sys/fs/ext4", device.getFileName().toString(), "trigger_fs_error"), "a fault");
  }

  @Override
  public void mend(Trial trial) throws IOException {
    trial.stop();
    if (!trial.log().contains("may not be stored, because the store takes no writes")) {
      throw new AssertionError("it stopped as if all was well: " + trial.log());
    }
    Fault.unmount(trial.data());
    mount(trial);
    trial.start();
    trial.doubtful(began);
  }

  @Override
  public void tidy(Trial trial) throws IOException {
    Fault.unmount(trial.data());
  }

  private static void mount(Trial trial) throws IOException {
    Fault.run(
        "mount", "-o", "loop,errors=remount-ro", image(trial).toString(), trial.data().toString());
    Fault.run(
        "sh",
        "-c",
        "findmnt -no SOURCE \"$0\" >\"$1\"",
        trial.data().toString(),
        "" + source(trial));
  }

  private static Path image(Trial trial) {
    return trial.data().resolveSibling("disk.img");
  }

  private static Path source(Trial trial) {
    return trial.data().resolveSibling("device");
  }
}
