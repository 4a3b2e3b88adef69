package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.SendResult;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Full queues, repeated keys, kept messages, and a store that is away for a while. */
public abstract class Limits extends EngineBehaviour {
  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  @BeforeEach
  void behindABadDisk() {
    disk = new FlakyStore(world.time);
    world = new World(time -> disk.around(openStore(folder, time)), world.time, world.platform, 1);
    steadyBackoff();
  }

  private Refused refusedSend(String chat) {
    return refusal(() -> world.send(chat, "one too many"));
  }

  // ---- depth

  @Test
  void a_full_queue_refuses_clearly_and_takes_messages_again_when_it_has_room() {
    queue(settings -> settings.maxQueueDepth = 2);
    world.start();
    world.postrider().pauseAccount("bot", "test");
    world.send("ann", "one");
    world.send("bob", "two");

    Refused refused = refusedSend("eve");
    assertThat(refused.why()).isEqualTo(Refused.Cause.QUEUE_FULL);
    assertThat(refused.getMessage()).contains("the queue holds 2 messages");
    world.postrider().resumeAccount("bot");
    world.time.settle();

    assertThat(world.status(world.send("eve", "three"))).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_full_account_refuses_and_others_do_not() {
    queue(settings -> settings.maxAccountDepth = 1);
    world.configure(config -> config.account(AccountConfig.of("other", "fake")));
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery first = world.send("ann", "one");

    Refused refused = refusedSend("bob");
    assertThat(refused.field()).isEqualTo("account");
    assertThat(refused.getMessage()).contains("'bot' has 1 messages");
    world.send(Message.to("other", "ann").text("fine"));
    world.postrider().cancel(first.id());

    assertThat(world.status(world.send("bob", "two"))).isEqualTo(Status.QUEUED);
  }

  @Test
  void a_full_lane_refuses_and_others_do_not() {
    queue(settings -> settings.maxLaneDepth = 2);
    world.start();
    world.postrider().pauseLane("bot", "ann", "test");
    world.send("ann", "one");
    world.send("ann", "two");

    Refused refused = refusedSend("ann");
    assertThat(refused.why()).isEqualTo(Refused.Cause.QUEUE_FULL);
    assertThat(refused.field()).isEqualTo("to");
    assertThat(world.status(world.send("bob", "fine"))).isEqualTo(Status.DELIVERED);
    world.postrider().resumeLane("bot", "ann");
    world.time.settle();

    assertThat(world.status(world.send("ann", "three"))).isEqualTo(Status.DELIVERED);
  }

  @Test
  void limits_count_what_was_there_before_the_start() {
    queue(settings -> settings.maxQueueDepth = 2);
    world.start();
    world.postrider().pauseAccount("bot", "test");
    world.send("ann", "one");
    world.send("bob", "two");

    crashAndStart();

    assertThat(refusedSend("eve").why()).isEqualTo(Refused.Cause.QUEUE_FULL);
    assertThat(world.postrider().stats().queued()).isEqualTo(2);
  }

  @Test
  void of_messages_handed_in_together_only_those_without_room_are_refused() {
    queue(settings -> settings.maxLaneDepth = 2);
    world.start();
    world.postrider().pauseAccount("bot", "test");

    List<SendResult> results =
        world
            .postrider()
            .sendAll(List.of(to("a", "1").build(), to("a", "2").build(), to("a", "3").build()));

    assertThat(results.get(0)).isInstanceOf(SendResult.Sent.class);
    assertThat(results.get(1)).isInstanceOf(SendResult.Sent.class);
    assertThat(results.get(2)).isInstanceOf(SendResult.NotSent.class);
    assertThat(world.postrider().stats().queued()).isEqualTo(2);
  }

  // ---- idempotency keys

  @Test
  void the_same_message_under_the_same_key_is_taken_once() {
    world.start();
    Delivery first = world.send(to("ann", "hello").idempotencyKey("k1"));
    crashAndStart();

    Delivery again = world.send(to("ann", "hello").idempotencyKey("k1"));

    assertThat(again.duplicate()).isTrue();
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.postrider().stats().queued()).isZero();
  }

