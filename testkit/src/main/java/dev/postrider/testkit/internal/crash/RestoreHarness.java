package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Backs a loaded server up, lets it go on, pulls the plug, brings the backup back, and holds the
 * platform's record against what was acknowledged before the backup: nothing arrives twice by
 * itself, everything was delivered or is held, and once a person replays what is held, it arrives
 * in the order of its lanes.
 */
public final class RestoreHarness {
  private static final String ACCOUNT = "tg";
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final int ENOUGH = 150;
  private static final int SENT_BEFORE = 60; // parts, of those messages
  private static final int SENT_SINCE = 40;
  private static final FakeTelegram.Step LATER =
      new FakeTelegram.Step.Refuse(FakeTelegram.tooManyRequests(1));

  /** How this kind of store is backed up, lost and brought back. */
  public interface Keeper {
    String store();

    void backUp(Path config) throws IOException;

    /** The server is dead. */
    void loseAndRestore(Path config) throws IOException;
  }

  private final Keeper keeper;
  private final Home home;
  private final SplittableRandom random;
  private final Api api;
  private final AtomicInteger room = new AtomicInteger(SENT_BEFORE); // on the platform

  /** What a run came to; messages are those acknowledged before the backup. */
  public record Report(
      int messages, int held, int acceptedMeanwhile, int arrivedTwice, List<String> violations) {
    @Override
    public String toString() {
      return ("%d messages, %d held, %d accepted while the backup was taken, %d arrived twice"
              + " after the replay, %d violations")
          .formatted(messages, held, acceptedMeanwhile, arrivedTwice, violations.size());
    }
  }

  public RestoreHarness(Path folder, Keeper keeper, long seed) {
    this.keeper = keeper;
    this.home = new Home(folder, keeper.store());
    this.random = new SplittableRandom(seed);
    this.api = home.api();
  }

  public Report run() throws IOException, InterruptedException {
    try (FakeTelegram platform = FakeTelegram.start()) {
      platform.platform().recording(false);
      platform.script((chat, _) -> chat.startsWith("1") && takesRoom() ? null : LATER);
      Path config = home.config(accounts(platform.baseUrl()));
      ServerProcess server = home.start(config);
      try {
        home.requireReady(server);
        Load before = load(1000, 8);
        before.start();
        before.awaitMore(ENOUGH);
        before.finish();
        String picture = picture();
        String later = later();
        Load meanwhile = load(2000, 2);
        meanwhile.start();
        meanwhile.awaitMore(2);
        platform.awaitDeliveries(SENT_BEFORE, ServerProcess.LIMIT);
        int acceptedAtBackup = accepted();
        keeper.backUp(config);
        int acceptedMeanwhile = accepted() - acceptedAtBackup;
        room.set(SENT_SINCE);
        platform.awaitDeliveries(SENT_BEFORE + SENT_SINCE, ServerProcess.LIMIT);
        meanwhile.finish();
        server.kill();
        int sent = platform.deliveryCount();
        keeper.loseAndRestore(config);
        platform.script((_, _) -> null);
        server = home.start(config);
        home.requireReady(server);
        return judge(platform, before, sent, acceptedMeanwhile, picture, later);
      } finally {
        server.stop();
      }
    }
  }

  private boolean takesRoom() {
    return room.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  private Load load(int firstChat, int lanes) {
    return new Load(_ -> api, Load.lanes(ACCOUNT, firstChat, lanes), PAUSE, random.split());
  }

  private int accepted() throws IOException {
    return api.stats().path("accepted").asInt();
  }

  /** A message with a file, that waits behind all others; gives its id. */
  private String picture() throws IOException {
    byte[] bytes = new byte[100_000];
    System.arraycopy(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}, 0, bytes, 0, 3);
    String id = api.upload(bytes).body().path("id").asString("");
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", ACCOUNT);
    message.put("to", "1000");
    message.put("media", List.of(Map.of("id", id)));
    return accepted(message);
  }

  private String later() throws IOException {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("account", ACCOUNT);
    message.put("to", "1001");
    message.put("text", "tomorrow");
    message.put("sendAt", Instant.now().plus(Duration.ofDays(1)).toString());
    message.put("expiresIn", "3d");
    return accepted(message);
  }

  private String accepted(Map<String, Object> message) throws IOException {
    Api.Answer answer = api.post(message);
    if (answer.status() != 202) {
      throw new AssertionError("not accepted: " + answer);
    }
    return answer.body().path("id").asString("");
  }

  // ---- judging

