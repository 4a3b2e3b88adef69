package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Delivery;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Outcome;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.view.WaitingFor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A part that waits until the platform has sent the one before. */
public abstract class OrderByReceipt extends EngineBehaviour {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @BeforeEach
  void platformThatKeepsNoOrder() {
    steadyBackoff();
    world.platform.textLimit(4);
    world.platform.sentWithin(_ -> PATIENCE);
    world.platform.mood(dispatch -> Reaction.of(Outcome.accepted(receipt(dispatch))));
    world.platform.hook(
        request ->
            new Hook.Answer.Genuine(
                List.of(), List.of(report(request.text().split(" "))), Hook.Reply.OK));
  }

  private static DeliveryReport report(String... receiptAndState) {
    State state = receiptAndState.length == 1 ? State.SENT : State.valueOf(receiptAndState[1]);
    return new DeliveryReport(receiptAndState[0], state, Instant.EPOCH, null);
  }

  private static String receipt(Dispatch part) {
    return part.text() + "-id";
  }

  private void hear(String receipt) {
    world
        .postrider()
        .receive(
            "bot",
            new Hook.Request(
                "POST",
                Map.of(),
                Map.of(),
                receipt.getBytes(StandardCharsets.UTF_8),
                Instant.EPOCH));
    world.time.settle();
  }

  @Test
  void the_next_part_waits_until_the_platform_has_sent_the_one_before() {
    world.start();
    Delivery delivery = world.send("ann", "aaaabbbb");
    world.pass(seconds(3));
    assertThat(world.platform.texts()).containsExactly("aaaa");

    hear("aaaa-id");

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).attempts()).isEqualTo(1);
    assertThat(world.message(delivery.id()).error()).isNull();
  }

  @Test
  void word_on_an_earlier_part_does_not_let_the_next_one_go() {
    world.platform.sentWithin(part -> part.index() == 1 ? PATIENCE : Duration.ZERO);
    world.start();
    world.send("ann", "aaaabbbbcccc");
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");

    hear("aaaa-id DELIVERED");
    hear("aaaa-id FAILED");
    world.pass(seconds(1));
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");

    hear("bbbb-id");
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb", "cccc");
  }

  @Test
  void a_part_that_will_not_arrive_is_not_waited_for() {
    world.start();
    world.send("ann", "aaaabbbb");

    hear("aaaa-id FAILED");

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
  }

  @Test
  void without_word_the_next_part_goes_when_the_patience_is_over() {
    world.start();
    Delivery delivery = world.send("ann", "aaaabbbb");

    world.pass(PATIENCE.minusSeconds(1));
    assertThat(world.platform.texts()).containsExactly("aaaa");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
    assertThat(world.message(delivery.id()).attempts()).isEqualTo(1);
    assertThat(world.history(delivery)).isEmpty();
  }

  @Test
  void word_that_is_faster_than_our_write_counts() {
    world.start();
    world.platform.mood(
        dispatch -> {
          world.time.start("hook", () -> hook(receipt(dispatch)));
          return Reaction.of(Outcome.accepted(receipt(dispatch))).taking(seconds(1));
        });
    world.send("ann", "aaaabbbb");
    world.pass(seconds(3));

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
  }

  private void hook(String receipt) {
    byte[] body = receipt.getBytes(StandardCharsets.UTF_8);
    world
        .postrider()
        .receive("bot", new Hook.Request("POST", Map.of(), Map.of(), body, Instant.EPOCH));
  }

  @Test
  void while_it_waits_its_lane_stands_others_go_and_it_says_why() {
    world.start();
    Delivery first = world.send("ann", "aaaabbbb");
    Instant began = world.time.instant();
    world.send("ann", "cccc");
    world.send("bob", "dddd");
    world.pass(seconds(1));

    assertThat(world.platform.texts()).containsExactly("aaaa", "dddd");
    WaitingFor wait =
        Objects.requireNonNull(world.postrider().waitingFor(world.message(first.id())));
    assertThat(wait.kind()).isEqualTo("receipt");
    assertThat(wait.until()).isEqualTo(began.plus(PATIENCE));
    assertThat(wait.cause()).contains("not yet sent");

    hear("aaaa-id");
    assertThat(world.platform.texts()).containsExactly("aaaa", "dddd", "bbbb", "cccc");
  }

  @Test
  void after_a_crash_the_next_part_goes_with_word_or_when_the_patience_is_over() {
    world.start();
    Delivery delivery = world.send("ann", "aaaabbbb");
    world.pass(seconds(1));
    crashAndStart();
    world.pass(seconds(1));
    assertThat(world.platform.texts()).containsExactly("aaaa");

    hear("aaaa-id");

    StoredMessage message = world.message(delivery.id());
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
    assertThat(message.status()).isEqualTo(Status.DELIVERED);
    assertThat(message.possibleDuplicate()).isFalse();

    Delivery silent = world.send("bob", "eeeeffff");
    world.pass(seconds(1));
    crashAndStart();
    world.pass(PATIENCE);
    assertThat(world.status(silent)).isEqualTo(Status.DELIVERED);
  }

  @Test
  void word_on_a_message_that_is_tried_again_later_does_not_hurry_it() {
    world.start();
    world.platform.then(
        Reaction.of(Outcome.accepted("aaaa-id")), Reaction.of(new Outcome.NotSent("busy")));
    world.send("ann", "aaaabbbb");
    world.pass(PATIENCE); // without word; then the second part is refused
    assertThat(world.platform.requests()).hasSize(2);

    hear("aaaa-id");
    assertThat(world.platform.requests()).hasSize(2);
    world.pass(minutes(1));
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
  }
}