  @Test
  void other_content_under_a_known_key_is_refused() {
    world.start();
    Delivery first = world.send(to("ann", "hello").idempotencyKey("k1"));

    Refused refused = refusal(() -> world.send(to("ann", "bye").idempotencyKey("k1")));

    assertThat(refused.why()).isEqualTo(Refused.Cause.KEY_REUSED);
    assertThat(refused.getMessage()).contains("k1").contains(first.id().toString());
  }

  @Test
  void a_key_is_remembered_for_a_day_even_where_messages_are_kept_shorter() {
    queue(settings -> settings.keepDelivered = minutes(1));
    world.start();
    Delivery first = world.send(to("ann", "hello").idempotencyKey("k1"));

    world.pass(hours(23));
    assertThat(world.send(to("ann", "hello").idempotencyKey("k1")).id()).isEqualTo(first.id());
    world.pass(hours(2));

    assertThat(world.send(to("ann", "hello").idempotencyKey("k1")).id()).isNotEqualTo(first.id());
  }

  // ---- retention

  @Test
  void delivered_messages_are_kept_for_their_time_and_dead_letters_longer() {
    queue(
        settings -> {
          settings.keepDelivered = minutes(10);
          settings.keepDeadLetters = minutes(60);
          settings.pruneInterval = minutes(1);
        });
    world.start();
    Postrider postrider = world.postrider();
    world.platform.then(rejected());
    Delivery dead = world.send("ann", "dead");
    Delivery done = world.send("ann", "done");

    world.pass(minutes(10));
    assertThat(postrider.find(done.id())).isPresent();
    world.pass(minutes(1));
    assertThat(postrider.find(done.id())).isEmpty();
    world.pass(minutes(49));
    assertThat(postrider.find(dead.id())).isPresent();
    assertThat(postrider.stats().deadLetters()).isEqualTo(1);
    world.pass(minutes(1));
    assertThat(postrider.find(dead.id())).isEmpty();

    assertThat(postrider.stats().deadLetters()).isZero();
  }

  @Test
  void pruning_comes_as_often_as_configured() {
    queue(
        settings -> {
          settings.keepDelivered = seconds(1);
          settings.pruneInterval = minutes(30);
        });
    world.start();
    Delivery done = world.send("ann", "done");

    world.pass(minutes(30).minusMillis(1));
    assertThat(world.postrider().find(done.id())).isPresent();
    world.pass(millis(1));

    assertThat(world.postrider().find(done.id())).isEmpty();
  }

  @Test
  void what_operators_did_is_kept_for_ninety_days() {
    queue(settings -> settings.pruneInterval = minutes(1));
    world.start();
    Postrider postrider = world.postrider();
    Instant at = world.time.instant().minus(hours(24 * 90)).plus(minutes(10));
    postrider.record(new AuditEntry(at, new UUID(1, 2), "ops", "accounts pause", "bot", "done"));

    world.pass(minutes(10));
    assertThat(postrider.audit(null, 10).items()).hasSize(1);
    world.pass(minutes(1));
    assertThat(postrider.audit(null, 10).items()).isEmpty();
  }

  // ---- a store that is away

  @Test
  void a_message_that_cannot_be_stored_is_refused_and_not_sent() {
    world.start();
    disk.failWrites(true);

    Refused refused = refusedSend("ann");

    assertThat(refused.why()).isEqualTo(Refused.Cause.UNAVAILABLE);
    assertThat(refused.getMessage()).contains("the disk is full").contains("send it again");
    world.pass(minutes(1));
    disk.failWrites(false);
    world.pass(minutes(1));
    assertThat(world.platform.requests()).isEmpty();
    assertThat(world.postrider().stats().queued()).isZero();
  }

  @Test
  void the_outcome_of_a_request_in_flight_is_kept_until_it_can_be_stored() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery delivery = world.send("ann", "hello");
    world.send("ann", "next");
    disk.failWrites(true);

