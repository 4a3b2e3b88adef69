package dev.postrider.channels.peers;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.net.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server that somebody else wrote, from Debian's packages. Which ones stands in {@code
 * src/test/peers/<name>/packages}; they are fetched and unpacked into {@code target} on first use.
 * The server runs in there as its root (chroot), with the {@code etc} of that folder: with users
 * and a spool of its own, while nothing is installed into the system.
 *
 * <p>It takes Debian 12, and root, as the server changes users. Without them a test fails and says
 * so; {@code -Dpostrider.peers=skip} skips such tests on purpose.
 */
public final class DebianPeer implements AutoCloseable {
  private static final String NEEDS =
      "This test needs Debian 12, to be run as root, and Debian's packages within reach;"
          + " or skip it with -Dpostrider.peers=skip";

  private static final int MINUTES_TO_INSTALL = 5;
  private static final int SECONDS_TO_START = 30;
  private static final int SECONDS_TO_STOP = 10;

  private final Path source;
  private final Path home;
  private final Path root;
  private final int port;
  private @Nullable Process process;

  private DebianPeer(Path source, Path home, int port) {
    this.source = source;
    this.home = home;
    this.root = home.resolve("root");
    this.port = port;
  }

  /** Unpacks a peer, which does not run yet. */
  public static DebianPeer unpack(String name) throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new IOException(NEEDS);
    }
    Path source = Path.of("src/test/peers", name).toAbsolutePath();
    Path home = Files.createDirectories(Path.of("target/peers", name).toAbsolutePath());
    DebianPeer peer = new DebianPeer(source, home, FreePort.find());
    peer.install();
    return peer;
  }

  public int port() {
    return port;
  }

  /** A path as the peer sees it. */
  public Path path(String inside) {
    return root.resolve(inside);
  }

  /** An empty folder for the peer. */
  public DebianPeer folder(String inside, int owner, int mode) throws IOException {
    Path folder = path(inside);
    delete(folder);
    Files.createDirectories(folder);
    for (Path above = folder; !above.equals(root); above = above.getParent()) {
      Files.setAttribute(above, "unix:mode", above.equals(folder) ? mode : 0755);
    }
    Files.setAttribute(folder, "unix:uid", owner);
    return this;
  }

  /**
   * Starts it and returns once it is ready. In its {@code etc}, {@code {port}} stands for its port.
   *
   * @param greeting how the first line begins that it says to whoever connects
   */
  public void start(String greeting, String... command) throws Exception {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(source.resolve("etc"))) {
      for (Path file : files) {
        String text = Files.readString(file).replace("{port}", "" + port);
        Path copy = Files.writeString(path("etc").resolve(file.getFileName()), text);
        Files.setAttribute(copy, "unix:mode", 0644);
      }
    }
    List<String> inside = new ArrayList<>(List.of("/usr/sbin/chroot", root.toString()));
    inside.addAll(List.of(command));
    Path log = home.resolve("peer.log");
    Process started = begin(inside, log);
    process = started;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_START);
    while (!greets(greeting)) {
      if (!started.isAlive() || System.nanoTime() > end) {
        close();
        throw new IOException("the peer is not ready:\n" + Files.readString(log));
      }
      Thread.sleep(20);
    }
  }

  private boolean greets(String greeting) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
      socket.setSoTimeout(5000);
      String line =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return line != null && line.startsWith(greeting);
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public void close() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroy();
      if (!running.waitFor(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
      }
    }
  }

  // ---- packages

  private void install() throws Exception {
    Path wanted = source.resolve("packages");
    Path done = home.resolve("packages");
    if (Files.exists(done) && Files.mismatch(done, wanted) == -1) {
      return;
    }
    for (String old : List.of("packages", "root", "apt")) {
      delete(home.resolve(old));
    }
    Files.createDirectories(root);
    try (DirectoryStream<Path> packages = Files.newDirectoryStream(download(wanted), "*.deb")) {
      for (Path file : packages) {
        run(List.of("dpkg", "-x", file.toString(), root.toString()));
      }
    }
    Files.copy(wanted, done, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Fetches the packages. If the system's lists of them are missing or old, gets its own. */
  private Path download(Path wanted) throws Exception {
    Path apt = home.resolve("apt");
    for (String folder : List.of("cache/archives/partial", "lists/partial")) {
      Files.createDirectories(apt.resolve(folder));
    }
    List<String> quietly = List.of("apt-get", "-q", "-o", "APT::Sandbox::User=root");
    List<String> known = with(quietly, "-o", "Dir::Cache=" + apt.resolve("cache"));
    List<String> fresh = with(known, "-o", "Dir::State::lists=" + apt.resolve("lists"));
    String[] names = Files.readAllLines(wanted).toArray(String[]::new);
    try {
      run(with(with(known, "download"), names));
    } catch (IOException _) {
      run(with(fresh, "update"));
      run(with(with(fresh, "download"), names));
    }
    return apt;
  }

  private static List<String> with(List<String> command, String... more) {
    return Stream.concat(command.stream(), Stream.of(more)).toList();
  }

  private void run(List<String> command) throws Exception {
    Path log = home.resolve("install.log");
    Process running = begin(command, log);
    if (!running.waitFor(MINUTES_TO_INSTALL, TimeUnit.MINUTES) || running.exitValue() != 0) {
      running.destroy();
      throw new IOException(
          NEEDS + "\n" + String.join(" ", command) + ":\n" + Files.readString(log));
    }
  }

  private Process begin(List<String> command, Path log) throws IOException {
    try {
      return new ProcessBuilder(command)
          .directory(Files.createDirectories(home.resolve("apt")).toFile())
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start();
    } catch (IOException e) {
      throw new IOException(NEEDS, e);
    }
  }

  private static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
