package dev.postrider.testkit.internal.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own, run from this process's class path. */
final class ServerProcess {
  /** Who waits so long for anything waits in vain, however busy the machine is. */
  static final Duration LIMIT = Duration.ofMinutes(10);

  /** This process's own class path. */
  static final List<String> OURS =
      List.of("-cp", System.getProperty("java.class.path"), "dev.postrider.server.cli.Main");

  private final Process process;
  private final URI base;
  private final HttpClient client;

  private ServerProcess(Process process, URI base, HttpClient client) {
    this.process = process;
    this.base = base;
    this.client = client;
  }

  /** Starts a server; what it prints goes to the log file. */
  static ServerProcess start(Path config, Path log, int port, HttpClient client) {
    return start(config, log, port, client, Map.of(), OURS);
  }

  /**
   * @param environment what it finds there besides
   * @param program what is run: {@link #OURS}, or the jar of another version
   */
  static ServerProcess start(
      Path config,
      Path log,
      int port,
      HttpClient client,
      Map<String, String> environment,
      List<String> program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(program);
    command.addAll(List.of("serve", "--config", config.toString()));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment);
      Process process = builder.start();
      return new ServerProcess(process, URI.create("http://127.0.0.1:" + port), client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it answers; false if it ended before it did. */
  boolean awaitReady() {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      if (!process.isAlive()) {
        return false;
      }
      if (isReady()) {
        return true;
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    throw new AssertionError("the server was not ready within " + LIMIT);
  }

  boolean isReady() {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/readyz")).timeout(Duration.ofSeconds(60)).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Pulls the plug: SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Stops it in its tracks, without its knowledge: SIGSTOP. */
  void freeze() {
    signal("STOP");
  }

  /** Lets a frozen one go on as if nothing had been: SIGCONT. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int exit =
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
      if (exit != 0) {
        throw new AssertionError("the server could not be sent SIG" + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks it to stop, as an operator would: SIGTERM. */
  int stop() {
    process.destroy();
    return awaitExit();
  }

  int awaitExit() {
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the server did not end within " + LIMIT);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }
}
