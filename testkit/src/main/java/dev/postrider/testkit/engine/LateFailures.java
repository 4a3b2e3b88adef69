package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.config.DeliverySettings;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Status;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.engine.FakeChannel.Request;
import dev.postrider.view.Stats;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A platform takes a message and says later that it failed. */
public abstract class LateFailures extends EngineBehaviour {

  @BeforeEach
  void hearReports() {
    steadyBackoff();
    world.platform.hook(
        request -> {
          String[] words = request.text().split(" ", 3);
          return new Hook.Answer.Genuine(
              List.of(),
              List.of(
                  new DeliveryReport(
                      words[0],
                      State.valueOf(words[1]),
                      world.time.instant(),
                      words[2],
                      words[2].startsWith("for good"))),
              Hook.Reply.OK);
        });
  }

  private void hear(String receipt, State state, String detail) {
    String body = receipt + " " + state + " " + detail;
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST", Map.of(), Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH));
    world.time.settle();
  }

  private Delivery sentAs(String receipt) {
    world.platform.then(Outcome.accepted(receipt));
    Delivery delivery = world.send("ann", "hello");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    return delivery;
  }

  @Test
  void a_message_that_failed_by_webhook_is_a_dead_letter_and_everybody_is_told() {
    world.start();
    Delivery delivery = sentAs("wamid.1");
    hear("wamid.1", State.SENT, "");

    hear("wamid.1", State.FAILED, "131026: message undeliverable");
    hear("wamid.1", State.FAILED, "131026: message undeliverable");

    StoredMessage message = world.message(delivery.id());
    assertThat(message.status()).isEqualTo(Status.FAILED);
    assertThat(message.reason()).isEqualTo("receipt-failed");
    assertThat(message.error()).isEqualTo("131026: message undeliverable");
    assertThat(world.events(Event.Ended.class))
        .singleElement()
        .satisfies(
            ended -> {
              assertThat(ended.type()).isEqualTo("message.failed");
              assertThat(ended.id()).isEqualTo(delivery.id());
              assertThat(ended.reason()).isEqualTo("receipt-failed");
              assertThat(ended.afterDelivery()).isTrue();
            });
    Stats stats = world.postrider().stats();
    assertThat(stats.deadLetters()).isOne();
    assertThat(stats.failed()).isOne();
    assertThat(account("bot").queued()).isZero();
    crashAndStart();
    assertThat(world.message(delivery.id())).isEqualTo(message);
    assertThat(world.postrider().stats().deadLetters()).isOne();
  }