    world.pass(minutes(1));
    assertThat(world.status(delivery)).isEqualTo(Status.SENDING);
    assertThat(world.platform.requests()).as("nothing goes out unrecorded").hasSize(1);
    disk.failWrites(false);
    world.pass(seconds(2));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.platform.texts()).containsExactly("hello", "next");
    assertThat(attempts(delivery)).isEqualTo(1);
  }

  @Test
  void nothing_is_sent_while_the_store_is_away_and_everything_when_it_is_back() {
    world.start();
    world.platform.then(REFUSED, REFUSED);
    Delivery one = world.send("ann", "one");
    Delivery two = world.send("bob", "two");
    disk.failWrites(true);

    world.pass(minutes(5));
    assertThat(world.platform.requests()).hasSize(2);
    assertThat(attempts(one)).isEqualTo(1);
    assertThat(world.postrider().stats().storeDownBecause()).contains("the disk is full");
    disk.failWrites(false);
    world.pass(seconds(2));

    assertThat(world.platform.texts()).containsExactlyInAnyOrder("one", "two");
    assertThat(attempts(two)).isEqualTo(2);
    assertThat(world.events(Event.StoreDown.class)).hasSize(1);
    assertThat(world.events(Event.StoreUp.class)).hasSize(1);
    assertThat(world.postrider().stats().storeDownBecause()).isNull();
  }

  @Test
  void messages_that_expire_while_the_store_is_away_end_when_it_is_back() {
    world.start();
    world.postrider().pauseAccount("bot", "test");
    Delivery delivery = world.send(to("ann", "hello").expiresIn(seconds(10)));
    disk.failWrites(true);

    world.pass(seconds(30));
    assertThat(disk.calls().stream().filter("expire"::equals).count())
        .as("asks now and then, not in a loop")
        .isBetween(10L, 30L);
    disk.failWrites(false);
    world.pass(seconds(2));

    assertThat(world.status(delivery)).isEqualTo(Status.EXPIRED);
  }

  @Test
  void a_store_that_cannot_be_read_for_a_while_is_asked_now_and_then() {
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");
    disk.failReads(true);
    disk.calls().clear();

    world.pass(seconds(35));
    assertThat(disk.calls().stream().filter("due"::equals).count()).isBetween(30L, 100L);
    disk.failReads(false);
    world.pass(seconds(2));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void what_people_ask_for_is_refused_while_the_store_is_away() {
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");
    Postrider postrider = world.postrider();
    disk.failWrites(true);

    for (Refused refused :
        List.of(
            refusal(() -> postrider.cancel(delivery.id())),
            refusal(() -> postrider.pauseLane("bot", "ann", "test")),
            refusal(() -> postrider.pauseAccount("bot", "test")),
            refusal(() -> postrider.resumeAccount("bot")))) {
      assertThat(refused.why()).isEqualTo(Refused.Cause.UNAVAILABLE);
    }
    disk.failWrites(false);
    world.pass(seconds(10));

    assertThat(world.status(delivery)).as("nothing was changed").isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_lane_halted_while_the_store_is_away_stays_halted_over_a_restart() {
    delivery(settings -> settings.haltLaneOnFailure = true);
    world.start();
    world.platform.then(FakeChannel.Reaction.of(rejected()).taking(seconds(1)));
    world.send("ann", "one");
    Delivery two = world.send("ann", "two");
    disk.failWrites(true);
    world.pass(seconds(10));
    disk.failWrites(false);
    world.pass(seconds(10));

    crashAndStart();
    world.pass(minutes(1));

    assertThat(world.status(two)).isEqualTo(Status.QUEUED);
    assertThat(world.events(Event.LanePaused.class)).hasSize(1);
  }

  @Test
  void a_slow_store_does_not_make_the_pace_any_faster() {
    world.platform.pace(Pace.perSecond(1), Pace.UNLIMITED);
    world.start();
    disk.delay(seconds(2));
    for (int i = 0; i < 8; i++) {
      world.send("chat" + i % 3, "m" + i);
    }
    world.pass(minutes(1));

    List<Request> sent = world.platform.requests();
    assertThat(sent).hasSize(8);
    for (int i = 1; i < sent.size(); i++) {
      assertThat(sent.get(i).elapsed().minus(sent.get(i - 1).elapsed()))
          .isGreaterThanOrEqualTo(seconds(1));
    }
  }
}
