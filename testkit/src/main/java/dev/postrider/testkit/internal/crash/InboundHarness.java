package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Kills a server again and again while people write to it and unreliable programs handle what they
 * write, then lets it come to rest, and holds the platform's record against the programs': nothing
 * received is lost, every session was handed out in order, nothing was handed out once it was
 * handled, and nobody was answered twice.
 */
public final class InboundHarness {
  private static final String ACCOUNT = "tg";
  private static final String SECRET = "hook-secret";
  private static final int CHATS = 24;
  private static final int CONSUMERS = 6;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Home home;
  private final SplittableRandom random;
  private final Api api;
  private final List<String> violations = new ArrayList<>();

  /** What a run came to. */
  public record Report(
      int kills,
      int received,
      int toldAgain,
      int handOuts,
      int again,
      int staleAcks,
      int answers,
      List<String> violations) {
    @Override
    public String toString() {
      return ("%d kills, %d messages received, told again %d times; handed out %d times, %d of"
              + " them again; %d acks refused as stale, %d answers; %d violations")
          .formatted(
              kills, received, toldAgain, handOuts, again, staleAcks, answers, violations.size());
    }
  }

  public InboundHarness(Path folder, long seed) {
    this.home = new Home(folder);
    this.api = home.api();
    this.random = new SplittableRandom(seed);
  }

  /** Runs until the server was killed so many times. */
  public Report run(int killCount) throws IOException, InterruptedException {
    try (FakeTelegram platform = FakeTelegram.start()) {
      platform.platform().recording(false);
      Path config = writeConfig(platform.baseUrl());
      People people = new People(api, ACCOUNT, SECRET, CHATS, PAUSE, random.split());
      Consumers consumers = new Consumers(api, CONSUMERS, random.split());
      people.start();
      consumers.start();
      for (int kill = 0; kill < killCount; kill++) {
        ServerProcess server = home.start(config);
        if (random.nextInt(5) > 0) { // the others are killed while they start
          home.requireReady(server);
          people.awaitMore(10);
        }
        LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(1200)).toNanos());
        server.kill();
      }
      consumers.beCareful();
      ServerProcess server = home.start(config);
      try {
        home.requireReady(server);
        people.awaitMore(100);
        people.finish();
        rest();
        consumers.finish();
        return judge(killCount, people, consumers);
      } finally {
        server.stop();
      }
    }
  }

  // ---- judging

  private Report judge(int kills, People people, Consumers consumers) throws IOException {
    List<Consumers.Note> notes = consumers.notes();
    Map<String, Integer> last = new HashMap<>(); // the latest number handed out, by chat
    Set<String> perhapsHandled = new HashSet<>();
    Set<String> handled = new HashSet<>();
    Map<String, String> ids = new HashMap<>();
    Map<String, Integer> answered = new HashMap<>();
    int again = 0;
    int stale = 0;
    for (Consumers.Note note : notes) {
      switch (note) {
        case Consumers.Given given -> {
          if (handled.contains(given.text())) {
            violations.add("handed out after it was handled: " + given);
          }
          again += ids.put(given.text(), given.id()) == null ? 0 : 1;
          checkOrder(given, last, perhapsHandled);
        }
        case Consumers.Acking acking -> perhapsHandled.add(acking.text());
        case Consumers.Acked acked -> {
          stale += acked.status() == 409 ? 1 : 0;
          if (acked.status() == 200) {
            handled.add(acked.text());
            answered.merge(acked.text(), acked.answered() ? 1 : 0, Integer::sum);
          }
        }
      }
    }
    checkAll(people, ids, answered);
    violations.addAll(home.rescued());
    return new Report(
        kills,
        people.acknowledged().values().stream().mapToInt(Integer::intValue).sum(),
        people.toldAgain(),
        (int) notes.stream().filter(Consumers.Given.class::isInstance).count(),
        again,
        stale,
        answered.values().stream().mapToInt(Integer::intValue).sum(),
        violations);
  }

  /** A message is handed out only when those before it in its session may have been handled. */
  private void checkOrder(
      Consumers.Given given, Map<String, Integer> last, Set<String> perhapsHandled) {
    String chat = given.text().substring(0, given.text().indexOf('/'));
    int number = Integer.parseInt(given.text().substring(chat.length() + 1));
    int before = last.getOrDefault(chat, 0);
    if (number != before && number != before + 1) {
      violations.add("out of order: " + given + " after number " + before);
    } else if (number == before + 1
        && number > 1
        && !perhapsHandled.contains(chat + "/" + before)) {
      violations.add("handed out before " + chat + "/" + before + " was handled: " + given);
    }
    last.put(chat, Math.max(before, number));
  }

  /** Everything received was stored once, handed out, handled, and answered as was said. */
  private void checkAll(People people, Map<String, String> ids, Map<String, Integer> answered)
      throws IOException {
    int received = 0;
    for (Map.Entry<String, Integer> chat : people.acknowledged().entrySet()) {
      for (int number = 1; number <= chat.getValue(); number++) {
        received++;
        String text = chat.getKey() + "/" + number;
        String id = ids.get(text);
        if (id == null) {
          violations.add("lost: " + text);
          continue;
        }
        JsonNode turn = api.get("/v1/turns/" + id);
        int answers = turn.path("messages").size();
        Integer said = answered.get(text);
        if (!turn.path("message").path("status").asString("").equals("handled")) {
          violations.add("not handled: " + turn);
        } else if (answers > 1 || (said != null && answers != said)) {
          violations.add("answered %d times: %s".formatted(answers, turn));
        } else if (!turn.path("state").asString("").equals(answers == 0 ? "empty" : "delivered")) {
          violations.add("the turn did not end: " + turn);
        }
      }
    }
    int stored = count();
    if (stored != received) {
      violations.add("%d messages were received, and %d are stored".formatted(received, stored));
    }
  }

  private int count() throws IOException {
    int all = 0;
    String cursor = "";
    while (true) {
      JsonNode page = api.get("/v1/inbound?limit=500" + cursor);
      all += page.path("items").size();
      if (!page.path("next").isString()) {
        return all;
      }
      cursor = "&cursor=" + page.path("next").asString("");
    }
  }

  // ---- the server

  private void rest() throws IOException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode stats = api.stats();
      if (stats.path("counted").asBoolean(false)
          && stats.path("queued").asLong(-1) == 0
          && stats.path("inbound").path("pending").asLong(-1) == 0
          && stats.path("inbound").path("leased").asLong(-1) == 0) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("the inbox did not come to rest: " + api.stats());
  }

  private Path writeConfig(String platform) throws IOException {
    return home.config(
        """
        accounts:
          - id: tg
            channel: telegram
            token: "1:test"
            baseUrl: "%s"
            webhookSecret: "%s"
            pace: { perSecond: 2000, burst: 50, concurrency: 16, chat: { perSecond: 1000, \
        burst: 50 } }
        delivery:
          backoff: [50ms, 200ms]
          maxAttempts: 1000
        inbound:
          backoff: [20ms, 50ms]
          maxAttempts: 1000
          revivals: 1000
          revivalDelay: 100ms
        """
            .formatted(platform, SECRET));
  }
}
