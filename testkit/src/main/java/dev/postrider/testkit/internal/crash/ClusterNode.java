package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
  private final @Nullable NodeClock clock;
  private volatile @Nullable ServerProcess process;
  private volatile boolean wasReady; // the process that runs
  private long staleBefore; // counted by processes that are gone
  private long rescuedBefore;

  /**
   * @param clock null: the machine's, which nobody sets
   */
  ClusterNode(
      String name,
      int port,
      Path folder,
      int database,
      HttpClient client,
      @Nullable NodeClock clock) {
    this.name = name;
    this.port = port;
    this.folder = folder;
    this.cable = Cable.to(database);
    this.client = client;
    this.api = new Api(client, port, PATIENCE);
    this.patientApi = new Api(client, port, GREAT_PATIENCE);
    this.clock = clock;
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

  boolean hasOwnClock() {
    return clock != null;
  }

  NodeClock clock() {
    NodeClock own = clock;
    if (own == null) {
      throw new AssertionError("node " + name + " has no clock of its own");
    }
    return own;
  }

  ServerProcess process() {
    ServerProcess running = process;
    if (running == null) {
      throw new AssertionError("node " + name + " was never started");
    }
    return running;
  }

  void writeConfig(String platform, List<String> accounts) {
    writeConfig(config(), port, platform, accounts);
    writeConfig(twinConfig(), FreePort.find(), platform, accounts);
  }

  private void writeConfig(Path file, int onPort, String platform, List<String> accounts) {
    String each =
        accounts.stream()
            .map(
                account ->
                    """
                      - id: %s
                        channel: telegram
                        token: "1:test"
                        baseUrl: "%s"
                        timeout: 60s
                        pace: { perSecond: 2000, burst: 50, concurrency: 16, \
                    chat: { perSecond: 1000, burst: 50 } }
                    """
                        .formatted(account, platform))
            .collect(Collectors.joining());
    try {
      Files.writeString(
          file,
          """
          store: "%s"
          cluster: { node: %s }
          http: { host: 127.0.0.1, port: %d }
          delivery: { backoff: [50ms, 200ms], maxAttempts: 1000 }
          accounts:
          """
                  .formatted(PostgresServer.url(cable.port()), name, onPort)
              + each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path config() {
    return folder.resolve(name + ".yaml");
  }

  private Path twinConfig() {
    return folder.resolve(name + "-twin.yaml");
  }

  void start() {
    start(ServerProcess.OURS);
  }

  /** Starts a version of its own. */
  void start(List<String> program) {
    wasReady = false;
    process =
        ServerProcess.start(
            config(),
            folder.resolve(name + ".log"),
            port,
            client,
            clock == null ? Map.of() : clock.environment(),
            program);
  }

  /** Starts a second process of this name beside it; gives how that ended. */
  int startTwin() {
    return ServerProcess.start(twinConfig(), folder.resolve(name + "-twin.log"), 0, client)
        .awaitExit();
  }

  /** Remembers what a process that is about to end has counted. */
  void remember() throws IOException {
    JsonNode stats = patientApi.stats();
    staleBefore += stale(stats);
    rescuedBefore += rescued(stats);
  }

  /** Outcomes that came too late: refused writes and late answers, as far as they were counted. */
  long staleCompletions() throws IOException {
    return staleBefore + stale(patientApi.stats());
  }

  /** What nobody would have looked at any more, had there not been a sweep. */
  long rescued() throws IOException {
    return rescuedBefore + rescued(patientApi.stats());
  }

  private static long stale(JsonNode stats) {
    return stats.path("staleCompletions").asLong(0);
  }

  private static long rescued(JsonNode stats) {
    return stats.path("rescued").asLong(0);
  }

  /**
   * Whether it lives and is ready. If it has ended by itself, that is an error, or it is started
   * again.
   *
   * @param supervised whether somebody starts it again, as with a database that was not there
   */
  boolean isReady(boolean supervised) {
    boolean tooSlow =
        clock != null && !wasReady; // on a busy machine, to reach its database in time
    if (!process().isAlive() && (supervised || tooSlow)) {
      start();
    }
    if (!process().isAlive()) {
      throw new AssertionError("node " + name + " ended by itself:\n" + lastWords());
    }
    boolean ready = process().isReady();
    wasReady |= ready;
    return ready;
  }

  private String lastWords() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve(name + ".log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
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
