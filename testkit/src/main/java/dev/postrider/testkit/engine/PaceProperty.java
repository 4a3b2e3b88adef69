package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.store.Store;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the traffic, the outcomes and the restarts: in no window does a scope send more than its
 * rate allows, plus its burst.
 */
public abstract class PaceProperty extends EngineBehaviour {
  private static final Pace ACCOUNT = Pace.perSecond(4).and(minutes(1), 100).burst(6);
  private static final Pace CHAT = Pace.perSecond(1).and(minutes(1), 20).burst(3);
  private static final Pace CHANNEL = Pace.perSecond(6).burst(2);

  private boolean stalls;
  private FlakyStore flaky = new FlakyStore(VirtualTime.inOrder());

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("pace.seeds", 8));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void no_window_holds_more_than_rate_and_burst(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    stalls = seed % 2 == 1;
    FakeChannel platform = new FakeChannel().pace(ACCOUNT, CHAT).textLimit(8).concurrency(5);
    platform.mood(_ -> mood(platform, random));
    Path own = folder.resolve("seed" + seed);
    assertThat(own.toFile().mkdirs()).isTrue();
    world.close();
    world =
        new World(
                time -> stalling(openStore(own, time), time),
                VirtualTime.shuffled(random),
                platform,
                seed)
            .configure(config -> config.account(AccountConfig.of("other", "fake")))
            .configure(config -> config.channelPace("fake", CHANNEL));
    world.start();

    for (int step = 0; step < 150; step++) {
      act(random);
    }
    world.pass(minutes(3));

    List<Request> requests = platform.requests();
    assertThat(requests).hasSizeGreaterThan(100);
    check("channel", requests, CHANNEL);
    by(requests, Request::account).forEach((name, some) -> check(name, some, ACCOUNT));
    by(requests, request -> request.account() + "/" + request.chat())
        .forEach((name, some) -> check(name, some, CHAT));
  }

  private Store stalling(Store store, VirtualTime time) {
    flaky = new FlakyStore(time);
    return flaky.around(store);
  }

  private void act(SplittableRandom random) {
    switch (random.nextInt(21)) {
      case 20 -> {
        if (stalls) {
          stall(random);
        }
      }
      case 0 -> {
        if (stalls) {
          restart(); // a crash while held-up requests leave may forget the last of them
        } else {
          crashAndStart();
        }
      }
      case 1 -> restart();
      case 2, 3, 4, 5 -> world.pass(millis(random.nextInt(3000)));
      case 6 -> world.pass(seconds(random.nextInt(20)));
      default -> {
        for (int i = random.nextInt(4); i >= 0; i--) {
          world.send(
              Message.to(random.nextInt(3) == 0 ? "other" : "bot", "chat" + random.nextInt(6))
                  .text("x".repeat(1 + random.nextInt(20)))
                  .priority(random.nextBoolean() ? Priority.LIVE : Priority.BULK)
                  .ordering(random.nextInt(5) == 0 ? Ordering.NONE : Ordering.FIFO));
        }
      }
    }
  }

  /** For a while, what was reserved reaches the platform late, or what was sent is stored late. */
  private void stall(SplittableRandom random) {
    flaky.delay(millis(random.nextInt(5000)));
    for (int i = random.nextInt(10); i >= 0; i--) {
      Message message = Message.to("bot", "chat" + random.nextInt(6)).text("stalled").build();
      world.time.start("producer", () -> world.postrider().send(message));
    }
    world.pass(millis(random.nextInt(5000)));
    flaky.delay(Duration.ZERO);
    world.pass(millis(random.nextInt(5000)));
  }

  private static Reaction mood(FakeChannel platform, SplittableRandom random) {
    Reaction reaction =
        switch (random.nextInt(40)) {
          case 0 -> Reaction.of(throttled(ThrottleScope.CHAT, seconds(3)));
          case 1 -> Reaction.of(throttled(ThrottleScope.ACCOUNT, seconds(1)));
          case 2 -> Reaction.of(throttled(ThrottleScope.CHANNEL, seconds(1)));
          case 3, 4 -> Reaction.of(REFUSED);
          case 5 -> Reaction.of(NO_ANSWER);
          case 6 -> Reaction.of(rejected());
          case 7 -> Reaction.of(new Outcome.Repairable(new Fix.PlainText(), "markup"));
          default -> platform.delivered();
        };
    return reaction.taking(millis(random.nextInt(3) * 100));
  }

  private static Map<String, List<Request>> by(
      List<Request> requests, Function<Request, String> scope) {
    return requests.stream().collect(Collectors.groupingBy(scope));
  }

  /**
   * For every limit and every pair i ≤ j: {@code j - i + 1 ≤ (tj - ti) / interval + burst}. With
   * {@code fj = j - tj / interval} that is {@code fj - min fi + 1 ≤ burst}: one pass.
   */
  private static void check(String scope, List<Request> requests, Pace pace) {
    pace.limits()
        .forEach(
            (period, count) -> {
              double interval = (double) period.toNanos() / count;
              double lowest = Double.MAX_VALUE;
              for (int j = 0; j < requests.size(); j++) {
                Duration at = requests.get(j).elapsed();
                double f = j - at.toNanos() / interval;
                lowest = Math.min(lowest, f);
                assertThat(f - lowest + 1)
                    .as("%s, %s per %s, request %s at %s", scope, count, period, j, at)
                    .isLessThanOrEqualTo(pace.burst() + 1e-3);
              }
            });
  }
}
