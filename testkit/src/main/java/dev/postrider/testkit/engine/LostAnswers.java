package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.Delivery;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.message.Status;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.testkit.engine.FlakyStore.Fault;
import dev.postrider.testkit.engine.FlakyStore.Moment;
import dev.postrider.view.Health;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A write was done and its answer was lost, whatever came instead of it: everything goes on as if
 * it had been heard, and the safety sweep has nothing to do.
 */
public abstract class LostAnswers extends EngineBehaviour {
  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  /** What comes instead of an answer. */
  private enum Loss {
    DEFECT(() -> new ArithmeticException("a defect")),
    ERROR(() -> new StackOverflowError("an error")),
    AWAY(() -> new StoreUnavailable("away for a moment"));

    private final Supplier<Throwable> failure;

    Loss(Supplier<Throwable> failure) {
      this.failure = failure;
    }
  }

  static Stream<Loss> losses() {
    return Stream.of(Loss.values());
  }

  @BeforeEach
  void brittle() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
  }

  /** The next so many calls of this name are done, and their answers are lost. */
  private void lose(String call, int times, Loss loss) {
    disk.fail(call, times, Moment.AFTER, loss.failure);
  }

  /** Leaves messages to a chat waiting, behind a pause of the account. */
  private List<Delivery> waiting(String... texts) {
    world.start();
    world.postrider().pauseAccount("bot", "test");
    return Stream.of(texts).map(text -> world.send("ann", text)).toList();
  }

  private void resume() {
    world.postrider().resumeAccount("bot");
    world.pass(seconds(5)); // less than any safety net takes
  }

  private void assertDelivered(List<Delivery> deliveries) {
    assertThat(deliveries)
        .allSatisfy(
            delivery -> {
              assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
              assertThat(attempts(delivery)).isEqualTo(1);
              assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
            });
    assertNothingCounted();
  }

  /** The counts are right again, as soon as somebody has had the time to count. */
  private void assertNothingCounted() {
    world.pass(seconds(20));
    assertThat(account("bot").queued()).isZero();
    assertThat(account("bot").sending()).isZero();
  }

  // ---- the way of a message

  @ParameterizedTest
  @MethodSource("losses")
  void a_message_that_was_stored_unheard_goes_out_once(Loss loss) {
    world.start();
    lose("accept", 1, loss);
    var first = to("ann", "hello").idempotencyKey("k");

    Throwable refused = catchThrowable(() -> world.send(first));
    Delivery again = world.send(first);
    world.send("ann", "next");
    world.pass(seconds(5));

    assertThat(refused == null).isEqualTo(loss != Loss.AWAY);
    assertThat(world.platform.texts()).containsExactly("hello", "next");
    assertDelivered(List.of(again));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_reservation_that_was_stored_unheard_is_used(Loss loss) {
    List<Delivery> sent = waiting("one", "two");
    lose("reserve", 1, loss);

    resume();

    assertThat(world.platform.texts()).containsExactly("one", "two");
    assertDelivered(sent);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_reservation_that_was_not_stored_is_made_again(Loss loss) {
    List<Delivery> sent = waiting("one", "two");
    disk.fail("reserve", 2, Moment.BEFORE, loss.failure);

    resume();

    assertThat(world.platform.texts()).containsExactly("one", "two");
    assertDelivered(sent);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void an_end_that_was_stored_unheard_lets_the_lane_go_on(Loss loss) {
    List<Delivery> sent = waiting("one", "two", "three");
    lose("settle", 2, loss);

    resume();

    assertThat(world.platform.texts()).containsExactly("one", "two", "three");
    assertDelivered(sent);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_retry_that_was_stored_unheard_is_made_at_its_time(Loss loss) {
    List<Delivery> sent = waiting("hello");
    world.platform.then(REFUSED);
    lose("settle", 1, loss);

    world.postrider().resumeAccount("bot");
    world.pass(seconds(4));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(seconds(3));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(attempts(sent.getFirst())).isEqualTo(2);
    assertNothingCounted();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_scheduled_message_that_entered_its_lane_unheard_is_sent(Loss loss) {
    world.start();
    Delivery later = world.send(to("ann", "later").sendAt(world.time.instant().plus(minutes(1))));
    lose("enter", 1, loss);

    world.pass(minutes(1).plus(seconds(5)));

    assertThat(world.platform.texts()).containsExactly("later");
    assertDelivered(List.of(later));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void what_expired_unheard_lets_the_lane_go_on(Loss loss) {
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery old = world.send(to("ann", "old").expiresIn(seconds(30)));
    Delivery young = world.send("ann", "young");
    world.pass(seconds(29));
    lose("expire", 1, loss);
    world.postrider().pauseLane("bot", "bob", "test"); // nobody looks at ann because of that
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(4)));
    world.postrider().resumeAccount("bot");

    world.pass(seconds(10));

    assertThat(world.message(old.id()).status().ended()).isTrue();
    assertThat(world.status(young)).isEqualTo(Status.DELIVERED);
    assertNothingCounted();
  }

  // ---- operators

  @ParameterizedTest
  @MethodSource("losses")
  void a_message_that_was_cancelled_unheard_lets_the_lane_go_on(Loss loss) {
    world.start();
    Delivery later = world.send(to("ann", "never").sendAt(world.time.instant().plus(hours(1))));
    world.platform.then(REFUSED);
    Delivery head = world.send("ann", "first");
    Delivery next = world.send("ann", "second");
    lose("cancel", 2, loss);

    assertThat(catchThrowable(() -> world.postrider().cancel(head.id()))).isNotNull();
    assertThat(catchThrowable(() -> world.postrider().cancel(later.id()))).isNotNull();
    world.pass(seconds(4)); // the head's retry would come after five

    assertThat(world.status(head)).isEqualTo(Status.CANCELLED);
    assertThat(world.status(later)).isEqualTo(Status.CANCELLED);
    assertThat(world.status(next)).isEqualTo(Status.DELIVERED);
    assertNothingCounted();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_pause_that_was_stored_unheard_is_kept_and_a_resume_as_well(Loss loss) {
    world.start();
    lose("pauseLane", 1, loss);
    assertThat(catchThrowable(() -> world.postrider().pauseLane("bot", "ann", "x"))).isNotNull();
    world.pass(seconds(3));
    Delivery delivery = world.send("ann", "hello");
    assertThat(world.platform.requests()).isEmpty();

    lose("resumeLane", 1, loss);
    assertThat(catchThrowable(() -> world.postrider().resumeLane("bot", "ann"))).isNotNull();
    world.pass(seconds(3));

    assertDelivered(List.of(delivery));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void a_lane_that_was_resumed_unheard_can_be_resumed_again(Loss loss) {
    world.start();
    world.postrider().pauseLane("bot", "ann", "test");
    Delivery delivery = world.send("ann", "hello");
    lose("resumeLane", 1, loss);
    assertThat(catchThrowable(() -> world.postrider().resumeLane("bot", "ann"))).isNotNull();

    world.postrider().resumeLane("bot", "ann");
    world.pass(seconds(2));

    assertDelivered(List.of(delivery));
  }

  @Test
  void an_account_that_is_paused_while_it_could_not_begin_stays_paused() {
    world.start();
    assumeTrue(world.store().cluster().isEmpty(), "of a cluster the next sign of life begins it");
    world.stop();
    disk.fail("interrupted", 2, Moment.AT_ONCE, Loss.AWAY.failure);
    world.start();
    disk.delay(seconds(2)); // so that the pause falls between reading its state and beginning
    world.time.start("begins", () -> world.time.pause(millis(1)));
    world.pass(millis(1500));

    world.postrider().pauseAccount("bot", "test");
    disk.delay(seconds(0));
    world.pass(seconds(10));
    world.send("ann", "hello");

    assertThat(account("bot").health()).isEqualTo(Health.PAUSED);
    assertThat(world.platform.requests()).isEmpty();
  }

  // ---- the safety sweep

  @Test
  void a_store_that_throws_at_the_safety_sweep_does_not_multiply_it() {
    world.start();
    world.send(to("ann", "tomorrow").sendAt(world.time.instant().plus(hours(24))));
    disk.trouble(
        name ->
            name.equals("due") ? new Fault(Moment.AT_ONCE, new LinkageError("a defect")) : null);
    world.pass(seconds(50));
    disk.calm();
    world.pass(seconds(10));
    disk.calls().clear();

    world.pass(minutes(1));

    assertThat(Collections.frequency(disk.calls(), "due")).isLessThan(25); // every 7 s, twice
  }
}
