package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.testkit.platform.FakeTelegram;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Three servers of an earlier version under load on one PostgreSQL, replaced one after the other by
 * this version: nothing is lost, nothing comes out of order, nothing arrives twice.
 */
public final class UpgradeHarness {
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final List<String> ACCOUNTS = List.of("a", "b", "c");
  private static final int CHATS_PER_ACCOUNT = 5;
  private static final int BETWEEN = 200; // messages, before the next one is replaced
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Path folder;
  private final Path jar;
  private final SplittableRandom random;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  /** What a run came to. */
  public record Report(int messages, int arrivals, List<String> versions, List<String> violations) {
    @Override
    public String toString() {
      return "%d messages, %d arrivals on the platform, versions seen %s, %d violations"
          .formatted(messages, arrivals, versions, violations.size());
    }
  }

  /**
   * @param jar of the earlier version
   */
  public UpgradeHarness(Path folder, Path jar, long seed) {
    this.folder = folder;
    this.jar = jar;
    this.random = new SplittableRandom(seed);
  }

  public Report run() throws IOException, InterruptedException {
    List<ClusterNode> nodes = new ArrayList<>();
    try (FakeTelegram platform = FakeTelegram.start();
        PostgresServer database = PostgresServer.start()) {
      platform.platform().recording(false);
      for (String name : NODES) {
        ClusterNode node =
            new ClusterNode(name, FreePort.find(), folder, database.port(), client, null);
        nodes.add(node);
        node.writeConfig(platform.baseUrl(), ACCOUNTS);
        node.start(List.of("-jar", jar.toString()));
        awaitReady(node);
      }
      Load load =
          new Load(
              chance -> nodes.get(chance.nextInt(nodes.size())).api(),
              lanes(),
              PAUSE,
              random.split());
      load.start();
      load.awaitMore(BETWEEN);
      List<String> versions = new ArrayList<>();
      for (ClusterNode node : nodes) {
        node.process().stop();
        node.start();
        awaitReady(node);
        load.awaitMore(BETWEEN);
        versions.add(versions(node));
      }
      load.finish();
      ClusterHarness.rest(nodes.getFirst().patientApi(), load);
      Verdicts verdicts =
          new Verdicts(
              platform.deliveries(),
              load.acknowledged(),
              List.of(),
              new Weather(random.split())); // which it never was
      List<String> violations = new ArrayList<>(load.refusals());
      violations.addAll(verdicts.check(nodes.getFirst().patientApi()));
      return new Report(verdicts.messages(), platform.deliveryCount(), versions, violations);
    } finally {
      nodes.forEach(ClusterNode::close);
    }
  }

  private static void awaitReady(ClusterNode node) {
    while (!node.isReady(false)) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private static List<Load.Lane> lanes() {
    List<Load.Lane> lanes = new ArrayList<>();
    for (int account = 0; account < ACCOUNTS.size(); account++) {
      lanes.addAll(Load.lanes(ACCOUNTS.get(account), 1_000 * (account + 1), CHATS_PER_ACCOUNT));
    }
    return lanes;
  }

  /** What the living nodes say that they are, as this one shows it. */
  private static String versions(ClusterNode node) throws IOException {
    List<String> versions = new ArrayList<>();
    for (JsonNode one : node.patientApi().cluster().path("nodes")) {
      if (one.path("alive").asBoolean()) {
        versions.add(one.path("format").asString("?"));
      }
    }
    return String.join("+", versions);
  }
}