  @Test
  void word_that_is_faster_than_the_platforms_own_answer_fails_the_message_too() {
    world.start();
    hear("wamid.1", State.FAILED, "131047: more than 24 hours");
    world.platform.then(Outcome.accepted("wamid.1"));

    Delivery delivery = world.send("ann", "hello");
    world.send("ann", "next");

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.message(delivery.id()).error()).isEqualTo("131047: more than 24 hours");
    assertThat(world.events(Event.Ended.class))
        .singleElement()
        .matches(ended -> ended.id().equals(delivery.id()) && !ended.afterDelivery());
    assertThat(world.events(Event.Delivered.class)).as("the next one only").hasSize(1);
    assertThat(account("bot").queued()).isZero();
  }

  @Test
  void a_replay_is_sent_under_another_key_so_that_no_platform_takes_it_for_the_first() {
    world.start();
    Delivery delivery = sentAs("wamid.1");
    hear("wamid.1", State.FAILED, "131026: message undeliverable");

    Delivery replay = world.postrider().replay(delivery.id());
    world.time.settle();

    assertThat(world.status(replay)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(replay.id()).possibleDuplicate()).isFalse();
    assertThat(world.platform.requests()).extracting(Request::key).doesNotHaveDuplicates();
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
  }

  @Test
  void a_failure_is_only_recorded_where_the_account_wants_that() {
    delivery(settings -> settings.onReceiptFailed = OnReceiptFailed.RECORD);
    world.start();
    Delivery delivery = sentAs("wamid.1");

    hear("wamid.1", State.FAILED, "131026: message undeliverable");

    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.postrider().receipts(delivery.id()).getFirst().furthest())
        .satisfies(word -> assertThat(word.state()).isEqualTo(State.FAILED));
    assertThat(world.events(Event.Ended.class)).isEmpty();
    assertThat(world.events(Event.ReceiptUpdated.class)).hasSize(1);
  }

  // ---- sent again

  private void retrying() {
    delivery(settings -> settings.onReceiptFailed = OnReceiptFailed.RETRY);
    world.start();
  }

  private List<StoredMessage> replaysOf(Delivery delivery) {
    return world.postrider().list(MessageFilter.ALL, null, 99).items().stream()
        .filter(message -> delivery.id().equals(message.replayOf()))
        .toList();
  }

  @Test
  void what_failed_later_is_sent_again_after_the_backoff_where_the_account_wants_that() {
    retrying();
    Delivery delivery = sentAs("wamid.1");

    hear("wamid.1", State.FAILED, "131000: something went wrong");
    world.pass(seconds(4));
    assertThat(world.platform.requests()).as("it waits").hasSize(1);
    world.pass(seconds(2));

    assertThat(world.platform.requests()).hasSize(2);
    assertThat(world.platform.requests()).extracting(Request::key).doesNotHaveDuplicates();
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(replaysOf(delivery))
        .singleElement()
        .satisfies(
            replay -> {
              assertThat(replay.status()).isEqualTo(Status.DELIVERED);
              assertThat(replay.message().maxAttempts()).isEqualTo(4);
              assertThat(replay.possibleDuplicate()).isFalse();
            });
  }

  @Test
  void all_tries_together_are_no_more_than_a_message_may_have() {
    retrying();
    for (int i = 1; i <= 9; i++) {
      world.platform.then(Outcome.accepted("r" + i));
    }
    world.send("ann", "hello");

    for (int i = 1; i <= 9; i++) {
      hear("r" + i, State.FAILED, "131000: something went wrong");
      world.pass(minutes(15));
    }

    assertThat(world.platform.requests()).hasSize(5);
    assertThat(world.postrider().stats().deadLetters()).isEqualTo(5);
    assertThat(world.store().toRetry(null, 9)).isEmpty();
  }

  @Test
  void what_cannot_help_is_not_sent_again() {
    retrying();
    Delivery delivery = sentAs("wamid.1");

    hear("wamid.1", State.FAILED, "for good: 131026 not on WhatsApp");
    world.pass(minutes(30));

    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
  }

  @Test
  void word_that_it_cannot_help_counts_also_if_it_is_faster_than_our_own_outcome() {
    retrying();
    hear("wamid.1", State.FAILED, "for good: 131026 not on WhatsApp");
    crashAndStart();
    world.platform.then(Outcome.accepted("wamid.1"));

    Delivery delivery = world.send("ann", "hello");
    world.pass(minutes(30));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.requests()).hasSize(1);
    assertThat(world.store().toRetry(null, 9)).isEmpty();
  }

  @Test
  void word_that_it_cannot_help_counts_while_the_next_part_is_on_its_way() {
    world.platform.textLimit(4);
    retrying();
    world.platform.then(
        Reaction.of(Outcome.accepted("one")),
        Reaction.of(Outcome.accepted("two")).taking(seconds(9)));
    Delivery delivery = world.send("ann", "aaaabbbb");

    hear("one", State.FAILED, "for good: 131026 not on WhatsApp");
    world.pass(minutes(30));

    assertThat(world.status(delivery)).isEqualTo(Status.FAILED);
    assertThat(world.platform.requests()).hasSize(2);
  }

  @Test
  void what_is_to_be_sent_again_survives_a_crash() {
    retrying();
    Delivery delivery = sentAs("wamid.1");
    world
        .store()
        .report(
            "bot",
            List.of(new DeliveryReport("wamid.1", State.FAILED, world.time.instant(), "oops")),
            OnReceiptFailed.RETRY,
            world.time.instant());
    world.time.settle(); // nobody was told of it

    crashAndStart();
    world.pass(seconds(6));

    assertThat(replaysOf(delivery)).hasSize(1);
    crashAndStart();
    world.pass(seconds(30));
    assertThat(replaysOf(delivery)).as("once").hasSize(1);
    assertThat(world.platform.requests()).hasSize(2);
  }

  @Test
  void what_is_to_be_sent_again_is_found_when_the_stores_answer_to_the_report_was_lost() {
    retrying();
    Delivery delivery = sentAs("wamid.1");
    world
        .store()
        .report(
            "bot",
            List.of(new DeliveryReport("wamid.1", State.FAILED, world.time.instant(), "oops")),
            OnReceiptFailed.RETRY,
            world.time.instant());
    world.time.settle(); // nobody was told of it

    hear("wamid.1", State.FAILED, "oops"); // it is stored already: nobody is told of it either
    world.pass(seconds(21));

    assertThat(replaysOf(delivery)).hasSize(1);
    assertThat(world.platform.requests()).hasSize(2);
  }

  @Test
  void an_account_of_a_channel_that_retries_what_fails_later_needs_no_setting_for_it() {
    world.account(account -> account.withDelivery(DeliverySettings.DEFAULTS));
    world.platform.delivery(
        usual -> usual.with(settings -> settings.onReceiptFailed = OnReceiptFailed.RETRY));
    world.start();
    Delivery delivery = sentAs("wamid.1");

    hear("wamid.1", State.FAILED, "131000: something went wrong");
    world.pass(minutes(1));

    assertThat(replaysOf(delivery)).hasSize(1);
  }
}
