package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A real server under load, its store, and the platform it sends to: everything that a fault can be
 * done to, and everything that an operator can look at.
 */
public final class Trial implements AutoCloseable {
  private static final String ACCOUNT = "tg";
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final int LANES = 6;

  private final Home home;
  private final Path data;
  private final FakeTelegram platform = FakeTelegram.start();
  private final Cable cable = Cable.to(platform.platform().port());
  private final SplittableRandom random = new SplittableRandom();
  private final Load load;
  private final List<Verdicts.Trouble> troubles = new ArrayList<>();
  private final Path config;
  private @Nullable ServerProcess server;
  private long logFrom;
  private @Nullable Set<String> held; // if the store has gone back: ids of what may have been sent

  /**
   * What a server of a trial is given.
   *
   * @param store its address; empty for a file in the folder of the trial
   * @param platformHost by what name it finds the platform
   * @param javaOptions how Java is run
   */
  public record Settings(String store, String platformHost, String javaOptions) {
    public static final Settings USUAL = new Settings("", "127.0.0.1", "");
  }

  /**
   * @param settings what its server is given
   */
  public Trial(Path folder, Settings settings) throws IOException {
    this.data = Files.createDirectories(folder.resolve("data"));
    String store = settings.store.isEmpty() ? "sqlite:" + file() : settings.store;
    Map<String, String> environment =
        settings.javaOptions.isEmpty()
            ? Map.of()
            : Map.of("JAVA_TOOL_OPTIONS", settings.javaOptions);
    this.home = new Home(folder, store, environment);
    this.config = home.config(rest("http://" + settings.platformHost + ":" + cable.port()));
    this.load = new Load(_ -> home.api(), Load.lanes(ACCOUNT, 1000, LANES), PAUSE, random.split());
  }

  private static String rest(String platform) {
    return """
    accounts:
      - id: tg
        channel: telegram
        token: "1:test"
        baseUrl: "%s"
        timeout: 3s
        pace: { perSecond: 2000, burst: 50, concurrency: 16, chat: { perSecond: 1000, burst: 50 } }
    delivery: { backoff: [200ms], maxAttempts: 1000 }
    health: { diskFree: 0 }
    """
        .formatted(platform);
  }

  /** Starts the server, and the load once it is ready. */
  public void begin() throws InterruptedException {
    start();
    load.start();
    load.awaitMore(10 * LANES);
  }

  // ---- what a fault can be done to

  /** The folder of the store; to be used before the trial begins, or while it lasts. */
  public Path data() {
    return data;
  }

  /** The file of the store. */
  public Path file() {
    return data.resolve("postrider.db");
  }

  public FakeTelegram platform() {
    return platform;
  }

  /** What lies between the server and the platform. */
  public Cable cable() {
    return cable;
  }

  public void start() {
    server = home.start(config);
    home.requireReady(server);
  }

  /** SIGKILL. */
  public void kill() {
    server().kill();
  }

  /** SIGTERM; gives the exit code. */
  public int stop() {
    return server().stop();
  }

  /** Waits until it ends by itself; gives the exit code. */
  public int awaitEnd() {
    return server().awaitExit();
  }

  /** SIGSTOP. */
  public void freeze() {
    server().freeze();
  }

  /** SIGCONT. */
  public void thaw() {
    server().thaw();
  }

  public long pid() {
    return server().pid();
  }

  private ServerProcess server() {
    if (server == null) {
      throw new IllegalStateException("the trial has not begun");
    }
    return server;
  }

  /** Waits until so many messages more were accepted. */
  public void awaitMore(int messages) throws InterruptedException {
    load.awaitMore(messages);
  }

  /** Starts a server that must not start, for this reason. */
  public void requireRefusal(String reason) throws IOException {
    turnOverLog();
    if (home.start(config).awaitReady() || !log().contains(reason)) {
      throw new AssertionError("it started, or did not say why not: " + log());
    }
  }

