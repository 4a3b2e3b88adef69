package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import dev.postrider.message.Message;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Nodes in this process that share a PostgreSQL database, each on a platform that takes all. */
final class Nodes implements AutoCloseable {
  static final QueueSettings DEEP =
      QueueSettings.DEFAULTS.with(s -> s.maxQueueDepth = s.maxAccountDepth = 10_000_000);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Postrider> all = new ArrayList<>();
  private final List<String> accounts;

  private Nodes(List<String> accounts) {
    this.accounts = accounts;
  }

  /** Opens them, and waits until the accounts are shared out evenly. */
  static Nodes open(String url, int nodes, List<String> accounts) {
    Nodes opened = new Nodes(accounts);
    for (int n = 1; n <= nodes; n++) {
      opened.all.add(open(url, "node-" + n, DEEP, accounts, new NoopChannel()));
    }
    opened.awaitBalance();
    return opened;
  }

  static Postrider open(
      String url, String node, QueueSettings queue, List<String> accounts, NoopChannel channel) {
    SystemScheduler time = new SystemScheduler();
    ClusterSettings cluster = ClusterSettings.of(node);
    return Postrider.open(
        PostriderConfig.store(url)
            .queue(queue)
            .cluster(cluster)
            .accounts(accounts.stream().map(id -> AccountConfig.of(id, "noop")).toList()),
        time,
        new PostgresStoreProvider().open(url, cluster, time),
        () -> ThreadLocalRandom.current().nextLong(),
        List.of(channel));
  }

  private void awaitBalance() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!balanced()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the accounts were not shared out: " + owners());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** The chores are shared out among them, so that one node may have an account less. */
  private boolean balanced() {
    Map<String, Postrider> owners = owners();
    LongSummaryStatistics held =
        all.stream()
            .mapToLong(node -> owners.values().stream().filter(owner -> owner == node).count())
            .summaryStatistics();
    return held.getSum() == accounts.size() && held.getMax() - held.getMin() <= 1;
  }

  /** Who works each account. */
  private Map<String, Postrider> owners() {
    Map<String, Postrider> owners = new HashMap<>();
    for (ClusterSnapshot.Holding holding :
        all.getFirst().cluster().orElseThrow().roll().holdings()) {
      all.stream()
          .filter(node -> node.node().equals(holding.owner()))
          .filter(_ -> accounts.contains(holding.account()))
          .forEach(node -> owners.put(holding.account(), node));
    }
    return owners;
  }

  /**
   * Messages per second, every one with an idempotency key.
   *
   * @param anywhere whether a message is handed in at any node in turn; if not, at its account's
   */
  double throughput(int messages, int chats, boolean anywhere) throws InterruptedException {
    Map<String, Postrider> owners = owners();
    return Load.run(
        all,
        messages,
        n -> {
          String account = accounts.get(n % accounts.size());
          Postrider at =
              anywhere
                  ? all.get(n / accounts.size() % all.size())
                  : owners.getOrDefault(account, all.getFirst());
          at.send(
              Message.to(account, "chat-" + n % chats)
                  .text(EndToEnd.TEXT)
                  .idempotencyKey("order-" + n)
                  .build());
        });
  }

  @Override
  public void close() {
    all.forEach(Postrider::close);
  }
}
