package dev.postrider.testkit.internal.debian;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Packages of Debian 12, fetched with {@code apt-get} and unpacked into {@code
 * target/debian/<name>} on first use.
 */
public final class DebianPackages {
  private static final int MINUTES_TO_FETCH = 5;

  private DebianPackages() {}

  /**
   * Gives the folder into which the packages are unpacked, as if it were the root.
   *
   * @throws IOException if they cannot be had; it says what is needed
   */
  public static Path unpack(String name, String... packages) throws IOException {
    return unpack(name, List.of("download"), packages);
  }

  /** The same, with everything they depend on that the system does not have. */
  public static Path unpackWithDependencies(String name, String... packages) throws IOException {
    return unpack(
        name, List.of("install", "--download-only", "--no-install-recommends", "--yes"), packages);
  }

  private static Path unpack(String name, List<String> how, String... packages) throws IOException {
    Path home = Path.of("target", "debian").toAbsolutePath();
    Path root = home.resolve(name);
    if (Files.exists(root)) {
      return root;
    }
    Path fetched = Files.createTempDirectory(Files.createDirectories(home), name);
    Path unpacked = Files.createDirectories(fetched.resolve("root"));
    fetch(fetched, how, packages);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(fetched, "*.deb")) {
      for (Path file : files) {
        run(fetched, List.of("dpkg", "-x", file.toString(), unpacked.toString()));
        Files.delete(file);
      }
    }
    try {
      Files.move(unpacked, root);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      return root; // another process was faster
    }
    return root;
  }

  /** If the system's lists of packages are missing or old, gets its own. */
  private static void fetch(Path into, List<String> how, String... packages) throws IOException {
    Files.createDirectories(into.resolve("partial"));
    List<String> known = new ArrayList<>(List.of("apt-get", "-q", "-o", "APT::Sandbox::User=root"));
    known.addAll(List.of("-o", "Debug::NoLocking=true"));
    known.addAll(List.of("-o", "Dir::Cache::archives=" + into));
    try {
      run(into, with(known, how, packages));
    } catch (IOException e) {
      Path lists = into.resolve("lists");
      Path cache = into.resolve("cache");
      Files.createDirectories(lists.resolve("partial"));
      Files.createDirectories(cache);
      known.addAll(List.of("-o", "Dir::State::lists=" + lists));
      known.addAll(List.of("-o", "Dir::Cache=" + cache));
      run(into, with(known, List.of("update")));
      run(into, with(known, how, packages));
    }
  }

  private static List<String> with(List<String> command, List<String> verb, String... names) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(verb);
    whole.addAll(List.of(names));
    return whole;
  }

  private static void run(Path folder, List<String> command) throws IOException {
    Path log = folder.resolve("log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(MINUTES_TO_FETCH, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroy();
        throw new IOException(
            "this needs Debian 12 and its packages within reach: "
                + String.join(" ", command)
                + "\n"
                + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
