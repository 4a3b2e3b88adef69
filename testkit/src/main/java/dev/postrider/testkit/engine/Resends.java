package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.PartState;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The risk of a duplicate is judged when a part is sent again, not when that was planned: the
 * platform drops a repeat for two minutes, and whatever comes between may take longer.
 */
public abstract class Resends extends EngineBehaviour {
  @BeforeEach
  void platformThatForgets() {
    steadyBackoff();
    world.platform.deduplicating(minutes(2));
  }

  private void holding() {
    delivery(settings -> settings.onUnknown = OnUnknown.HOLD);
  }

  /** Sends a message that arrives without an answer; its retry is planned in five seconds. */
  private Delivery arrivesUnanswered() {
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving());
    return world.send("ann", "hello");
  }

  private void assertHeld(Delivery delivery) {
    StoredMessage held = world.message(delivery.id());
    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(held.status()).isEqualTo(Status.HELD);
    assertThat(held.reason()).isEqualTo("outcome-unknown");
    assertThat(held.possibleDuplicate()).isTrue();
  }

  private void assertSentTwiceAndSaysSo(Delivery delivery) {
    assertThat(world.platform.texts()).containsExactly("hello", "hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isTrue();
  }

  // ---- what comes between the try in doubt and the next one

  private void pauseAccountFor(Duration howLong) {
    world.postrider().pauseAccount("bot", "by hand");
    world.pass(howLong);
    world.postrider().resumeAccount("bot");
    world.pass(seconds(1));
  }

  @Test
  void a_pause_longer_than_the_platform_remembers_holds_a_message_in_doubt() {
    holding();
    Delivery delivery = arrivesUnanswered();
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);

    pauseAccountFor(seconds(130));

    assertHeld(delivery);
  }

  @Test
  void a_pause_longer_than_the_platform_remembers_makes_a_possible_duplicate() {
    Delivery delivery = arrivesUnanswered();
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();

    pauseAccountFor(seconds(130));

    assertSentTwiceAndSaysSo(delivery);
  }

  @Test
  void a_pause_that_ends_while_the_platform_remembers_leaves_no_doubt() {
    holding();
    Delivery delivery = arrivesUnanswered();

    pauseAccountFor(seconds(110));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void a_throttle_longer_than_the_platform_remembers_holds_a_message_in_doubt() {
    holding();
    Delivery delivery = arrivesUnanswered();
    world.platform.then(throttled(ThrottleScope.ACCOUNT, minutes(3)));

    world.pass(seconds(6));
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);
    world.pass(minutes(4));

    assertHeld(delivery);
  }

  @Test
  void a_throttle_longer_than_the_platform_remembers_makes_a_possible_duplicate() {
    Delivery delivery = arrivesUnanswered();
    world.platform.then(throttled(ThrottleScope.CHAT, minutes(3)));

    world.pass(minutes(4));

    assertSentTwiceAndSaysSo(delivery);
  }

  @Test
  void an_outage_longer_than_the_platform_remembers_holds_a_message_in_doubt() {
    holding();
    delivery(
        settings -> {
          settings.backoff = List.of(seconds(5), seconds(50), seconds(50), seconds(50));
        });
    Delivery delivery = arrivesUnanswered();
    world.platform.then(REFUSED, REFUSED, REFUSED);

    world.pass(minutes(10));

    assertHeld(delivery);
  }

  @Test
  void a_slow_back_off_after_a_refusal_makes_a_possible_duplicate() {
    Delivery delivery = arrivesUnanswered();
    world.platform.then(REFUSED, REFUSED); // 5 s, 25 s, and then two minutes

    world.pass(minutes(10));

    assertSentTwiceAndSaysSo(delivery);
  }

  @Test
  void a_broken_account_that_is_mended_late_holds_a_message_in_doubt() {
    holding();
    Delivery delivery = arrivesUnanswered();
    world.platform.then(new Outcome.AccountBroken("token revoked"));
    world.platform.probe(new Probe.Broken("token revoked"));

    world.pass(minutes(3));
    world.platform.probe(new Probe.Healthy("fake"));
    world.pass(minutes(10));

    assertHeld(delivery);
  }

  @Test
  void a_process_that_is_away_longer_than_the_platform_remembers_holds_what_was_in_doubt() {
    holding();
    Delivery delivery = arrivesUnanswered();

    world.crash();
    world.pass(minutes(3));
    world.start();
    world.pass(minutes(1));

    assertHeld(delivery);
  }

  @Test
  void an_attempt_that_a_crash_cut_off_is_judged_when_it_is_sent_again() {
    holding();
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).arriving().neverAnswering());
    Delivery delivery = world.send("ann", "hello");
    crashAndStart(); // the interrupted attempt is planned again in five seconds
    assertThat(world.status(delivery)).isEqualTo(Status.QUEUED);

    pauseAccountFor(seconds(130));

    assertHeld(delivery);
  }

  // ---- what is known of it

  @Test
  void the_doubt_is_stored_before_the_part_goes_out_again() {
    List<StoredMessage> atTheWire = new ArrayList<>();
    Delivery delivery = arrivesUnanswered();
    world.platform.mood(
        dispatch -> {
          atTheWire.add(world.message(dispatch.id()));
          return world.platform.delivered();
        });

    pauseAccountFor(seconds(130));

    assertThat(atTheWire).extracting(StoredMessage::possibleDuplicate).containsExactly(true);
    assertThat(attempts(delivery)).isEqualTo(2);
    assertThat(world.history(delivery))
        .extracting(entry -> String.valueOf(entry.error()))
        .anyMatch(error -> error.contains("no longer recognises"));
  }

  @Test
  void an_adapter_is_told_since_when_an_earlier_try_may_have_arrived() {
    List<@Nullable Instant> told = new ArrayList<>();
    world.start();
    Instant first = world.time.instant();
    world.platform.mood(
        dispatch -> {
          told.add(dispatch.mayHaveArrivedAt());
          return told.size() < 3 ? Reaction.of(NO_ANSWER) : world.platform.delivered();
        });

    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(1));

    assertThat(told).containsExactly(null, first, first);
    assertThat(world.message(delivery.id()).progress().parts())
        .extracting(PartState::inDoubtSince)
        .containsOnlyNulls();
  }

  @Test
  void a_part_that_the_platform_does_not_recognise_is_held_though_it_recognises_others() {
    holding();
    world.platform.textLimit(4);
    world.platform.recognising(dispatch -> dispatch.index() == 0);
    world.start();
    world.platform.then(
        Reaction.of(NO_ANSWER).arriving(),
        world.platform.delivered(),
        Reaction.of(NO_ANSWER).arriving());

    Delivery delivery = world.send("ann", "aaaabbbb");
    world.pass(minutes(1));

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
    assertThat(world.status(delivery)).isEqualTo(Status.HELD);
  }

  @Test
  void a_look_up_is_told_when_the_try_in_doubt_went_out() {
    List<@Nullable Instant> told = new ArrayList<>();
    world.platform.memory(
        dispatch -> {
          told.add(dispatch.mayHaveArrivedAt());
          return new Reconciliation.Inconclusive();
        });
    Instant first = world.time.instant();

    arrivesUnanswered();
    world.pass(minutes(1));

    assertThat(told).containsExactly(first);
  }

  @Test
  void a_look_up_after_a_crash_is_told_when_the_attempt_began() {
    List<@Nullable Instant> told = new ArrayList<>();
    world.start();
    Instant first = world.time.instant();
    world.platform.then(Reaction.of(NO_ANSWER).arriving().neverAnswering());
    world.send("ann", "hello");
    world.pass(seconds(3));
    world.platform.memory(
        dispatch -> {
          told.add(dispatch.mayHaveArrivedAt());
          return new Reconciliation.Inconclusive();
        });

    world.crash();
    world.start();
    world.pass(seconds(1));

    assertThat(told).containsExactly(first);
  }

  @Test
  void what_was_proven_not_sent_leaves_no_doubt_however_long_it_waits() {
    holding();
    world.start();
    world.platform.then(REFUSED);
    Delivery delivery = world.send("ann", "hello");

    pauseAccountFor(minutes(10));

    assertThat(world.platform.texts()).containsExactly("hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void only_the_part_that_was_in_doubt_counts() {
    holding();
    world.platform.textLimit(5);
    world.start();
    world.platform.then(Reaction.of(Outcome.delivered("a")), Reaction.of(NO_ANSWER).arriving());
    world.platform.then(Outcome.delivered("b"), throttled(ThrottleScope.CHAT, minutes(3)));

    Delivery delivery = world.send("ann", "aaaa bbbb cccc");
    world.pass(minutes(10));

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void a_person_who_replays_what_was_held_has_decided() {
    holding();
    Delivery delivery = arrivesUnanswered();
    pauseAccountFor(seconds(130));
    assertHeld(delivery);

    Delivery again = world.postrider().replay(delivery.id());
    world.pass(seconds(1));

    assertSentTwiceAndSaysSo(again);
  }
}
