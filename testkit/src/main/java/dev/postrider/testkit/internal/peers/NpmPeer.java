package dev.postrider.testkit.internal.peers;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.testkit.internal.net.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    Path home =
        NpmPackages.install(
            CHANNELS.resolve("src/test/peers").resolve(name),
            CHANNELS.resolve("target/peers").resolve(name));
    int port = FreePort.find();
    List<String> command = new ArrayList<>();
    command.add(node == null ? "node" : home.resolve(node).toString());
    command.add(home.resolve(script).toString());
    for (String argument : arguments) {
      command.add(argument.replace("{port}", "" + port));
    }
    NpmPeer peer = new NpmPeer(NpmPackages.run(home, command, Redirect.PIPE), port);
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
