package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Kills a loaded server again and again, then lets it come to rest and looks at what the platform
 * saw: nothing lost, nothing out of order, nothing repeated without a reason, every possible repeat
 * announced.
 */
public final class CrashHarness {
  private static final String ACCOUNT = "tg";
  private static final List<Load.Lane> LANES = Load.lanes(ACCOUNT, 1000, 12);
  private static final Duration PAUSE = Duration.ofMillis(15);

  private final Path folder;
  private final Home home;
  private final SplittableRandom random;
  private final Api api;
  private final List<Verdicts.Trouble> kills = new ArrayList<>();

  /** What a run came to. */
  public record Report(
      int kills,
      int messages,
      int requests,
      int repeatsAfterKill,
      int repeatsAfterFault,
      List<String> violations) {
    @Override
    public String toString() {
      return ("%d kills, %d messages, %d arrivals on the platform, %d repeats after a kill, %d"
              + " after a lost answer, %d violations")
          .formatted(
              kills, messages, requests, repeatsAfterKill, repeatsAfterFault, violations.size());
    }
  }

  public CrashHarness(Path folder, long seed) {
    this.folder = folder;
    this.random = new SplittableRandom(seed);
    this.home = new Home(folder);
    this.api = home.api();
  }

  /** Runs until the server was killed so many times. */
  public Report run(int killCount) throws IOException, InterruptedException {
    Weather weather = new Weather(random.split());
    try (FakeTelegram platform = FakeTelegram.start()) {
      platform.platform().recording(false);
      platform.script(weather);
      Path config = writeConfig(platform.baseUrl(), 1000);
      Load load = new Load(_ -> api, LANES, PAUSE, random.split());
      load.start();
      while (kills.size() < killCount) {
        ServerProcess server = home.start(config);
        if (random.nextInt(5) > 0) { // the others are killed while they start
          home.requireReady(server);
          load.awaitMore(10);
        }
        LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(1200)).toNanos());
        if (!server.isAlive()) {
          throw new AssertionError("the server ended by itself; see " + home.log());
        }
        Instant from = Instant.now();
        server.kill();
        kills.add(Verdicts.Trouble.kill(from, Instant.now(), Set.of(ACCOUNT)));
      }
      weather.clearUp();
      ServerProcess server = home.start(config);
      try {
        home.requireReady(server);
        load.awaitMore(100);
        load.finish();
        rest();
        return judge(platform, load, weather);
      } finally {
        server.stop();
      }
    }
  }

  private Report judge(FakeTelegram platform, Load load, Weather weather) throws IOException {
    Verdicts verdicts =
        new Verdicts(platform.deliveries(), load.acknowledged(), List.copyOf(kills), weather);
    List<String> violations = new ArrayList<>(load.refusals());
    violations.addAll(verdicts.check(api));
    violations.addAll(home.rescued());
    return new Report(
        kills.size(),
        verdicts.messages(),
        platform.deliveryCount(),
        verdicts.excusedByTrouble(),
        verdicts.excusedByFault(),
        violations);
  }

  /**
   * A message that takes the process down with it at every attempt must end as failed, not come
   * back for ever.
   *
   * @return the message, as the API shows it at the end
   */
  public JsonNode poison(int maxAttempts) throws IOException {
    ServerProcess[] running = new ServerProcess[1];
    try (FakeTelegram platform = FakeTelegram.start()) {
      platform.script(
          (_, text) -> {
            if (text.equals("poison")) {
              running[0].kill();
            }
            return null;
          });
      // On a busy machine a short timeout would use up attempts that killed nobody.
      Path config = writeConfig(platform.baseUrl(), maxAttempts, 2000, "60s");
      running[0] = home.start(config);
      home.requireReady(running[0]);
      String id =
          api.post(Map.of("account", ACCOUNT, "to", "1", "text", "poison"))
              .body()
              .path("id")
              .asString("");
      for (int attempt = 1; attempt < maxAttempts; attempt++) {
        running[0].awaitExit();
        running[0] = home.start(config);
      }
      running[0].awaitExit();
      ServerProcess last = home.start(config);
      home.requireReady(last);
      try {
        rest();
        return api.message(id);
      } finally {
        last.stop();
      }
    }
  }

  /** What the platform saw of one picture sent to many. */
  public record Seen(List<FakeTelegram.Delivery> deliveries, List<FakeTelegram.Uploaded> uploads) {}

  /** Sends one picture to many chats, and kills the server while it is at it. */
  public Seen picture(int chats, int bytes) throws IOException {
    byte[] picture = new byte[bytes];
    System.arraycopy(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}, 0, picture, 0, 3);
    try (FakeTelegram platform = FakeTelegram.start()) {
      AtomicBoolean killed = new AtomicBoolean();
      FakeTelegram.Step later = new FakeTelegram.Step.Refuse(FakeTelegram.tooManyRequests(1));
      platform.script( // half of them wait for the kill, however late it comes
          (chat, _) -> killed.get() || Integer.parseInt(chat) <= chats / 2 ? null : later);
      Path config = writeConfig(platform.baseUrl(), 1000, 60, "20s");
      ServerProcess first = home.start(config);
      home.requireReady(first);
      String id = api.upload(picture).body().path("id").asString("");
      for (int chat = 1; chat <= chats; chat++) {
        Api.Answer answer =
            api.post(
                Map.of("account", ACCOUNT, "to", "" + chat, "media", List.of(Map.of("id", id))));
        if (answer.status() != 202) {
          throw new AssertionError("not accepted: " + answer);
        }
      }
      platform.awaitDeliveries(chats / 4, ServerProcess.LIMIT);
      first.kill();
      killed.set(true);
      first = home.start(config);
      home.requireReady(first);
      try {
        rest();
        return new Seen(platform.deliveries(), platform.uploads());
      } finally {
        first.stop();
      }
    }
  }

  /**
   * Starts a second server on the same data beside a running one; gives its exit code and what it
   * said.
   */
  public String second() throws IOException {
    try (FakeTelegram platform = FakeTelegram.start()) {
      Path config = writeConfig(platform.baseUrl(), 5);
      ServerProcess first = home.start(config);
      home.requireReady(first);
      Path other = home.secondConfig(rest(platform.baseUrl(), 5, 2000, "2s"));
      Path said = folder.resolve("second.log");
      int exit = home.start(other, said).awaitExit();
      first.stop();
      return "exit " + exit + ": " + Files.readString(said);
    }
  }

  private void rest() throws IOException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode stats = api.stats();
      if (stats.path("counted").asBoolean(false) && stats.path("queued").asLong(-1) == 0) {
        return;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new AssertionError("the queue did not come to rest: " + api.stats());
  }

  private Path writeConfig(String platform, int maxAttempts) throws IOException {
    return writeConfig(platform, maxAttempts, 2000, "60s");
  }

  private Path writeConfig(String platform, int maxAttempts, int perSecond, String timeout)
      throws IOException {
    return home.config(rest(platform, maxAttempts, perSecond, timeout));
  }

  private static String rest(String platform, int maxAttempts, int perSecond, String timeout) {
    return """
        accounts:
          - id: tg
            channel: telegram
            token: "1:test"
            baseUrl: "%s"
            timeout: %s
            pace: { perSecond: %d, burst: 50, concurrency: 16, chat: { perSecond: 1000, \
        burst: 50 } }
        delivery:
          backoff: [50ms, 200ms]
          maxAttempts: %d
        """
        .formatted(platform, timeout, perSecond, maxAttempts);
  }
}
