package dev.postrider.testkit.internal.crash;

import static java.util.stream.Collectors.joining;

import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Kills a server in the middle of a send: every account has handed a request to its platform, which
 * has read it and not answered. Then a new server goes on, and one looks at what each platform saw.
 */
public final class KillHarness {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final Home home;

  /**
   * A channel under test.
   *
   * @param channel its name; where it can be used in several ways, with a slash and which
   * @param settings of its account, in one line of YAML; {@code {base}} is where its platform is
   * @param to somebody to write to
   * @param isSend which requests send a message; a probe or an access token is none
   * @param answers what the platform says, also to other requests
   */
  public record Case(
      String channel,
      String settings,
      String to,
      Predicate<Request> isSend,
      Function<Request, Reply> answers) {
    String account() {
      return channel.replace('/', '-');
    }

    String name() {
      return channel.replaceFirst("/.*", "");
    }
  }

  /** What the platform saw of the two messages, and where they stand. */
  public record Seen(List<Request> sends, JsonNode first, JsonNode second) {}

  public KillHarness(Path folder) {
    home = new Home(folder);
  }

  /** A channel and its platform. */
  private record Pair(Case channel, FakePlatform platform) {
    String account() {
      return KillHarness.account(channel, platform.baseUrl());
    }

    Seen seen(JsonNode first, JsonNode second) {
      return new Seen(platform.requests().stream().filter(channel.isSend).toList(), first, second);
    }
  }

  private static String account(Case channel, String base) {
    return "  - { id: %s, channel: %s, delivery: { backoff: [50ms] }, %s }"
        .formatted(channel.account(), channel.name(), channel.settings.replace("{base}", base));
  }

  /** The ids of the two messages. */
  private record Ids(String first, String second) {}

  /** Sends two messages on each, and pulls the plug while the first ones are under way. */
  public Map<String, Seen> run(List<Case> cases) throws IOException, InterruptedException {
    List<Pair> pairs = new ArrayList<>();
    CountDownLatch underWay = new CountDownLatch(cases.size());
    AtomicBoolean killed = new AtomicBoolean();
    try {
      for (Case each : cases) {
        pairs.add(new Pair(each, silentUntil(killed, each, underWay)));
      }
      Path config =
          home.config(
              pairs.stream().map(Pair::account).collect(joining("\n", "accounts:\n", "\n")));
      ServerProcess server = home.start(config);
      home.requireReady(server);
      List<Ids> ids = new ArrayList<>();
      for (Case each : cases) {
        ids.add(new Ids(post(each, "first"), post(each, "second")));
      }
      if (!underWay.await(ServerProcess.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("a platform got no request; see " + home.log());
      }
      server.kill();
      killed.set(true);
      server = home.start(config);
      try {
        home.requireReady(server);
        Map<String, Seen> seen = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i++) {
          JsonNode second = ended(ids.get(i).second);
          seen.put(cases.get(i).channel, pairs.get(i).seen(ended(ids.get(i).first), second));
        }
        return seen;
      } finally {
        server.stop();
      }
    } finally {
      pairs.forEach(pair -> pair.platform.close());
    }
  }

  /**
   * The same on one account whose platform is no HTTP server.
   *
   * @param channel its name, which is the account's as well
   * @param underWay whether whoever stands in for the platform has got the first message
   * @param afterKill lets it answer from then on
   * @return the two messages, once they have ended
   */
  public List<JsonNode> run(
      String channel, String settings, String to, BooleanSupplier underWay, Runnable afterKill)
      throws IOException {
    Case one = new Case(channel, settings, to, _ -> false, _ -> new Reply.HangUp());
    Path config = home.config("accounts:\n" + account(one, "") + "\n");
    ServerProcess server = home.start(config);
    home.requireReady(server);
    Ids ids = new Ids(post(one, "first"), post(one, "second"));
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (!underWay.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(channel + " was asked nothing; see " + home.log());
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
    server.kill();
    afterKill.run();
    server = home.start(config);
    try {
      home.requireReady(server);
      return List.of(ended(ids.first), ended(ids.second));
    } finally {
      server.stop();
    }
  }

  /** A platform that answers no send before the kill. */
  private static FakePlatform silentUntil(
      AtomicBoolean killed, Case channel, CountDownLatch underWay) {
    AtomicBoolean first = new AtomicBoolean(true);
    return FakePlatform.start()
        .when(
            request -> !killed.get() && channel.isSend.test(request),
            _ -> {
              if (first.getAndSet(false)) {
                underWay.countDown();
              }
              return new Reply.Silence();
            })
        .otherwise(channel.answers);
  }

  private String post(Case to, String text) throws IOException {
    return post(to.account(), to.to, text);
  }

  private String post(String account, String to, String text) throws IOException {
    Api.Answer answer = home.api().post(Map.of("account", account, "to", to, "text", text));
    if (answer.status() != 202) {
      throw new AssertionError(account + " does not take it: " + answer);
    }
    return answer.body().path("id").asString("");
  }

  /**
   * A server whose platform is somebody else's, for channels that hold a connection: the test says
   * when the plug is pulled, and looks at the platform's own record.
   */
  public final class Life implements AutoCloseable {
    private final Path config;
    private ServerProcess server;

    private Life(Path config) {
      this.config = config;
      server = home.start(config);
      home.requireReady(server);
    }

    /** Hands in a message; gives its id. */
    public String send(String account, String to, String text) throws IOException {
      return post(account, to, text);
    }

    /** Logs an account in, whose platform lets it in by itself after a while. */
    public void logIn(String account) throws IOException {
      String path = "/v1/accounts/" + account + "/login";
      long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
      Api.Answer answer = home.api().post(path, Map.of());
      while (!answer.body().path("state").asString("").equals("loggedIn")) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError(account + " is not logged in: " + answer);
        }
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
        answer = home.api().post(path, Map.of());
      }
    }

    /** The message, once it has ended. */
    public JsonNode ended(String id) throws IOException {
      return KillHarness.this.ended(id);
    }

    /** SIGKILL. */
    public void kill() {
      server.kill();
    }

    public void startAgain() {
      server = home.start(config);
      home.requireReady(server);
    }

    @Override
    public void close() {
      server.stop();
    }
  }

  /**
   * Starts a server.
   *
   * @param accounts a line of YAML each
   */
  public Life begin(String... accounts) throws IOException {
    return new Life(home.config("accounts:\n" + String.join("\n", accounts) + "\n"));
  }

  private JsonNode ended(String id) throws IOException {
    List<String> unfinished = List.of("queued", "sending");
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    JsonNode message = home.api().message(id);
    while (unfinished.contains(message.path("status").asString(""))) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it does not end: " + message);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      message = home.api().message(id);
    }
    return message;
  }
}
