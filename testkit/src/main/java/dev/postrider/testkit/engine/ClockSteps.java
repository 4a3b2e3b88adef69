package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.Delivery;
import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Ids;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.view.Health;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A clock that is set, forward or back, stops nobody: what is due is looked at within 15 seconds of
 * the stopwatch, and what waits for so long waits so long.
 */
public abstract class ClockSteps extends InboundBehaviour {
  private static final Duration SOON = Duration.ofSeconds(15);

  /** Where several nodes share a store, its clock counts, whatever is done to a node's. */
  private void whereTheClockIsOurs() {
    assumeTrue(world.store().cluster().isEmpty());
  }

  // ---- lanes

  @Test
  void a_clock_set_back_leaves_no_lane_waiting() {
    world.start();
    world.platform.mood(_ -> world.platform.delivered().taking(seconds(1)));
    List<Delivery> sent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      sent.add(world.send("chat" + i % 10, "m" + i));
    }
    world.pass(millis(500));

    world.time.jump(seconds(-20));
    world.pass(seconds(5));

    assertThat(sent).allMatch(delivery -> world.status(delivery) == Status.DELIVERED);
  }

  @Test
  void a_clock_set_back_does_not_close_a_paced_account() {
    world.platform.pace(Pace.perSecond(1).burst(1), Pace.UNLIMITED);
    world.start();
    for (int i = 0; i < 10; i++) {
      world.send("chat" + i, "m" + i);
    }
    world.pass(seconds(2));

    world.time.jump(minutes(-10));
    world.pass(seconds(8));

    assertThat(world.platform.arrivals()).hasSize(10);
  }

  @Test
  void a_clock_set_back_does_not_lengthen_a_throttle_nor_shorten_it() {
    world.start();
    whereTheClockIsOurs();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, seconds(30)));
    world.send("ann", "refused");
    world.send("bob", "hello");

    world.time.jump(minutes(-10));
    world.pass(seconds(29));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("hello");
  }

  @Test
  void a_message_that_fails_after_the_clock_was_set_back_waits_its_back_off() {
    steadyBackoff();
    world.start();
    world.time.jump(minutes(-10));
    world.platform.then(NO_ANSWER);
    world.send("ann", "hello");

    world.pass(seconds(4));
    assertThat(world.platform.requests()).hasSize(1);
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("hello");
  }

  @Test
  void a_clock_set_forward_sends_what_is_overdue() {
    world.start();
    whereTheClockIsOurs();
    Delivery delivery = world.send(to("ann", "later").sendAt(world.time.instant().plus(hours(8))));

    world.time.jump(hours(8));
    world.pass(seconds(5));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void what_is_scheduled_waits_for_a_clock_that_was_set_back() {
    world.start();
    whereTheClockIsOurs();
    Delivery delivery =
        world.send(to("ann", "later").sendAt(world.time.instant().plus(minutes(10))));

    world.time.jump(minutes(-10));
    world.pass(minutes(15));
    assertThat(world.platform.requests()).isEmpty();
    world.pass(minutes(5));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void what_is_scheduled_outside_the_order_waits_for_a_clock_that_was_set_back() {
    world.start();
    whereTheClockIsOurs();
    world.send("ann", "now"); // the clock was seen
    world.time.jump(minutes(-10));
    Delivery delivery =
        world.send(
            to("ann", "later")
                .ordering(Ordering.NONE)
                .sendAt(world.time.instant().plus(minutes(5))));

    world.pass(minutes(4));
    assertThat(world.platform.texts()).containsExactly("now");
    world.pass(minutes(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  // ---- what came in

  private NewInbound arrived(InboundMessage arrival) {
    InboundId id = new InboundId(new Ids(world.time, new SplittableRandom(7)).next());
    return new NewInbound(id, arrival, "bot/ann", world.time.instant(), true);
  }

  /** Another process has taken it in, and nobody here was told. */
  private void arrivesUnheard(InboundMessage arrival) {
    world.time.await(world.store().receive("bot", List.of(arrived(arrival)), null));
  }

  private static InboundMessage hello(InboundMessage.File... files) {
    return arrival("unheard", "ann", null, "hello", List.of(files));
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void a_handler_finds_what_nobody_told_it_of_after_the_clock_was_set(int minutes) {
    world.start();
    List<String> handled = new ArrayList<>();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.time.settle();

    world.time.jump(minutes(minutes));
    arrivesUnheard(hello());
    world.pass(SOON);

    assertThat(handled).containsExactly("hello");
  }

  @Test
  void what_came_in_before_the_clock_was_set_back_is_handled() {
    world.start();
    write("ann", "hello");

    world.time.jump(minutes(-10));
    List<String> handled = new ArrayList<>();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.pass(SOON);

    assertThat(handled).containsExactly("hello");
  }

  @Test
  void a_handler_that_fails_after_the_clock_was_set_back_is_left_its_pause() {
    inbound(settings -> settings.backoff = List.of(seconds(20)));
    world.start();
    write("ann", "hello");
    List<Duration> tries = new ArrayList<>();
    leaseAll(seconds(1), 1); // the clock was seen
    world.time.jump(minutes(-10));
    write("bob", "bad");
    world
        .postrider()
        .onInbound(
            (message, _) -> {
              if (text(message).equals("bad")) {
                tries.add(world.time.elapsed());
                throw new IllegalStateException("no");
              }
            });
    world.pass(minutes(1));

    assertThat(tries).hasSizeGreaterThan(1);
    assertThat(tries.get(1).minus(tries.get(0))).isBetween(seconds(20), seconds(35));
  }

  /** Somebody outside asks for a message in a task of its own. */
  private AtomicReference<@Nullable List<StoredInbound>> asking(Duration wait) {
    AtomicReference<@Nullable List<StoredInbound>> answer = new AtomicReference<>();
    world.time.start(
        "consumer",
        () -> answer.set(world.postrider().inbox().lease(Set.of(), 1, seconds(30), wait)));
    world.time.settle();
    return answer;
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void who_waits_for_a_message_is_answered_in_time_after_the_clock_was_set(int minutes) {
    world.start();
    AtomicReference<@Nullable List<StoredInbound>> answer = asking(seconds(60));

    world.time.jump(minutes(minutes));
    world.pass(seconds(59));
    assertThat(answer.get()).isNull();
    world.pass(seconds(1));

    assertThat(answer.get()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void who_waits_for_a_message_is_given_it_after_the_clock_was_set(int minutes) {
    world.start();
    AtomicReference<@Nullable List<StoredInbound>> answer = asking(minutes(2));

    world.time.jump(minutes(minutes));
    arrivesUnheard(hello());
    world.pass(SOON);

    assertThat(answer.get()).hasSize(1);
  }

  // ---- files that are kept

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void a_file_is_fetched_after_the_clock_was_set(int minutes) {
    world.platform.inboundFiles((_, _) -> new Opened(new ByteArrayInputStream(new byte[] {1}), 1));
    inbound(settings -> settings.keepMedia = true);
    world.start();
    InboundMessage.File file = new InboundMessage.File("document", "f", null, "a.txt", null, null);
    arrivesUnheard(hello(file));

    world.time.jump(minutes(minutes));
    world.pass(SOON);

    assertThat(events()).hasSize(1);
    assertThat(world.postrider().inbox().files(events().getFirst().id()))
        .extracting(InboundFile::state)
        .containsExactly(InboundFile.State.KEPT);
  }

  // ---- what a platform said later

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void what_failed_later_is_sent_again_after_the_clock_was_set(int minutes) {
    delivery(settings -> settings.onReceiptFailed = OnReceiptFailed.RETRY);
    world.start();
    world.platform.then(Outcome.accepted("r-1"));
    Delivery delivery = world.send("ann", "hello");

    world.time.jump(minutes(minutes));
    DeliveryReport failed =
        new DeliveryReport("r-1", DeliveryReport.State.FAILED, world.time.instant(), "no", false);
    world.time.await(
        world.store().report("bot", List.of(failed), OnReceiptFailed.RETRY, world.time.instant()));
    world.pass(SOON.plus(seconds(5))); // and its back-off

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.texts()).containsExactly("hello", "hello");
  }

  // ---- broken accounts

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void a_broken_account_is_probed_after_a_minute_though_the_clock_was_set(int minutes) {
    world.platform.probe(new Probe.Broken("401: token revoked"));
    world.platform.then(new Outcome.AccountBroken("401: token revoked"));
    world.start();
    whereTheClockIsOurs();
    world.send("ann", "hello");
    world.pass(seconds(30));

    world.time.jump(minutes(minutes));
    assertThat(account("bot").nextProbeAt()).isEqualTo(world.time.instant().plusSeconds(30));
    world.pass(millis(29_999));
    assertThat(world.platform.probes()).isZero();
    world.pass(millis(1));

    assertThat(world.platform.probes()).isOne();
    assertThat(account("bot").nextProbeAt()).isEqualTo(world.time.instant().plus(minutes(5)));
    assertThat(account("bot").health()).isEqualTo(Health.BROKEN);
  }
}
