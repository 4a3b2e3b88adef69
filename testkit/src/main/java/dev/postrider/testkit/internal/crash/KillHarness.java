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
      Function<Request, Reply> answers) {}

  /** What the platform saw of the two messages, and where they stand. */
  public record Seen(List<Request> sends, JsonNode first, JsonNode second) {}

  public KillHarness(Path folder) {
    home = new Home(folder);
  }

  /** A channel and its platform. */
  private record Pair(Case channel, FakePlatform platform) {
    String account() {
      return "  - { id: %s, channel: %s, delivery: { backoff: [50ms] }, %s }"
          .formatted(
              channel.channel,
              channel.channel,
              channel.settings.replace("{base}", platform.baseUrl()));
    }

    Seen seen(JsonNode first, JsonNode second) {
      return new Seen(platform.requests().stream().filter(channel.isSend).toList(), first, second);
    }
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
    Api.Answer answer = home.api().post(Map.of("account", to.channel, "to", to.to, "text", text));
    if (answer.status() != 202) {
      throw new AssertionError(to.channel + " does not take it: " + answer);
    }
    return answer.body().path("id").asString("");
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
