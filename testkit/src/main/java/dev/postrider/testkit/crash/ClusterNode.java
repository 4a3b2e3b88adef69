package dev.postrider.testkit.crash;

import dev.postrider.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One server of a cluster: a name, a port, a cable to the database, and, while it runs, a process.
 */
final class ClusterNode implements AutoCloseable {
  /** What producers wait; then they go to another server. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration GREAT_PATIENCE = Duration.ofSeconds(30);

  private final String name;
  private final int port;
  private final Path folder;
  private final Cable cable;
  private final HttpClient client;
  private final Api api;
  private final Api patientApi;
  private @Nullable ServerProcess process;
  private long staleBefore; // counted by processes that are gone

  ClusterNode(String name, int port, Path folder, int database, HttpClient client) {
    this.name = name;
    this.port = port;
    this.folder = folder;
    this.cable = Cable.to(database);
    this.client = client;
    this.api = new Api(client, port, PATIENCE);
    this.patientApi = new Api(client, port, GREAT_PATIENCE);
  }

  String name() {
    return name;
  }

  Cable cable() {
    return cable;
  }

  Api api() {
    return api;
  }

  /** For questions whose answer counts. */
  Api patientApi() {
    return patientApi;
  }

  ServerProcess process() {
    ServerProcess running = process;
    if (running == null) {
      throw new AssertionError("node " + name + " was never started");
    }
    return running;
  }

  void writeConfig(String platform, List<String> accounts) {
    String each =
        accounts.stream()
            .map(
                account ->
                    """
                      - id: %s
                        channel: telegram
                        token: "1:test"
                        baseUrl: "%s"
                        timeout: 2s
                        pace: { perSecond: 2000, burst: 50, concurrency: 16, chat: { perSecond: 1000, burst: 50 } }
                    """
                        .formatted(account, platform))
            .collect(Collectors.joining());
    try {
      Files.writeString(
          config(),
          """
          store: "%s"
          cluster: { node: %s }
          http: { host: 127.0.0.1, port: %d }
          delivery: { backoff: [50ms, 200ms], maxAttempts: 1000 }
          accounts:
          """
                  .formatted(PostgresServer.url(cable.port()), name, port)
              + each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path config() {
    return folder.resolve(name + ".yaml");
  }

  void start() {
    process = ServerProcess.start(config(), folder.resolve(name + ".log"), port, client);
  }

  /** Remembers what a process that is about to end has counted. */
  void remember() throws IOException {
    staleBefore += stale();
  }

  /** Outcomes that came too late: refused writes and late answers, as far as they were counted. */
  long staleCompletions() throws IOException {
    return staleBefore + stale();
  }

  private long stale() throws IOException {
    return patientApi.stats().path("staleCompletions").asLong(0);
  }

  /** Whether it lives and is ready; an error if it has ended by itself. */
  boolean isReady() {
    if (!process().isAlive()) {
      throw new AssertionError(
          "node " + name + " ended by itself; see " + folder.resolve(name + ".log"));
    }
    return process().isReady();
  }

  @Override
  public void close() {
    ServerProcess running = process;
    if (running != null && running.isAlive()) {
      running.kill();
    }
    cable.close();
  }
}
