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
                List.of(),
                List.of(new DeliveryReport(request.text(), State.SENT, Instant.EPOCH, null)),
                Hook.Reply.OK));
  }

  private static String receipt(Dispatch part) {
    return part.text() + "-id";
  }

  private void hearThatIsSent(String receipt) {
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

    hearThatIsSent("aaaa-id");

    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
    assertThat(world.status(delivery)).isEqualTo(Status.DELIVERED);
    assertThat(world.message(delivery.id()).attempts()).isEqualTo(1);
    assertThat(world.message(delivery.id()).error()).isNull();
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

    hearThatIsSent("aaaa-id");
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

    hearThatIsSent("aaaa-id");

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

    hearThatIsSent("aaaa-id");
    assertThat(world.platform.requests()).hasSize(2);
    world.pass(minutes(1));
    assertThat(world.platform.texts()).containsExactly("aaaa", "bbbb");
  }
}