  private Report judge(
      FakeTelegram platform,
      Load before,
      int sent,
      int acceptedMeanwhile,
      String picture,
      String later)
      throws IOException {
    List<String> violations = new ArrayList<>(before.refusals());
    List<Load.Sent> all = before.acknowledged().values().stream().flatMap(List::stream).toList();
    rest();
    if (platform.deliveryCount() > sent) {
      violations.add("sent by itself after the restore: " + platform.deliveries().getLast());
    }
    String health = api.get("/healthz").toString();
    if (!health.contains("came back at") || !health.contains("degraded")) {
      violations.add("its health does not tell: " + health);
    }
    Set<String> held = new HashSet<>();
    for (Load.Sent one : all) {
      JsonNode message = api.message(one.id());
      if (isHeld(message)) {
        held.add(one.id());
      } else if (!status(message).equals("delivered")) {
        violations.add("neither delivered nor held: " + message);
      }
    }
    if (!isHeld(api.message(picture))) {
      violations.add("the picture is not held: " + api.message(picture));
    }
    replayHeld();
    rest();
    int twice = judgeReplays(platform, before, sent, violations);
    if (!status(api.message(later)).equals("queued")) {
      violations.add("what was scheduled is not any more: " + api.message(later));
    }
    if (platform.deliveries().stream().noneMatch(delivery -> !delivery.media().isEmpty())) {
      violations.add("the picture did not arrive");
    }
    awaitHealth(violations);
    return new Report(all.size(), held.size(), acceptedMeanwhile, twice, violations);
  }

  private static String status(JsonNode message) {
    return message.path("status").asString("");
  }

  private static boolean isHeld(JsonNode message) {
    return status(message).equals("held")
        && message.path("reason").asString("").equals("restored")
        && message.path("possibleDuplicate").asBoolean(false);
  }

  private void replayHeld() throws IOException {
    JsonNode answer;
    do {
      answer = api.post("/v1/dead-letters/replay", Map.of("reason", "restored")).body();
    } while (answer.path("more").asBoolean(false));
  }

  /** Everything arrived, and what was replayed in the order of its lane; gives what came twice. */
  private static int judgeReplays(
      FakeTelegram platform, Load before, int sent, List<String> violations) {
    Map<String, Integer> copies = new HashMap<>();
    List<Delivery> record = platform.deliveries();
    record.forEach(delivery -> copies.merge(delivery.text().strip(), 1, Integer::sum));
    Map<String, List<String>> again =
        record.subList(sent, record.size()).stream()
            .collect(
                Collectors.groupingBy(
                    Delivery::chat, Collectors.mapping(one -> one.text().strip(), toList())));
    before
        .acknowledged()
        .forEach(
            (lane, messages) -> {
              List<String> parts =
                  messages.stream().flatMap(message -> message.parts().stream()).toList();
              parts.stream()
                  .filter(part -> !copies.containsKey(part))
                  .forEach(part -> violations.add("lost: " + part));
              parts.stream()
                  .filter(part -> copies.getOrDefault(part, 0) > 2)
                  .forEach(part -> violations.add("more than twice: " + part));
              List<String> replayed = new ArrayList<>(again.getOrDefault(lane.chat(), List.of()));
              replayed.retainAll(parts);
              if (!replayed.equals(parts.subList(parts.size() - replayed.size(), parts.size()))) {
                violations.add("out of order in " + lane + ": " + replayed);
              }
            });
    return (int) copies.values().stream().filter(count -> count > 1).count();
  }

  private static <T> java.util.stream.Collector<T, ?, List<T>> toList() {
    return Collectors.toList();
  }

  /** All that may go has gone: but for what is scheduled, nothing waits. */
  private void rest() throws IOException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode stats = api.stats();
      if (stats.path("counted").asBoolean(false)
          && stats.path("queued").asLong(-1) == 1
          && stats.path("sending").asLong(-1) == 0) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("the queue did not come to rest: " + api.stats());
  }

  /** Everything is decided: nobody is reminded any more. */
  private void awaitHealth(List<String> violations) throws IOException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    String health;
    do {
      health = api.get("/healthz").toString();
      if (!health.contains("came back at")) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    } while (System.nanoTime() < deadline);
    violations.add("its health still tells of the restore: " + health);
  }

  private static String accounts(String platform) {
    return """
        accounts:
          - id: tg
            channel: telegram
            token: "1:test"
            baseUrl: "%s"
            timeout: 60s
            pace: { perSecond: 1000, burst: 50, concurrency: 8,
              chat: { perSecond: 1000, burst: 50 } }
        delivery: { backoff: [50ms, 200ms], maxAttempts: 1000 }
        """
        .formatted(platform);
  }
}
