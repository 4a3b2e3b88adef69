package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Takes the platform away from a loaded server and brings it back: nobody listens on its port for a
 * while, and producers go on. Then looks at what the platform saw and how the messages ended.
 */
public final class OutageHarness {
  private static final String ACCOUNT = "tg";
  private static final int CHATS = 12;
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration REST = Duration.ofMinutes(3);

  private final Home home;
  private final SplittableRandom random;

  /**
   * What a run came to.
   *
   * @param looks how often the account was looked at during the outage
   * @param unreachable how often it said then that it cannot be reached
   * @param most the most attempts that were charged to a message
   */
  public record Report(
      int messages, int looks, int unreachable, int most, List<String> violations) {}

  public OutageHarness(Path folder, long seed) {
    this.home = new Home(folder);
    this.random = new SplittableRandom(seed);
  }

  /** Runs with an outage of this length. */
  public Report run(Duration outage) throws IOException, InterruptedException {
    FakeTelegram before = FakeTelegram.start();
    int port = before.platform().port();
    ServerProcess server = home.start(config(before.baseUrl()));
    try {
      home.requireReady(server);
      Load load =
          new Load(_ -> home.api(), Load.lanes(ACCOUNT, 1000, CHATS), PAUSE, random.split());
      load.start();
      LockSupport.parkNanos(BEFORE.toNanos());
      Instant from = Instant.now();
      before.close(); // what it was just taking may be recorded a moment later
      int looks = 0;
      int unreachable = 0;
      while (Instant.now().isBefore(from.plus(outage))) {
        LockSupport.parkNanos(LOOK.toNanos());
        looks++;
        unreachable += isUnreachable() ? 1 : 0;
      }
      Verdicts.Trouble cut = Verdicts.Trouble.kill(from, Instant.now(), Set.of(ACCOUNT));
      try (FakeTelegram after = FakeTelegram.start(port)) {
        load.awaitMore(100);
        load.finish();
        rest();
        List<Delivery> seen = new ArrayList<>(before.deliveries());
        seen.addAll(after.deliveries());
        Verdicts verdicts =
            new Verdicts(seen, load.acknowledged(), List.of(cut), new Weather(random.split()));
        List<String> violations = new ArrayList<>(load.refusals());
        violations.addAll(verdicts.check(home.api()));
        violations.addAll(home.rescued());
        return new Report(verdicts.messages(), looks, unreachable, mostAttempts(load), violations);
      }
    } finally {
      before.close();
      server.stop();
    }
  }

  private boolean isUnreachable() throws IOException {
    for (JsonNode account : home.api().get("/v1/accounts").path("items")) {
      if (account.path("id").asString("").equals(ACCOUNT)) {
        return account.path("health").asString("").equals("unreachable");
      }
    }
    throw new AssertionError("no account " + ACCOUNT);
  }

  private int mostAttempts(Load load) throws IOException {
    int most = 0;
    for (List<Load.Sent> lane : load.acknowledged().values()) {
      for (Load.Sent sent : lane) {
        most = Math.max(most, home.api().message(sent.id()).path("attempts").asInt());
      }
    }
    return most;
  }

  private void rest() throws IOException {
    long deadline = System.nanoTime() + REST.toNanos();
    while (System.nanoTime() < deadline) {
      if (home.api().stats().path("queued").asLong(-1) == 0) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("the queue did not come to rest: " + home.api().stats());
  }

  /** Two attempts each: an outage that was charged would show at once. */
  private Path config(String platform) throws IOException {
    return home.config(
        """
        accounts:
          - id: tg
            channel: telegram
            token: "1:test"
            baseUrl: "%s"
            pace: { perSecond: 2000, burst: 50, concurrency: 16, chat: { perSecond: 1000, \
        burst: 50 } }
        delivery:
          backoff: [200ms]
          maxAttempts: 2
        """
            .formatted(platform));
  }
}
