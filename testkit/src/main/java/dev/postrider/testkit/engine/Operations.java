package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.PartState;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people can do to messages: cancel, retry, replay, discard. */
public abstract class Operations extends EngineBehaviour {
  @BeforeEach
  void foretellable() {
    steadyBackoff();
  }

  private Delivery dead(String chat, String text) {
    world.platform.then(rejected());
    return world.send(chat, text);
  }

  // ---- cancel

  @Test
  void a_cancelled_message_is_not_sent_and_the_lane_goes_on() {
    world.start();
    world.platform.then(REFUSED);
    Delivery head = world.send("ann", "head");
    Delivery middle = world.send("ann", "middle");
    world.send("ann", "last");

    assertThat(world.postrider().cancel(middle.id()).status()).isEqualTo(Status.CANCELLED);
    world.postrider().cancel(head.id());
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("last");
    assertThat(world.postrider().stats().cancelled()).isEqualTo(2);
    assertThat(world.postrider().stats().queued()).isZero();
  }

  @Test
  void a_message_for_later_can_be_cancelled() {
    world.start();
    Delivery later = world.send(to("ann", "later").sendAt(world.time.instant().plus(hours(1))));

    world.postrider().cancel(later.id());
    world.pass(hours(2));

    assertThat(world.platform.requests()).isEmpty();
  }

