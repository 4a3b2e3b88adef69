package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.internal.debian.DebianPackages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/**
 * The clock of one process, which can be set while it runs: Debian's libfaketime stands between the
 * process and the kernel, and reads from a file how wrong the clock is. The stopwatch goes on
 * evenly, as the kernel's does when somebody sets the clock. The process gets several times slower,
 * so one node of a cluster has such a clock.
 */
final class NodeClock {
  private final Path library;
  private final Path file;

  private NodeClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /**
   * A clock that is right.
   *
   * @throws IOException if the library cannot be had
   */
  static NodeClock make(Path file) throws IOException {
    Path root = DebianPackages.unpack("libfaketime", "libfaketime");
    Path library = root.resolve("usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    if (!Files.exists(library)) {
      throw new IOException("there is no " + library);
    }
    NodeClock clock = new NodeClock(library, file);
    clock.set(Duration.ZERO);
    return clock;
  }

  /** Sets it so far ahead; it is noticed within a second. */
  void set(Duration ahead) {
    try {
      Path written = Files.writeString(Path.of(file + ".new"), "%+d".formatted(ahead.toSeconds()));
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a process must find in its environment to live by this clock. */
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "FAKETIME_TIMESTAMP_FILE", file.toString(),
        "FAKETIME_CACHE_DURATION", "1",
        "NO_FAKE_STAT", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "DONT_FAKE_MONOTONIC", "1");
  }
}
