package dev.postrider.bench.peers;

import dev.postrider.bench.Folders;
import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.peers.NpmPackages;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * From a request over HTTP to the arrival at a fake Telegram: how soon after the start of the
 * process, how many in its first seconds, how many when it is warm. Rounds alternate.
 */
public final class GatewayComparison {
  private static final int CONNECTIONS = 16;
  private static final int SECONDS_TO_WARM_UP = 15;
  private static final int SECONDS_WARM = 5;

  private GatewayComparison() {}

  /**
   * @param args folder for files; Postrider's launcher; folder of the queues of Node; where the
   *     table goes; how many rounds
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    Path folder = Files.createTempDirectory(Path.of(args[0]).toAbsolutePath(), "gateways");
    Path log = Path.of(args[0], "gateways.log");
    List<Gateway> gateways = new ArrayList<>();
    gateways.add(new Gateway.Ours(Path.of(args[1]).toAbsolutePath()));
    StringBuilder absent = new StringBuilder();
    try {
      Path npm = Path.of(args[0], "npm").toAbsolutePath();
      gateways.add(new Gateway.NodeRed(NpmPackages.install(Path.of(args[2]), npm)));
    } catch (IOException e) {
      absent.append("%nAbsent: Node-RED (%s)%n".formatted(e.getMessage()));
    }
    Map<Gateway, Results> results = new LinkedHashMap<>();
    try {
      int rounds = Integer.parseInt(args[4]);
      for (int round = 0; round < rounds; round++) {
        for (Gateway gateway : gateways) {
          Results into = results.computeIfAbsent(gateway, _ -> new Results());
          Path own =
              Files.createDirectory(folder.resolve(gateway.getClass().getSimpleName() + round));
          round(gateway, own, log, into);
          System.err.printf("%s: %s%n", gateway.name(), into.last());
        }
      }
    } finally {
      Folders.delete(folder);
    }
    String page = table(results) + absent;
    System.out.print(page);
    Files.writeString(Files.createDirectories(Path.of(args[3])).resolve("gateways.md"), page);
  }

  private static void round(Gateway gateway, Path folder, Path log, Results into)
      throws IOException, InterruptedException {
    try (FakeTelegram telegram = new FakeTelegram()) {
      int port = FreePort.find();
      long started = System.nanoTime();
      Process process = gateway.start(folder, port, telegram.address(), log);
      try {
        awaitFirst(gateway, process, port, telegram);
        into.add("first after ms", (System.nanoTime() - started) / 1e6);
        int before = telegram.arrived();
        try (Callers callers = new Callers(gateway, port)) {
          sleep(1);
          into.add("first second", telegram.arrived() - before);
          sleep(2);
          into.add("first three seconds", telegram.arrived() - before);
          sleep(SECONDS_TO_WARM_UP);
          int warm = telegram.arrived();
          sleep(SECONDS_WARM);
          into.add("warm", (telegram.arrived() - warm) / (double) SECONDS_WARM);
          if (callers.failed() > 0) {
            throw new IllegalStateException(gateway.name() + " refused " + callers.failed());
          }
        }
      } finally {
        process.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** Hands one message in again and again until it is taken, and waits for its arrival. */
  private static void awaitFirst(Gateway gateway, Process process, int port, FakeTelegram telegram)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (telegram.arrived() == 0) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException(gateway.name() + " did not come up");
      }
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.getOutputStream().write(gateway.request(port, 0));
        if (taken(new BufferedInputStream(socket.getInputStream()))) {
          while (telegram.arrived() == 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(100_000);
          }
        }
      } catch (IOException e) {
        // Not listening yet.
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static void sleep(int seconds) throws InterruptedException {
    Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
  }

  /** Programs that each hand in one message after the other. */
  private static final class Callers implements AutoCloseable {
    private final AtomicInteger next = new AtomicInteger(1);
    private final AtomicInteger failed = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Callers(Gateway gateway, int port) {
      for (int i = 0; i < CONNECTIONS; i++) {
        threads.add(Thread.ofVirtual().start(() -> handIn(gateway, port)));
      }
    }

    private void handIn(Gateway gateway, int port) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        while (!over) {
          out.write(gateway.request(port, next.getAndIncrement()));
          if (!taken(in)) {
            failed.incrementAndGet();
          }
        }
      } catch (IOException e) {
        failed.incrementAndGet();
      }
    }

    int failed() {
      return failed.get();
    }

    @Override
    public void close() throws InterruptedException {
      over = true;
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(10));
      }
    }
  }

  /** Reads one answer whole. */
  private static boolean taken(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    in.skipNBytes(length);
    return status.startsWith("HTTP/1.1 2");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static String table(Map<Gateway, Results> results) {
    StringBuilder page = new StringBuilder();
    page.append(
        "| over HTTP to Telegram | first arrives after the start | in the next second"
            + " | in the next three | warm, a second |\n|---|---|---|---|---|\n");
    results.forEach(
        (gateway, result) ->
            page.append(
                ("| %s | %,.0f ms (%,.0f – %,.0f) | %,.0f (%,.0f – %,.0f)"
                        + " | %,.0f | %,.0f (%,.0f – %,.0f) |%n")
                    .formatted(
                        gateway.name(),
                        result.median("first after ms"),
                        result.lowest("first after ms"),
                        result.highest("first after ms"),
                        result.median("first second"),
                        result.lowest("first second"),
                        result.highest("first second"),
                        result.median("first three seconds"),
                        result.median("warm"),
                        result.lowest("warm"),
                        result.highest("warm"))));
    return page.toString();
  }
}