  /** {@code postrider hold}: the store has gone back to what it was a while ago. */
  public void hold() throws IOException {
    CommandProcess.Ended ended =
        CommandProcess.run("hold", "--taken", "1m", "--config", config.toString());
    if (ended.exit() != 0) {
      throw new AssertionError("nothing was held: " + ended);
    }
  }

  /** Decides about what was held: all of it has been sent, as far as anybody cares. */
  public void discardHeld() throws IOException {
    Set<String> ids = new HashSet<>();
    JsonNode page;
    do {
      page = home.api().get("/v1/dead-letters?reason=restored");
      for (JsonNode message : page.path("items")) {
        ids.add(message.path("id").asString(""));
      }
      home.api().post("/v1/dead-letters/discard", Map.of("ids", List.copyOf(ids)));
    } while (!page.path("items").isEmpty());
    held = ids;
  }

  /** From then until now, one part of each chat may have been left in doubt. */
  public void doubtful(Instant from) {
    troubles.add(Verdicts.Trouble.kill(from, Instant.now(), Set.of(ACCOUNT)));
  }

  // ---- what an operator can look at

  /** {@code /healthz}. */
  public String health() throws IOException {
    return home.api().get("/healthz").toString();
  }

  /** {@code /readyz}. */
  public String ready() throws IOException {
    return home.api().get("/readyz").toString();
  }

  /** {@code postrider doctor}. */
  public String doctor() throws IOException {
    return CommandProcess.run("doctor", "--config", config.toString()).said();
  }

  /** The account, as the API shows it. */
  public String account() throws IOException {
    return home.api().get("/v1/accounts").path("items").path(0).toString();
  }

  /** What waits, and why. */
  public String waiting() throws IOException {
    return home.api().get("/v1/waiting").toString();
  }

  /** What was logged since {@link #turnOverLog}. */
  public String log() throws IOException {
    byte[] all = Files.readAllBytes(home.log());
    return new String(all, (int) logFrom, (int) (all.length - logFrom), StandardCharsets.UTF_8);
  }

  public void turnOverLog() throws IOException {
    logFrom = Files.size(home.log());
  }

  // ---- how it ends

  /** Until it says that all is well, takes messages, and those arrive. */
  public void awaitWell() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    String health = "";
    while (!health.contains("\"status\":\"ok\"")) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not recover: " + health);
      }
      LockSupport.parkNanos(LOOK.toNanos());
      health = tryHealth();
    }
    load.awaitMore(2 * LANES);
    platform.awaitDeliveries(platform.deliveryCount() + LANES, ServerProcess.LIMIT);
  }

  private String tryHealth() {
    try {
      return health();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Ends the load and lets the queue run empty; gives what was violated. */
  public List<String> finish() throws IOException, InterruptedException {
    load.finish();
    rest();
    List<Delivery> seen = platform.deliveries();
    Weather clear = new Weather(random.split());
    clear.clearUp();
    List<String> violations = new ArrayList<>(load.refusals());
    Map<Load.Lane, List<Load.Sent>> acknowledged = load.acknowledged();
    if (held != null) {
      GoneBack past = GoneBack.of(home.api(), held, acknowledged, seen);
      violations.addAll(past.violations());
      acknowledged = past.stayed();
      seen = past.seenOfThem();
    }
    Verdicts verdicts = new Verdicts(seen, acknowledged, troubles, clear);
    violations.addAll(verdicts.check(home.api()));
    violations.addAll(home.rescued());
    return violations.stream().limit(20).collect(Collectors.toList());
  }

  private void rest() throws IOException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode stats = home.api().stats();
      if (stats.path("counted").asBoolean(false)
          && stats.path("queued").asLong(-1) == 0
          && stats.path("sending").asLong(-1) == 0) {
        return;
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    throw new AssertionError("the queue did not come to rest: " + home.api().stats());
  }

  /** Nothing of it runs any more, but for the platform. */
  public void end() {
    if (server != null && server.isAlive()) {
      server.kill();
    }
    load.abandon();
  }

  @Override
  public void close() {
    cable.close();
    platform.close();
  }
}
