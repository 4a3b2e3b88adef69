package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.event.Event;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When something is tried again, how often, and what is remembered of it. */
public abstract class Retries extends EngineBehaviour {
  private void alwaysRefuse() {
    world.platform.mood(_ -> Reaction.of(REFUSED));
  }

  private int tries() {
    return world.platform.requests().size();
  }

  @Test
  void each_retry_waits_its_step_and_not_a_millisecond_less() {
    steadyBackoff();
    delivery(settings -> settings.maxAttempts = 6);
    world.start();
    alwaysRefuse();
    world.send("ann", "hello");
    int tried = 1;

    for (Duration step : List.of(seconds(5), seconds(25), minutes(2), minutes(10), minutes(10))) {
      world.pass(step.minusMillis(1));
      assertThat(tries()).as("just before " + step).isEqualTo(tried);
      world.pass(millis(1));
      assertThat(tries()).as("at " + step).isEqualTo(++tried);
    }
  }

  @Test
  void the_configured_backoff_is_the_one_that_is_waited_for() {
    steadyBackoff();
    delivery(settings -> settings.backoff = List.of(seconds(1), seconds(7)));
    world.start();
    alwaysRefuse();
    world.send("ann", "hello");

    world.pass(seconds(1));
    assertThat(tries()).isEqualTo(2);
    world.pass(seconds(6));
    assertThat(tries()).isEqualTo(2);
    world.pass(seconds(1));
    assertThat(tries()).isEqualTo(3);
    world.pass(seconds(7)); // the last one repeats
    assertThat(tries()).isEqualTo(4);
  }

  @Test
  void jitter_varies_a_delay_by_a_tenth_at_most() {
    delivery(settings -> settings.fastFirstRetry = Duration.ZERO);
    world.start();
    alwaysRefuse();
    for (int i = 0; i < 200; i++) {
      world.send("chat" + i, "hello");
    }

    List<Duration> delays =
        world.events(Event.Retrying.class).stream()
            .map(event -> Duration.between(event.at(), event.nextAt()))
            .toList();

    assertThat(delays)
        .hasSize(200)
        .allSatisfy(d -> assertThat(d).isBetween(millis(4500), millis(5500)));
    assertThat(delays).anyMatch(d -> d.compareTo(millis(4700)) < 0);
    assertThat(delays).anyMatch(d -> d.compareTo(millis(5300)) > 0);
  }

  @Test
  void the_first_retry_of_something_not_sent_can_be_fast() {
    delivery(
        settings -> {
          settings.jitter = 0;
          settings.fastFirstRetry = millis(500);
        });
    world.start();
    alwaysRefuse();
    world.send("ann", "hello");

    world.pass(millis(499));
    assertThat(tries()).isEqualTo(1);
    world.pass(millis(1));
    assertThat(tries()).isEqualTo(2);
    world.pass(seconds(25).minusMillis(1)); // the second is as slow as always
    assertThat(tries()).isEqualTo(2);
    world.pass(millis(1));
    assertThat(tries()).isEqualTo(3);
  }

  @Test
  void the_fast_first_retry_is_as_fast_as_configured() {
    delivery(
        settings -> {
          settings.jitter = 0;
          settings.fastFirstRetry = millis(40);
        });
    world.start();
    alwaysRefuse();
    world.send("ann", "hello");

    world.pass(millis(40));

    assertThat(tries()).isEqualTo(2);
  }

  @Test
  void something_that_may_have_been_sent_has_no_fast_retry() {
    delivery(settings -> settings.jitter = 0);
    world.start();
    world.platform.then(NO_ANSWER);
    world.send("ann", "hello");

    world.pass(seconds(5).minusMillis(1));
    assertThat(tries()).isEqualTo(1);
    world.pass(millis(1));
    assertThat(tries()).isEqualTo(2);
  }

