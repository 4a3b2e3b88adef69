package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.Delivery;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.testkit.engine.FlakyStore.Moment;
import dev.postrider.view.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A store that throws what it must not, when it must not: afterwards everything comes to rest, and
 * the safety sweep had nothing to do.
 */
public abstract class FaultyStores extends InboundBehaviour {
  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  @BeforeEach
  void brittle() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
  }

  @AfterEach
  void nothingHadToBeRescued() {
    if (world.isRunning()) {
      disk.calm();
      world.pass(minutes(1));
      assertThat(world.postrider().stats().rescued()).as("rescued").isZero();
    }
  }

  private static Throwable defect() {
    return new ArithmeticException("a defect");
  }

  private static Throwable error() {
    return new StackOverflowError("an error");
  }

  private static Throwable away() {
    return new StoreUnavailable("away for a moment");
  }

  // ---- accepting

  @Test
  void an_accept_that_throws_leaves_lane_slot_and_count_as_they_were() {
    queue(settings -> settings.maxAccountDepth = 1);
    world.platform.concurrency(1);
    world.start();
    disk.fail("accept", 2, Moment.AT_ONCE, FaultyStores::defect);
    assertThat(refusal(() -> world.send("ann", "refused"))).isNotNull();
    assertThat(refusal(() -> world.send("ann", "refused"))).isNotNull();

    Delivery delivery = world.send("ann", "hello");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(account("bot").queued()).isZero();
  }

  @Test
  void metadata_that_contains_itself_leaves_lane_slot_and_count_as_they_were() {
    queue(settings -> settings.maxAccountDepth = 1);
    world.platform.concurrency(1);
    world.start();
    List<Object> list = new ArrayList<>();
    Message endless = to("ann", "endless").idempotencyKey("k").metadata(Map.of("l", list)).build();
    list.add(list);
    assertThat(catchThrowable(() -> world.postrider().send(endless))).isNotNull();

    Delivery delivery = world.send("ann", "hello");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(account("bot").queued()).isZero();
  }

  @Test
  void a_message_that_was_stored_but_not_answered_is_admitted_and_goes_out_once() {
    world.start();
    disk.fail("accept", 1, Moment.AFTER, FaultyStores::defect);

    Delivery delivery = world.send("ann", "hello");
    world.send("ann", "next");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("hello", "next");
  }

  // ---- the store goes and comes

  @Test
  void a_store_that_stays_away_is_asked_no_more_often_the_longer_it_is_away() {
    world.start();
    write("ann", "hello");
    lease(seconds(5)); // which runs out meanwhile
    int[] calls = new int[1];
    disk.trouble(
        _ -> {
          calls[0]++;
          return new FlakyStore.Fault(Moment.BEFORE, away());
        });
    refusal(() -> world.send("bob", "refused"));
    world.pass(minutes(1));
    calls[0] = 0;
    world.pass(minutes(1));
    int inTheSecondMinute = calls[0];

    world.pass(minutes(8));
    calls[0] = 0;
    world.pass(minutes(1));

    assertThat(calls[0]).isLessThanOrEqualTo(2 * inTheSecondMinute);
  }

  @Test
  void an_outage_that_is_over_before_everybody_has_heard_of_it_leaves_no_gate_closed() {
    world.start();
    world
        .postrider()
        .events()
        .subscribe(
            event -> {
              if (event instanceof Event.StoreDown) { // and at this very moment it is up again
                disk.failWrites(false);
                world.postrider().pauseLane("bot", "somebody else", "test");
              }
            });
    disk.failWrites(true);
    Refused refused = refusal(() -> world.send("ann", "refused"));
    assertThat(refused.why()).isEqualTo(Refused.Cause.UNAVAILABLE);

    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(1));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.events(Event.StoreUp.class)).hasSize(1);
  }

  @Test
  void a_store_that_is_away_for_another_reason_by_now_says_that_one() {
    world.start();
    disk.trouble(_ -> new FlakyStore.Fault(Moment.BEFORE, away()));
    refusal(() -> world.send("ann", "refused"));
    assertThat(world.postrider().storeDownBecause()).isEqualTo("away for a moment");

    disk.trouble(_ -> new FlakyStore.Fault(Moment.BEFORE, new StoreUnavailable("gone back")));
    world.pass(seconds(2));

    assertThat(world.postrider().storeDownBecause()).isEqualTo("gone back");
    assertThat(world.events(Event.StoreDown.class)).hasSize(1);
  }

  @Test
  void a_store_that_throws_while_it_is_asked_whether_it_is_back_is_asked_again() {
    world.start();
    disk.failWrites(true);
    assertThat(refusal(() -> world.send("ann", "refused"))).isNotNull();
    disk.failWrites(false);
    disk.fail("touch", 3, Moment.AT_ONCE, FaultyStores::error);

    world.pass(seconds(5));
    Delivery delivery = world.send("ann", "hello");

    assertThat(world.events(Event.StoreUp.class)).hasSize(1);
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  // ---- beginning

  @Test
  void an_account_that_could_not_begin_begins_later() {
    world.start();
    assumeTrue(world.store().cluster().isEmpty(), "of a cluster the next sign of life begins it");
    world.stop();
    for (String call : List.of("interrupted", "pausedLanes", "acquire")) {
      disk.fail(call, 3, Moment.AT_ONCE, FaultyStores::away);
      world.start();
      assertThat(account("bot").health()).as(call).isNotEqualTo(Health.READY);
      assertThat(account("bot").reason()).as(call).contains("away for a moment");

      world.pass(seconds(5));
      Delivery delivery = world.send("ann", "hello");

      assertThat(world.status(delivery)).as(call).isEqualTo(Status.DELIVERED);
      assertThat(account("bot").health()).as(call).isEqualTo(Health.READY);
      disk.calm();
      world.stop();
    }
  }

  /** Leaves a message of an account that is then gone, with its attempt under way. */
  private Delivery leaveMessageOfMissingAccount() {
    queue(settings -> settings.onMissingAccount = OnMissingAccount.FAIL);
    world.configure(config -> config.account(AccountConfig.of("old", "fake")));
    world.start();
    world.platform.then(world.platform.delivered().neverAnswering());
    Delivery left = world.send(Message.to("old", "ann").text("left behind"));
    world.crash();
    world.configure(config -> config.accounts(List.of(AccountConfig.of("bot", "fake"))));
    return left;
  }

  @Test
  void a_missing_account_is_adopted_although_the_store_threw() {
    Delivery left = leaveMessageOfMissingAccount();
    disk.fail("settle", 2, Moment.BEFORE, FaultyStores::defect);
    world.start();
    world.pass(seconds(5));

    assertThat(world.status(left)).isEqualTo(Status.FAILED);
    assertThat(world.message(left.id()).reason()).isEqualTo("account-missing");
  }

  @Test
  void a_missing_account_is_found_although_the_store_could_not_be_counted_at_first() {
    Delivery left = leaveMessageOfMissingAccount();
    disk.fail("depths", 2, Moment.BEFORE, FaultyStores::error);
    world.start();
    world.pass(seconds(5));

    assertThat(world.status(left)).isEqualTo(Status.FAILED);
  }

  // ---- housekeeping

  @Test
  void messages_expire_although_the_store_threw_when_their_time_was_over() {
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery delivery = world.send(to("ann", "m").expiresIn(seconds(30)));
    disk.fail("expire", 2, Moment.BEFORE, FaultyStores::error);

    world.pass(seconds(35));

    assertThat(world.status(delivery)).isEqualTo(Status.EXPIRED);
  }

  @Test
  void messages_expire_although_nobody_could_tell_at_the_start_when_their_time_is_over() {
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery delivery = world.send(to("ann", "m").expiresIn(seconds(30)));
    world.crash();
    disk.fail("nextExpiry", 2, Moment.AT_ONCE, FaultyStores::defect);
    world.start();

    world.pass(seconds(35));

    assertThat(world.status(delivery)).isEqualTo(Status.EXPIRED);
  }

  // ---- what comes in

  @Test
  void a_lease_that_has_run_out_is_found_although_the_store_threw() {
    for (String call : List.of("expiredLeases", "nextLeaseExpiry", "complete")) {
      world.start();
      StoredInbound inbound = write("ann", "hello " + call);
      lease(seconds(30));
      disk.fail(call, 2, Moment.AT_ONCE, FaultyStores::error);

      world.pass(seconds(40));

      assertThat(now(inbound).handling().attempts()).as(call).isEqualTo(1);
      disk.calm();
      StoredInbound again = lease(minutes(1));
      assertThat(again.id()).as(call).isEqualTo(inbound.id());
      world.postrider().inbox().ack(Objects.requireNonNull(again.handling().lease()), List.of());
      world.stop();
    }
  }

  @Test
  void a_turn_ends_although_the_store_threw_when_its_message_had_ended() {
    world.start();
    StoredInbound inbound = write("ann", "question");
    StoredInbound leased = lease(minutes(1));
    disk.fail("follow", 2, Moment.AT_ONCE, FaultyStores::defect);

    world
        .postrider()
        .inbox()
        .ack(
            Objects.requireNonNull(leased.handling().lease()),
            List.of(Message.to("bot", "ann").text("answer").build()));
    world.time.settle();
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("answer");
    assertThat(world.events(Event.TurnEnded.class)).hasSize(1);
    assertThat(now(inbound).id()).isEqualTo(leased.id());
  }

  @Test
  void a_message_that_was_handed_out_unheard_is_handed_out_again_when_its_lease_has_run_out() {
    world.start();
    StoredInbound inbound = write("ann", "hello");
    disk.fail("lease", 1, Moment.AFTER, FaultyStores::defect);
    assertThat(catchThrowable(() -> lease(seconds(30)))).isNotNull();

    world.pass(seconds(35));

    assertThat(lease(minutes(1)).id()).isEqualTo(inbound.id());
  }

  @Test
  void an_answer_that_was_stored_unheard_is_sent_once() throws Exception {
    for (Supplier<Throwable> failure :
        List.<Supplier<Throwable>>of(
            FaultyStores::defect, FaultyStores::error, FaultyStores::away)) {
      world.platform.requests().clear();
      world.start();
      List<String> handled = new ArrayList<>();
      try (var _ =
          world
              .postrider()
              .onInbound(
                  (message, turn) -> {
                    handled.add(text(message));
                    turn.answer("answer");
                  })) {
        disk.fail("complete", 1, Moment.AFTER, failure);
        write("ann", "question");
        world.pass(seconds(5));
      }

      assertThat(handled).containsExactly("question");
      assertThat(world.platform.texts()).containsExactly("answer");
      world.pass(seconds(20));
      assertThat(account("bot").queued()).isZero();
      assertThat(world.postrider().stats().inbound().leased()).isZero();
      disk.calm();
      world.stop();
    }
  }

  @Test
  void what_was_taken_in_unheard_is_handled_at_once_when_the_platform_tells_it_again()
      throws Exception {
    world.start();
    List<String> handled = new ArrayList<>();
    try (var _ = world.postrider().onInbound((message, _) -> handled.add(text(message)))) {
      world.time.settle();
      disk.fail("receive", 1, Moment.AFTER, FaultyStores::defect);
      assertThat(catchThrowable(() -> write("ann", "hello"))).isNotNull();
      world.pass(seconds(5));
    }

    assertThat(handled).containsExactly("hello");
  }

  @Test
  void a_handler_goes_on_although_the_store_threw_when_it_asked_for_more() throws Exception {
    world.start();
    List<String> handled = new ArrayList<>();
    try (var _ = world.postrider().onInbound((message, _) -> handled.add(text(message)))) {
      disk.fail("lease", 2, Moment.AT_ONCE, FaultyStores::error);
      write("ann", "hello");
      world.pass(seconds(5));
    }

    assertThat(handled).containsExactly("hello");
  }
}
