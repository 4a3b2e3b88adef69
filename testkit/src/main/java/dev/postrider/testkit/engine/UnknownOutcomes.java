package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done when nobody knows, when something can be repaired, and when nobody minds. */
public abstract class UnknownOutcomes extends EngineBehaviour {
  @BeforeEach
  void foretellable() {
    steadyBackoff();
  }

  private Delivery sendAndWait(OnUnknown wish) {
    Delivery delivery = world.send(to("ann", "hello").onUnknown(wish));
    world.pass(seconds(30));
    return delivery;
  }

  // ---- unknown outcomes

  @Test
  void a_message_in_doubt_is_sent_again_and_says_so() {
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving());
    Delivery delivery = world.send("ann", "hello");

    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("hello", "hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
    assertThat(world.platform.requests().stream().map(Request::key).distinct()).hasSize(1);
  }

  @Test
  void a_message_in_doubt_is_held_where_the_account_wants_that() {
    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving());
    Delivery one = world.send("ann", "one");
    world.send("ann", "two");

    world.pass(hours(2));

    StoredMessage held = world.message(one.id());
    assertThat(held.status()).isEqualTo(Status.HELD);
    assertThat(held.reason()).isEqualTo("outcome-unknown");
    assertThat(held.possibleDuplicate()).isTrue();
    assertThat(world.platform.texts()).containsExactly("one", "two");
  }

  @Test
  void a_message_may_say_what_to_do_in_doubt() {
    world.start();
    world.platform.then(NO_ANSWER);
    assertThat(world.status(sendAndWait(OnUnknown.HOLD))).isEqualTo(Status.HELD);

    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
    restart();
    world.platform.then(NO_ANSWER);
    assertThat(world.status(sendAndWait(OnUnknown.RESEND))).isEqualTo(Status.DELIVERED);
  }

  @Test
  void what_may_be_visible_in_part_waits_for_a_person_whatever_the_policy_says() {
    world.start();
    world.platform.then(
        Reaction.of(new Outcome.Hold("two of three pictures may be visible")).arriving());
    Delivery delivery = sendAndWait(OnUnknown.RESEND);

    StoredMessage held = world.message(delivery.id());
    assertThat(held.status()).isEqualTo(Status.HELD);
    assertThat(held.reason()).isEqualTo("outcome-unknown");
    assertThat(held.error()).isEqualTo("two of three pictures may be visible");
    assertThat(held.possibleDuplicate()).isTrue();
    assertThat(world.platform.requests()).hasSize(1);

    Delivery again = world.postrider().replay(delivery.id());
    world.pass(minutes(1));
    assertThat(world.status(again)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_platform_that_forgets_is_in_doubt_again_once_it_has() {
    world.platform.deduplicating(minutes(2));
    world.platform.then(NO_ANSWER, NO_ANSWER, NO_ANSWER);
    world.start();
    Delivery delivery = world.send("ann", "hello");

    world.pass(seconds(5));
    assertThat(attempts(delivery)).isEqualTo(2);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
    world.pass(seconds(25)); // the next try comes two minutes later, when the key is forgotten
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
    world.pass(minutes(3));
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_platform_that_deduplicates_is_sent_to_again_without_doubt() {
    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
    world.platform.deduplicating();
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving());
    Delivery delivery = world.send("ann", "hello");

    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void a_message_found_on_the_platform_is_delivered() {
    world.start();
    world.platform.memory(_ -> new Reconciliation.Found(new Receipt("seen", false)));
    world.platform.then(Reaction.of(NO_ANSWER).arriving());

    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(1));

    StoredMessage found = world.message(delivery.id());
    assertThat(found.status()).isEqualTo(Status.DELIVERED);
    assertThat(found.possibleDuplicate()).isFalse();
    assertThat(found.progress().parts().getFirst().receipt()).isEqualTo(new Receipt("seen", false));
    assertThat(world.platform.texts()).containsExactly("hello");
  }

  @Test
  void a_message_absent_from_the_platform_is_sent_again_even_where_doubt_would_hold_it() {
    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
    world.start();
    world.platform.memory(_ -> new Reconciliation.Absent());
    world.platform.then(NO_ANSWER);

    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(5));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
    assertThat(world.history(delivery).getFirst().outcome()).isEqualTo("not-sent");
  }

  @Test
  void a_look_that_tells_nothing_leaves_the_doubt() {
    world.start();
    world.platform.memory(
        _ -> {
          throw new IllegalStateException("the platform is away");
        });
    world.platform.then(NO_ANSWER);

    Delivery delivery = world.send("ann", "hello");
    world.pass(seconds(5));

    assertThat(world.history(delivery).getFirst().outcome()).isEqualTo("unknown");
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void a_message_that_fails_in_doubt_still_says_that_it_may_have_arrived() {
    world.start();
    world.platform.then(NO_ANSWER);

    Delivery delivery = world.send(to("ann", "hello").maxAttempts(1));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
  }

  // ---- repairs

  static Stream<Fix> fixes() {
    return Stream.of(
        new Fix.PlainText(),
        new Fix.DropReply(),
        new Fix.NewChat("-100"),
        new Fix.UploadInstead(),
        new Fix.Alone());
  }

  @ParameterizedTest
  @MethodSource("fixes")
  void what_can_be_repaired_is_repaired_and_tried_again_at_once(Fix fix) {
    world.start();
    world.platform.then(new Outcome.Repairable(fix, "not like this"));

    Delivery delivery = world.send("ann", "hello");

    StoredMessage repaired = world.message(delivery.id());
    assertThat(repaired.status()).isEqualTo(Status.DELIVERED);
    assertThat(repaired.attempts()).isEqualTo(1);
    assertThat(repaired.progress().parts().getFirst().fixes()).containsExactly(fix);
    assertThat(world.history(delivery).getFirst().outcome()).isEqualTo("repairable");
  }

  @ParameterizedTest
  @MethodSource("fixes")
  void what_was_repaired_once_and_is_refused_again_is_rejected(Fix fix) {
    world.start();
    world.platform.mood(_ -> Reaction.of(new Outcome.Repairable(fix, "not like this")));

    Delivery delivery = world.send("ann", "hello");

    assertThat(world.platform.requests()).hasSize(2);
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.message(delivery.id()).reason()).isEqualTo("rejected-message");
  }

  @Test
  void a_repair_changes_what_goes_out() {
    world.start();
    world.platform.then(
        new Outcome.Repairable(new Fix.NewChat("-100"), "the group has moved"),
        new Outcome.Repairable(new Fix.DropReply(), "nothing to reply to"));
    boolean[] quoted = {false};
    world.platform.mood(
        dispatch -> {
          quoted[0] = dispatch.replyToId() != null;
          return world.platform.delivered();
        });

    world.send(to("ann", "*hi*").format(Format.NATIVE).replyToId("77"));

    assertThat(world.platform.requests().stream().map(Request::chat))
        .containsExactly("ann", "-100", "-100");
    assertThat(quoted[0]).isFalse();
  }

  @Test
  void a_repair_is_remembered_over_a_crash() {
    world.start();
    world.platform.then(
        new Outcome.Repairable(new Fix.PlainText(), "can't parse entities"), REFUSED);
    Delivery delivery = world.send(to("ann", "*hi").format(Format.NATIVE));

    crashAndStart();
    world.platform.then(new Outcome.Repairable(new Fix.PlainText(), "can't parse entities"));
    world.pass(seconds(5));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.requests()).hasSize(3);
  }

  // ---- best effort

  @Test
  void best_effort_is_one_attempt() {
    world.start();
    world.platform.then(REFUSED);

    Delivery delivery = world.send(to("ann", "hello").bestEffort(true));
    world.pass(hours(2));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.message(delivery.id()).reason()).isEqualTo("best-effort");
  }

  @Test
  void best_effort_goes_on_after_a_failed_part_and_ends_failed() {
    world.platform.textLimit(4);
    world.start();
    world.platform.then(Outcome.delivered("a"), NO_ANSWER, Outcome.delivered("c"));

    Delivery delivery = world.send(to("ann", "aaaabbbbcccc").bestEffort(true));
    world.pass(hours(2));

    assertThat(world.platform.texts()).containsExactly("aaaa", "cccc");
    assertThat(world.platform.requests()).hasSize(3);
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
  }

  @Test
  void best_effort_is_delivered_when_every_part_is() {
    world.platform.textLimit(4);
    world.start();

    Delivery delivery = world.send(to("ann", "aaaabbbb").bestEffort(true));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void best_effort_waits_when_the_platform_asks_for_patience() {
    world.start();
    world.platform.then(throttled(ThrottleScope.CHAT, seconds(7)));

    Delivery delivery = world.send(to("ann", "hello").bestEffort(true));
    world.pass(seconds(7));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
  }
}
