package dev.postrider.testkit.internal.peers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Packages of npm, to the byte as a {@code package-lock.json} says, installed into {@code target}
 * on first use.
 */
public final class NpmPackages {
  private static final int MINUTES_TO_INSTALL = 15;

  private NpmPackages() {}

  /**
   * Copies a folder's files and installs what they say, unless it is there; of several test
   * processes one does, and the others wait.
   *
   * @return the folder in which it is installed
   */
  public static synchronized Path install(Path source, Path target)
      throws IOException, InterruptedException {
    Path home = Files.createDirectories(target);
    try (FileChannel file =
            FileChannel.open(
                home.resolveSibling(home.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assert lock.isValid();
      copyAndInstall(source, home);
    }
    return home;
  }

  private static void copyAndInstall(Path source, Path home)
      throws IOException, InterruptedException {
    Path lock = home.resolve("package-lock.json");
    boolean same =
        Files.exists(lock) && Files.mismatch(lock, source.resolve("package-lock.json")) == -1;
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, home.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (same && Files.exists(home.resolve("node_modules/.package-lock.json"))) {
      return;
    }
    List<String> install =
        List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
    Path log = home.resolve("npm.log");
    Process npm = run(home, install, Redirect.to(log.toFile()));
    if (!npm.waitFor(MINUTES_TO_INSTALL, TimeUnit.MINUTES) || npm.exitValue() != 0) {
      npm.destroy();
      throw new IOException("npm cannot install " + source + ":\n" + Files.readString(log));
    }
  }

  /** Starts a program of theirs. */
  public static Process run(Path home, List<String> command, Redirect output) throws IOException {
    try {
      return new ProcessBuilder(command)
          .directory(home.toFile())
          .redirectErrorStream(true)
          .redirectOutput(output)
          .start();
    } catch (IOException e) {
      throw new IOException(
          "This test needs Node 20 and npm (Debian: apt install nodejs npm),"
              + " or skip it with -Dpostrider.peers=skip",
          e);
    }
  }
}
