package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Something that goes wrong around a server. */
public interface Fault {
  /** In a few words. */
  String name();

  /**
   * What holds, besides what always must: nothing acknowledged is lost, changes its place, or is
   * sent again without a reason.
   */
  String holds();

  /** What an operator sees while it lasts. */
  List<Sign> signs();

  /** What ends it. */
  String ends();

  /** Whether it mounts disks of its own. */
  default boolean needsRoot() {
    return false;
  }

  /** Whether every build has it. */
  default boolean quick() {
    return false;
  }

  default Trial.Settings settings() {
    return Trial.Settings.USUAL;
  }

  /** Before the server is started. */
  default void prepare(Trial trial) throws IOException {}

  /** Makes it; the server is under load. */
  void strike(Trial trial) throws IOException, InterruptedException;

  /** Ends it: the server is on its own from now on. */
  void mend(Trial trial) throws IOException, InterruptedException;

  /** After the trial, whatever came of it. */
  default void tidy(Trial trial) throws IOException {}

  /** Those there are. */
  static List<Fault> all() {
    return List.of(
        new DiskFull(),
        new DiskReadOnly(),
        new FileTaken(),
        new TornLog(),
        new PlatformSilent(),
        new BodiesEndless(),
        new NamesGone(),
        new FilesFew(),
        new Frozen(),
        new Terminated(),
        new PrimaryKilled(),
        new CommitsLost(),
        new StandbySilent(),
        new SilentTakesOver());
  }

  /** Runs a program of the system, as root. */
  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** A folder in place of this one, on a disk of its own in memory. */
  static void mountSmallDisk(Path folder, String megabytes) throws IOException {
    run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
  }

  static void unmount(Path folder) throws IOException {
    run("umount", folder.toString());
  }
}
