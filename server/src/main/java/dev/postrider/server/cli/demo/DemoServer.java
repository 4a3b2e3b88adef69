package dev.postrider.server.cli.demo;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A server in a process of its own, on the sandbox; it can be killed and started again. */
final class DemoServer implements AutoCloseable {
  private static final String MAIN = "dev.postrider.server.cli.Main";
  private static final int LOOKS = 600;
  private static final long BETWEEN_LOOKS = 100;

  private static final String CONFIG =
      """
      store: %s
      http: { host: 127.0.0.1, port: %d }
      accounts:
        - id: demo
          channel: sandbox
          record: %s
          seed: 7
          latency: 20ms
          limits: { perSecond: 80, perSecondPerChat: 5 }
          pace: { perSecond: 60, burst: 10 }
          delivery: { backoff: [500ms, 1s, 2s], maxAttempts: 50 }
      """;

  private final Path folder;
  private final String address;
  private @Nullable Process process;

  /**
   * @param folder for everything it writes
   * @param port 0: any free one
   */
  DemoServer(Path folder, int port) throws IOException {
    this.folder = folder;
    int own = port == 0 ? freePort() : port;
    this.address = "http://127.0.0.1:" + own;
    Files.writeString(
        config(),
        CONFIG.formatted(
            quoted("sqlite:" + folder.resolve("demo.db")), own, quoted("" + record())));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String quoted(String text) {
    return new JsonMapper().writeValueAsString(text);
  }

  private Path config() {
    return folder.resolve("postrider.yaml");
  }

  private Path log() {
    return folder.resolve("log");
  }

  /** What has arrived on the sandbox, a line each. */
  Path record() {
    return folder.resolve("arrived.jsonl");
  }

  String address() {
    return address;
  }

  Client client() {
    return new Client(address, null, null);
  }

  /** Returns once it answers. */
  synchronized void start() throws IOException, InterruptedException {
    if (answers()) {
      throw Failure.because("Something answers at " + address + " already; choose another --port.");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN,
                "serve",
                "--config",
                config().toString()));
    builder.environment().keySet().removeIf(name -> name.startsWith("POSTRIDER_"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    Process started = builder.start();
    process = started;
    for (int look = 0; look < LOOKS && !answers(); look++) {
      if (started.waitFor(BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
        throw Failure.because("The demo's server does not start:\n" + Files.readString(log()));
      }
    }
  }

  private boolean answers() {
    try {
      client().get("/v1/stats");
      return true;
    } catch (Failure e) {
      return false;
    }
  }

  /** With SIGKILL: it has no chance to do anything. */
  void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroyForcibly();
      running.waitFor();
    }
  }

  @Override
  public synchronized void close() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      running.destroy();
      if (!running.waitFor(15, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