  @Test
  void a_message_fails_when_its_five_attempts_are_used_up() {
    world.start();
    alwaysRefuse();
    Delivery delivery = world.send("ann", "hello");

    world.pass(hours(2));

    StoredMessage failed = world.message(delivery.id());
    assertThat(tries()).isEqualTo(5);
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.reason()).isEqualTo("attempts-exhausted");
    assertThat(failed.error()).isEqualTo("connection refused");
    assertThat(failed.attempts()).isEqualTo(5);
    assertThat(world.events(Event.Ended.class)).hasSize(1);
  }

  @Test
  void the_account_says_how_often_its_messages_are_tried() {
    delivery(settings -> settings.maxAttempts = 2);
    world.start();
    alwaysRefuse();
    world.send("ann", "hello");

    world.pass(hours(2));

    assertThat(tries()).isEqualTo(2);
  }

  @Test
  void a_message_may_say_how_often_it_is_tried() {
    world.start();
    alwaysRefuse();
    Delivery once = world.send(to("ann", "once").maxAttempts(1));
    Delivery often = world.send(to("bob", "often").maxAttempts(7));

    world.pass(hours(3));

    assertThat(attempts(once)).isEqualTo(1);
    assertThat(attempts(often)).isEqualTo(7);
  }

  @Test
  void the_history_tells_every_attempt_and_when_the_next_one_was_due() {
    steadyBackoff();
    delivery(settings -> settings.maxAttempts = 3);
    world.start();
    Instant start = world.time.instant();
    world.platform.then(REFUSED, NO_ANSWER, REFUSED);
    Delivery delivery = world.send("ann", "hello");

    world.pass(minutes(1));

    Instant second = start.plus(seconds(5));
    Instant third = second.plus(seconds(25));
    assertThat(world.history(delivery))
        .containsExactly(
            new HistoryEntry(start, 1, 0, "not-sent", "connection refused", second),
            new HistoryEntry(second, 2, 0, "unknown", "connection reset", third),
            new HistoryEntry(third, 3, 0, "not-sent", "connection refused", null));
  }

  @Test
  void an_adapter_that_throws_leaves_the_outcome_unknown_and_the_lane_goes_on() {
    delivery(settings -> settings.maxAttempts = 1);
    world.start();
    world.platform.mood(
        dispatch -> {
          if (dispatch.index() == 0 && "one".equals(dispatch.text())) {
            throw new IllegalStateException("GET https://api.example/botSECRET failed");
          }
          return world.platform.delivered();
        });

    Delivery one = world.send("ann", "one");
    world.send("ann", "two");

    assertThat(world.status(one)).isEqualTo(Status.FAILED);
    assertThat(world.history(one).getFirst().outcome()).isEqualTo("unknown");
    assertThat(world.history(one).getFirst().error())
        .contains("IllegalStateException")
        .doesNotContain("SECRET");
    assertThat(world.platform.texts()).containsExactly("two");
  }

  @Test
  void an_adapter_that_throws_before_it_sends_has_not_sent() {
    world.start();
    world.platform.mood(
        _ -> {
          throw new NotSentException("no such host");
        });
    Delivery delivery = world.send("ann", "hello");

    assertThat(world.history(delivery).getFirst().outcome()).isEqualTo("not-sent");
    assertThat(world.history(delivery).getFirst().error()).isEqualTo("no such host");
    assertThat(world.message(delivery.id()).possibleDuplicate()).isFalse();
  }

  @Test
  @SuppressWarnings("NullAway") // the adapter breaks its contract, that is the point
  void an_adapter_that_answers_nothing_does_not_stall_its_lane() {
    delivery(settings -> settings.maxAttempts = 1);
    world.start();
    world.platform.then(new Reaction(null, false, seconds(1)));

    Delivery one = world.send("ann", "one");
    Delivery two = world.send("ann", "two");
    world.pass(minutes(1));

    assertThat(world.status(one)).isEqualTo(Status.FAILED);
    assertThat(world.status(two)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void an_adapter_that_hangs_is_given_up_after_the_attempt_timeout() {
    steadyBackoff();
    delivery(settings -> settings.attemptTimeout = seconds(20));
    world.start();
    world.platform.then(Reaction.of(NO_ANSWER).neverAnswering());
    Delivery one = world.send("ann", "one");
    world.send("ann", "two");

    world.pass(seconds(20).minusMillis(1));
    assertThat(world.status(one)).isEqualTo(Status.SENDING);
    world.pass(millis(1));
    assertThat(world.status(one)).isEqualTo(Status.QUEUED);
    assertThat(world.history(one).getFirst().error()).isEqualTo("no answer within 20 s");
    world.pass(seconds(5));

    assertThat(world.platform.texts()).containsExactly("one", "two");
    assertThat(world.postrider().stats().staleCompletions()).as("giving up is no answer").isZero();
  }

  @Test
  void an_answer_after_the_timeout_is_counted_and_changes_nothing() {
    steadyBackoff();
    world.start();
    world.platform.mood(
        dispatch -> {
          if (world.platform.requests().isEmpty() && "one".equals(dispatch.text())) {
            stubbornly(seconds(64));
          }
          return world.platform.delivered();
        });
    Delivery one = world.send("ann", "one");
    world.send("ann", "two");

    world.pass(minutes(2));

    assertThat(world.events(Event.Stale.class)).hasSize(1);
    assertThat(world.postrider().stats().staleCompletions()).isEqualTo(1);
    assertThat(world.postrider().stats().delivered()).isEqualTo(2);
    assertThat(world.message(one.id()).attempts()).isEqualTo(2);
    assertThat(world.message(one.id()).possibleDuplicate()).isTrue();
    assertThat(world.platform.texts()).containsExactly("one", "one", "two");
  }

  /** Passes time in the task of an adapter that does not listen when it is told to give up. */
  private void stubbornly(Duration duration) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    world.time.after(duration, () -> over.complete(true));
    while (!over.isDone()) {
      try {
        world.time.await(over);
      } catch (Scheduler.Interrupted e) {
        // does not listen
      }
    }
  }

  @Test
  void a_message_rejected_for_good_ends_at_once_and_the_lane_goes_on() {
    world.start();
    world.platform.then(
        new Outcome.Rejected(Outcome.Blame.MESSAGE, "text is empty"),
        new Outcome.Rejected(Outcome.Blame.TARGET, "chat not found"));

    Delivery one = world.send("ann", "one");
    Delivery two = world.send("ann", "two");
    Delivery three = world.send("ann", "three");

    assertThat(world.status(one)).isEqualTo(Status.FAILED);
    assertThat(world.message(one.id()).reason()).isEqualTo("rejected-message");
    assertThat(world.message(two.id()).reason()).isEqualTo("rejected-target");
    assertThat(world.message(two.id()).error()).isEqualTo("chat not found");
    assertThat(world.status(three)).isEqualTo(Status.DELIVERED);
    world.pass(hours(2));
    assertThat(tries()).isEqualTo(3);
  }

  @Test
  void a_failed_message_halts_its_lane_where_the_account_wants_that() {
    delivery(settings -> settings.haltLaneOnFailure = true);
    world.start();
    world.platform.then(rejected());

    world.send("ann", "one");
    Delivery two = world.send("ann", "two");
    world.send("bob", "other lane");
    world.pass(minutes(5));
    assertThat(world.platform.texts()).containsExactly("other lane");
    crashAndStart();
    world.pass(minutes(5));
    assertThat(world.status(two)).isEqualTo(Status.QUEUED);

    world.postrider().resumeLane("bot", "ann");
    world.time.settle();

    assertThat(world.platform.texts()).containsExactly("other lane", "two");
  }
}
