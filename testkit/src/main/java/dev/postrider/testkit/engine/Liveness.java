package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is due and not in flight is looked at again without outside help: after any outcome and
 * any failure of the store; {@link ClockSteps} are about clocks. The safety sweep must find nothing
 * meanwhile.
 */
public abstract class Liveness extends EngineBehaviour {
  private FlakyStore flaky = new FlakyStore(VirtualTime.inOrder());

  /** A world whose store can fail in unexpected ways. */
  private void flakyWorld() {
    flaky = new FlakyStore(world.time);
    world = new World(time -> flaky.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 5);
  }

  // ---- wake-ups

  @ParameterizedTest
  @MethodSource("seeds")
  void a_throttle_of_no_time_at_all_leaves_no_lane_behind(long seed) {
    manyLanes(seed, throttled(ThrottleScope.CHAT, Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_back_off_of_no_time_at_all_leaves_no_lane_behind(long seed) {
    delivery(
        settings -> {
          settings.backoff = List.of(Duration.ZERO);
          settings.fastFirstRetry = Duration.ZERO;
          settings.maxAttempts = 1000;
        });
    manyLanes(seed, NO_ANSWER);
  }

  private void manyLanes(long seed, Outcome trouble) {
    SplittableRandom random = new SplittableRandom(seed);
    Path own = folder.resolve("seed" + seed);
    assertThat(own.toFile().mkdirs()).isTrue();
    FakeChannel platform = new FakeChannel().concurrency(20);
    platform.mood(_ -> random.nextInt(3) == 0 ? Reaction.of(trouble) : platform.delivered());
    World other =
        new World(
            time -> openStore(own, time), VirtualTime.shuffled(random.split()), platform, seed);
    world.copyAccountTo(other);
    world = other;
    world.start();
    List<Delivery> sent = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      sent.add(world.postrider().send(to("chat" + random.nextInt(60), "m" + i).build()));
    }

    world.pass(seconds(5)); // less than any safety net takes

    assertThat(sent).allMatch(delivery -> world.status(delivery) == Status.DELIVERED);
  }

  // ---- failures

  @Test
  void an_unexpected_failure_of_a_reservation_does_not_strand_its_lane() {
    for (Supplier<Throwable> failure :
        List.<Supplier<Throwable>>of(
            StackOverflowError::new, () -> new ArithmeticException("by zero"), LinkageError::new)) {
      flakyWorld();
      world.start();
      world.postrider().pauseAccount("bot", "test");
      Delivery one = world.send("ann", "one");
      Delivery two = world.send("ann", "two");
      flaky.failOnce("reserve", failure.get());

      world.postrider().resumeAccount("bot");
      world.pass(seconds(2));

      assertThat(world.status(one)).isEqualTo(Status.DELIVERED);
      assertThat(world.status(two)).isEqualTo(Status.DELIVERED);
      world.crash();
    }
  }

  @Test
  void a_delivered_part_is_not_sent_again_when_storing_its_outcome_fails_unexpectedly() {
    for (String write : List.of("progress", "settle")) {
      world.platform.requests().clear();
      world.platform.textLimit(6);
      flakyWorld();
      world.start();
      flaky.failOnce(write, new UnsupportedOperationException("nobody foresaw this"));

      Delivery delivery = world.send("ann", "first second");
      world.pass(seconds(5));

      assertThat(world.platform.texts()).containsExactly("first ", "second");
      assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
      assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
      world.crash();
    }
  }

  @Test
  void a_listener_that_throws_anything_harms_no_message() {
    world.start();
    world
        .postrider()
        .events()
        .subscribe(
            _ -> {
              throw new StackOverflowError();
            });

    Delivery delivery = world.send("ann", "hello");
    Delivery next = world.send("ann", "again");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.status(next)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("hello", "again");
  }

  @Test
  void reading_what_is_due_may_fail_in_any_way() {
    flakyWorld();
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery delivery = world.send("ann", "hello");
    crashAndStartPaused();
    flaky.failOnce("due", new StackOverflowError());
    flaky.failOnce("nextDue", new LinkageError());

    world.postrider().resumeAccount("bot");
    world.pass(seconds(3));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  private void crashAndStartPaused() {
    world.crash();
    world.start();
  }

  // ---- tokens at the wire

  @Test
  void a_stall_of_the_store_does_not_become_a_burst_at_the_platform() {
    world.platform.pace(Pace.perSecond(5).burst(1), Pace.UNLIMITED);
    flakyWorld();
    world.start();
    flaky.delay(seconds(4));
    for (int i = 0; i < 40; i++) {
      Message message = to("chat" + i, "m" + i).build();
      world.time.start("producer", () -> world.postrider().send(message));
    }
    world.pass(seconds(4));
    flaky.delay(Duration.ZERO);
    world.pass(seconds(30));

    List<Request> requests = world.platform.requests();
    assertThat(requests).hasSize(40);
    for (int i = 0; i + 6 < requests.size(); i++) {
      Duration window = requests.get(i + 6).elapsed().minus(requests.get(i).elapsed());
      assertThat(window).as("requests %s to %s", i, i + 6).isGreaterThan(seconds(1));
    }
  }

  @Test
  void a_message_that_was_reserved_when_its_account_paused_goes_back_uncharged() {
    flakyWorld();
    world.start();
    flaky.delay(seconds(2));
    List<Delivery> sent = new ArrayList<>();
    world.time.start(
        "producer", () -> sent.add(world.postrider().send(to("ann", "hello").build())));
    world.time.settle();
    flaky.delay(Duration.ZERO);
    world.postrider().pauseAccount("bot", "test");

    world.pass(seconds(5));
    assertThat(world.platform.requests()).isEmpty();
    world.postrider().resumeAccount("bot");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(attempts(sent.getFirst())).isEqualTo(1);
  }

  // ---- the safety sweep

  @Test
  void what_nobody_looks_at_is_found_by_the_sweep_started_and_counted() {
    world.start();
    world.send(to("bob", "tomorrow").sendAt(world.time.instant().plus(hours(24))));
    Delivery model = world.send("ann", "hello");
    StoredMessage like = world.message(model.id());
    world.time.await(world.store().accept(copy(like))); // behind the engine's back

    world.pass(seconds(15));

    assertThat(world.platform.texts()).containsExactly("hello", "hello");
    assertThat(world.postrider().stats().rescued()).isEqualTo(1);
    expectRescued(1);
  }

  private NewMessage copy(StoredMessage like) {
    return new NewMessage(
        new Ids(world.time, new SplittableRandom(7)).nextMessageId(),
        like.message(),
        like.plan(),
        Progress.none(like.plan().parts().size()),
        world.time.instant(),
        world.time.instant(),
        world.time.instant().plus(hours(1)),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }
}
