package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Kills a server again and again while a reminder goes out to many groups, then lets it finish, and
 * looks at what the platform saw: nobody missed, nobody twice but for what was under way at a kill,
 * and never faster than allowed.
 */
public final class RunHarness {
  private static final int PER_SECOND = 40;
  private static final int BURST = 5;
  private static final int AT_ONCE = 3;
  private static final Duration REST = Duration.ofMinutes(3);

  private final Home home;
  private final SplittableRandom random;
  private final Api api;

  /** What a run came to. */
  public record Report(
      int kills,
      int targets,
      int arrivals,
      int repeats,
      int mostInASecond,
      List<String> violations) {
    @Override
    public String toString() {
      return ("%d kills, %d targets, %d arrivals, %d repeats after a kill, at most %d in a"
              + " second, %d violations")
          .formatted(kills, targets, arrivals, repeats, mostInASecond, violations.size());
    }
  }

  public RunHarness(Path folder, long seed) {
    this.home = new Home(folder);
    this.api = home.api();
    this.random = new SplittableRandom(seed);
  }

  /** Sends to so many groups, and kills the server so many times while it is at it. */
  public Report run(int targets, int kills) throws IOException {
    try (FakeTelegram platform = FakeTelegram.start()) {
      platform.platform().recording(false);
      Path config = writeConfig(platform.baseUrl());
      ServerProcess server = home.start(config);
      home.requireReady(server);
      String run = fire(targets);
      for (int kill = 0; kill < kills; kill++) {
        LockSupport.parkNanos(Duration.ofMillis(20 + random.nextInt(400)).toNanos());
        server.kill();
        server = home.start(config);
        if (random.nextInt(5) > 0) {
          home.requireReady(server);
        }
      }
      home.requireReady(server);
      try {
        JsonNode ended = rest(run);
        return judge(kills, targets, run, ended, platform.deliveries());
      } finally {
        server.stop();
      }
    }
  }

  private String fire(int targets) throws IOException {
    List<Map<String, Object>> chats =
        IntStream.rangeClosed(1, targets)
            .mapToObj(n -> Map.<String, Object>of("to", "" + n, "variables", Map.of("n", "" + n)))
            .toList();
    Api.Answer created =
        api.post(
            "/v1/reminders",
            Map.of(
                "name", "notice",
                "account", "tg",
                "timezone", "UTC",
                "window", "none",
                "targets", chats,
                "messages", List.of(Map.of("text", "Group {{n}}"))));
    String id = created.body().path("id").asString("");
    Api.Answer fired = api.post("/v1/reminders/" + id + "/fire", Map.of());
    String run = fired.body().path("id").asString("");
    if (run.isEmpty()) {
      throw new AssertionError("it did not fire: " + created + " " + fired);
    }
    return run;
  }

  private JsonNode rest(String run) throws IOException {
    long deadline = System.nanoTime() + REST.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode now = api.get("/v1/runs/" + run);
      if (now.path("endedAt").isString()) {
        return now;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("the run did not end: " + api.get("/v1/runs/" + run));
  }

  private Report judge(
      int kills, int targets, String run, JsonNode ended, List<FakeTelegram.Delivery> deliveries)
      throws IOException {
    List<String> violations = new ArrayList<>();
    Map<String, Integer> times = new HashMap<>();
    deliveries.forEach(delivery -> times.merge(delivery.chat(), 1, Integer::sum));
    for (int n = 1; n <= targets; n++) {
      int seen = times.getOrDefault("" + n, 0);
      if (seen == 0) {
        violations.add("missed: " + n);
      }
    }
    int repeats = deliveries.size() - times.size();
    if (repeats > kills * AT_ONCE) {
      violations.add(repeats + " repeats after " + kills + " kills");
    }
    if (!ended.path("status").asString("").equals("success")
        || ended.path("sent").asInt() != targets) {
      violations.add("not a success: " + ended);
    }
    int doubled = api.get("/v1/runs/" + run + "/targets?status=failed").path("items").size();
    if (doubled > 0) {
      violations.add(doubled + " targets failed");
    }
    int most = mostWithin(Duration.ofSeconds(1), deliveries);
    if (most > PER_SECOND + BURST + AT_ONCE) {
      violations.add(most + " in a second");
    }
    violations.addAll(home.rescued());
    return new Report(kills, targets, deliveries.size(), repeats, most, violations);
  }

  private static int mostWithin(Duration span, List<FakeTelegram.Delivery> deliveries) {
    List<Instant> times = deliveries.stream().map(FakeTelegram.Delivery::at).sorted().toList();
    int most = 0;
    int from = 0;
    for (int to = 0; to < times.size(); to++) {
      while (!times.get(from).plus(span).isAfter(times.get(to))) {
        from++;
      }
      most = Math.max(most, to - from + 1);
    }
    return most;
  }

  private Path writeConfig(String platform) throws IOException {
    return home.config(
        """
        accounts:
          - id: tg
            channel: telegram
            token: "1:test"
            baseUrl: "%s"
            pace: { perSecond: %d, burst: %d, concurrency: 16 }
        delivery: { maxAttempts: 1000 }
        reminders: { groupConcurrency: %d, perMinute: 100000, burst: 1000 }
        """
            .formatted(platform, PER_SECOND, BURST, AT_ONCE));
  }
}