  @Test
  void a_message_under_way_or_ended_cannot_be_cancelled() {
    world.start();
    world.platform.then(world.platform.delivered().taking(seconds(5)));
    Delivery delivery = world.send("ann", "hello");

    Refused tooLate = refusal(() -> world.postrider().cancel(delivery.id()));
    assertThat(tooLate.why()).isEqualTo(Refused.Cause.CONFLICT);
    assertThat(tooLate.getMessage()).contains("is sending");
    world.pass(seconds(5));
    assertThat(refusal(() -> world.postrider().cancel(delivery.id())).getMessage())
        .contains("is delivered");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void what_nobody_handed_in_is_not_found() {
    world.start();
    MessageId nobody = MessageId.parse("019b9e1c-0000-7000-8000-000000000000");

    for (Refused refused :
        List.of(
            refusal(() -> world.postrider().cancel(nobody)),
            refusal(() -> world.postrider().retry(nobody)),
            refusal(() -> world.postrider().replay(nobody)),
            refusal(() -> world.postrider().discard(nobody)))) {
      assertThat(refused.why()).isEqualTo(Refused.Cause.NOT_FOUND);
    }
  }

  @Test
  void a_message_cancelled_while_its_token_was_being_taken_is_not_sent() {
    FlakyStore flaky = new FlakyStore(world.time);
    World slow =
        new World(time -> flaky.around(openStore(folder, time)), world.time, world.platform, 1);
    world = slow;
    steadyBackoff();
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(5).minusMillis(1));
    world.postrider().cancel(delivery.id()); // commits before the reservation does

    world.pass(minutes(1));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.status(delivery)).isEqualTo(Status.CANCELLED);
  }

  // ---- retry

  @Test
  void a_message_in_backoff_can_be_tried_now() {
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");

    world.postrider().retry(delivery.id());
    world.time.settle();

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(attempts(delivery)).isEqualTo(2);
  }

  @Test
  void a_message_for_later_can_be_sent_now() {
    world.start();
    Delivery later = world.send(to("ann", "later").sendAt(world.time.instant().plus(hours(1))));

    world.postrider().retry(later.id());
    world.time.settle();

    assertThat(world.status(later)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_message_behind_another_cannot_jump_the_queue() {
    world.start();
    world.platform.then(REFUSED);
    world.send("ann", "head");
    Delivery second = world.send("ann", "second");

    Refused refused = refusal(() -> world.postrider().retry(second.id()));

    assertThat(refused.why()).isEqualTo(Refused.Cause.CONFLICT);
    assertThat(refused.getMessage()).contains("waits behind others");
    world.pass(seconds(5));
    assertThat(world.platform.texts()).containsExactly("head", "second");
  }

  @Test
  void a_message_that_has_ended_cannot_be_retried() {
    world.start();
    Delivery delivery = world.send("ann", "hello");

    assertThat(refusal(() -> world.postrider().retry(delivery.id())).why())
        .isEqualTo(Refused.Cause.CONFLICT);
    assertThat(world.platform.requests()).hasSize(1);
  }

  // ---- dead letters

  @Test
  void dead_letters_can_be_listed_with_their_reason() {
    world.start();
    Delivery dead = dead("ann", "hello");
    world.send("ann", "fine");

    List<StoredMessage> listed =
        world.postrider().list(MessageFilter.status(Status.FAILED), null, 10).items();

    assertThat(listed).extracting(StoredMessage::id).containsExactly(dead.id());
    assertThat(listed.getFirst().reason()).isEqualTo("rejected-target");
    assertThat(account("bot").deadLetters()).isEqualTo(1);
  }

  @Test
  void a_replay_is_a_new_message_that_points_to_the_old_one() {
    world.start();
    Delivery dead = dead("ann", "hello");
    world.pass(hours(30)); // a replay's age counts from now

    Delivery replay = world.postrider().replay(dead.id());
    world.time.settle();

    assertThat(replay.id()).isNotEqualTo(dead.id());
    assertThat(world.status(replay)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(replay.id()).replayOf()).isEqualTo(dead.id());
    assertThat(world.message(replay.id()).late()).isFalse();
    assertThat(world.message(dead.id()).replayedAs()).isEqualTo(replay.id());
    assertThat(world.status(dead)).isEqualTo(Status.FAILED);
  }

  @Test
  void a_replay_keeps_what_was_delivered_and_the_keys_of_the_rest() {
    world.platform.textLimit(4);
    world.start();
    world.platform.then(Outcome.delivered("a"), rejected());
    Delivery dead = world.send("ann", "aaaabbbbcccc");

    Delivery replay = world.postrider().replay(dead.id());
    world.time.settle();

    List<Request> requests = world.platform.requests();
    assertThat(requests).extracting(Request::text).containsExactly("aaaa", "bbbb", "bbbb", "cccc");
    assertThat(requests.get(2).key()).isEqualTo(requests.get(1).key());
    assertThat(world.message(replay.id()).progress().parts())
        .extracting(PartState::state)
        .containsOnly(PartState.State.DELIVERED);
  }

  @Test
  void the_replay_of_a_message_in_doubt_says_that_it_may_be_a_repeat() {
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving());
    Delivery held = world.send(to("ann", "hello").onUnknown(OnUnknown.HOLD));

    Delivery replay = world.postrider().replay(held.id());
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("hello", "hello");
    assertThat(world.message(replay.id()).possibleDuplicate()).isTrue();
  }

  @Test
  void a_replay_joins_the_end_of_its_lane() {
    world.start();
    Delivery dead = dead("ann", "dead");
    world.platform.then(REFUSED);
    world.send("ann", "head");

    world.postrider().replay(dead.id());
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("head", "dead");
  }

  @Test
  void a_dead_letter_is_replayed_once() {
    world.start();
    Delivery dead = dead("ann", "hello");
    world.postrider().replay(dead.id());

    Refused again = refusal(() -> world.postrider().replay(dead.id()));

    assertThat(again.why()).isEqualTo(Refused.Cause.CONFLICT);
    world.time.settle();
    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.postrider().stats().queued()).isZero();
  }

  @Test
  void only_dead_letters_are_replayed_or_discarded() {
    world.start();
    Delivery fine = world.send("ann", "hello");

    assertThat(refusal(() -> world.postrider().replay(fine.id())).why())
        .isEqualTo(Refused.Cause.CONFLICT);
    assertThat(refusal(() -> world.postrider().discard(fine.id())).why())
        .isEqualTo(Refused.Cause.CONFLICT);
  }

  @Test
  void a_discarded_dead_letter_is_gone() {
    world.start();
    Delivery dead = dead("ann", "hello");

    world.postrider().discard(dead.id());

    assertThat(world.postrider().find(dead.id())).isEmpty();
    assertThat(world.postrider().stats().deadLetters()).isZero();
  }
}
