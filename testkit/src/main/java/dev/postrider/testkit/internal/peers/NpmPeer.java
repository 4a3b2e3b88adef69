package dev.postrider.testkit.internal.peers;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.net.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A platform that somebody else wrote, from an npm package. What to install, to the byte, stands in
 * {@code channels/src/test/peers/<name>}; it is installed into {@code channels/target} on first
 * use.
 *
 * <p>It takes Node and npm. Without them a test fails and says so; {@code -Dpostrider.peers=skip}
 * skips such tests on purpose.
 */
public final class NpmPeer implements AutoCloseable {
  private static final int MINUTES_TO_INSTALL = 5;

  /** The module that keeps them; tests run in the folder of their own module. */
  private static final Path CHANNELS = Path.of("../channels").toAbsolutePath().normalize();

  private final Process process;
  private final int port;
  private final StringBuilder soFar = new StringBuilder();

  private NpmPeer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a peer and returns once it is ready.
   *
   * @param script what to run with Node, below the peer's folder
   * @param ready what the peer prints when it is
   * @param arguments of the script; {@code {port}} stands for a free port
   */
  public static NpmPeer start(String name, String script, String ready, String... arguments)
      throws Exception {
    return startWith(null, name, script, ready, arguments);
  }

  /**
   * The same with a Node of the peer's own.
   *
   * @param node below the peer's folder; null for the one that is installed
   */
  public static NpmPeer startWith(
      @Nullable String node, String name, String script, String ready, String... arguments)
      throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path home = installed(name);
    int port = FreePort.find();
    List<String> command = new ArrayList<>();
    command.add(node == null ? "node" : home.resolve(node).toString());
    command.add(home.resolve(script).toString());
    for (String argument : arguments) {
      command.add(argument.replace("{port}", "" + port));
    }
    NpmPeer peer = new NpmPeer(run(home, command, Redirect.PIPE), port);
    peer.await(ready);
    return peer;
  }

  public String baseUrl() {
    return "http://127.0.0.1:" + port;
  }

  /** What it printed until it was ready. */
  public String said() {
    return soFar.toString();
  }

  /** Installs it unless it is there; of several test processes one does, and the others wait. */
  private static synchronized Path installed(String name) throws Exception {
    Path home = Files.createDirectories(CHANNELS.resolve("target/peers").resolve(name));
    try (FileChannel file =
            FileChannel.open(
                home.resolveSibling(name + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assert lock.isValid();
      install(name, home);
    }
    return home;
  }

  private static void install(String name, Path home) throws Exception {
    Path source = CHANNELS.resolve("src/test/peers").resolve(name);
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
      throw new IOException("npm cannot install " + name + ":\n" + Files.readString(log));
    }
  }

  private static Process run(Path home, List<String> command, Redirect output) throws IOException {
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

  /** Reads what the peer prints until it is ready, and from then on lets it print. */
  private void await(String ready) throws IOException {
    BufferedReader output = process.inputReader();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      soFar.append(line).append('\n');
      if (line.contains(ready)) {
        Thread.ofVirtual().start(() -> drain(output));
        return;
      }
    }
    throw new IOException("the peer ended before it was ready:\n" + soFar);
  }

  private static void drain(BufferedReader output) {
    try {
      while (output.readLine() != null) {
        // nobody needs to know
      }
    } catch (IOException e) {
      // it has ended
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
