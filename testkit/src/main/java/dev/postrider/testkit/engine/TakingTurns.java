package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Delivery;
import dev.postrider.InboundHandler;
import dev.postrider.Turn;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.engine.FakeChannel.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A turn ends when its answers have arrived, whatever happens in between. */
public abstract class TakingTurns extends InboundBehaviour {
  private int hands;

  private TurnState turn(StoredInbound inbound) {
    return Objects.requireNonNull(now(inbound).handling().turn());
  }

  private List<String> ended() {
    return world.events(Event.TurnEnded.class).stream().map(Event.TurnEnded::state).toList();
  }

  private static List<String> texts(List<StoredMessage> messages) {
    return messages.stream().map(message -> String.valueOf(message.message().text())).toList();
  }

  private static UUID leaseOf(StoredInbound inbound) {
    return Objects.requireNonNull(inbound.handling().lease());
  }

  private static Message tool(Turn turn, String text) {
    return turn.message().text(text).dispatchKind(DispatchKind.TOOL).build();
  }

  // ---- answering

  @Test
  void a_reply_goes_to_where_the_message_came_from_and_quotes_it() {
    world.start();
    world.postrider().onInbound((message, turn) -> turn.reply("re: " + text(message)));
    StoredInbound inbound = write("ann", "7", "hi");

    Request request = world.platform.requests().getFirst();
    assertThat(request.chat()).isEqualTo("ann");
    assertThat(request.text()).isEqualTo("re: hi");
    Message reply = caused(inbound).getFirst().message();
    assertThat(reply.threadId()).isEqualTo("7");
    assertThat(reply.replyToId()).isEqualTo(inbound.arrival().messageId());
    assertThat(reply.sessionId()).isEqualTo("bot/ann/7");
    assertThat(reply.turnId()).isEqualTo(inbound.id().toString());
    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
    assertThat(ended()).containsExactly("delivered");
  }

  @Test
  void a_turn_is_open_until_the_last_answer_has_arrived() {
    world.platform.then(REFUSED);
    world.start();
    world
        .postrider()
        .onInbound(
            (_, turn) -> {
              turn.reply("one");
              turn.answer("two");
            });
    StoredInbound inbound = write("ann", "hi");
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(turn(inbound)).isEqualTo(TurnState.OPEN);
    world.pass(seconds(5));

    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
    assertThat(texts(caused(inbound))).containsExactly("one", "two");
  }

  @Test
  void a_turn_with_an_answer_that_ends_badly_has_failed() {
    world.platform.then(rejected());
    world.start();
    world
        .postrider()
        .onInbound(
            (_, turn) -> {
              turn.reply("one");
              turn.reply("two");
            });
    StoredInbound inbound = write("ann", "hi");

    assertThat(turn(inbound)).isEqualTo(TurnState.FAILED);
    assertThat(ended()).containsExactly("failed");
  }

  @Test
  void a_withdrawn_answer_does_not_make_a_turn_fail() {
    world.start();
    world.postrider().pauseAccount("bot", "later");
    world.postrider().onInbound((_, turn) -> turn.reply("never mind"));
    StoredInbound inbound = write("ann", "hi");
    assertThat(turn(inbound)).isEqualTo(TurnState.OPEN);
    world.postrider().cancel(caused(inbound).getFirst().id());
    world.time.settle();

    assertThat(turn(inbound)).isEqualTo(TurnState.EMPTY);
  }

  @Test
  void a_message_sent_from_elsewhere_can_belong_to_a_turn() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    UUID lease = leaseOf(lease(minutes(1)));
    Message.Builder reply = world.postrider().inbox().replyTo(inbound.id()).orElseThrow();
    world.send(reply.text("by hand"));
    assertThat(turn(inbound)).isEqualTo(TurnState.OPEN);
    world.postrider().inbox().ack(lease, List.of(reply.text("and with the word").build()));
    world.time.settle();

    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
    assertThat(texts(caused(inbound))).containsExactly("by hand", "and with the word");
  }

  @Test
  void answers_are_taken_with_the_word_that_it_is_handled_or_not_at_all() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    Message.Builder reply = world.postrider().inbox().replyTo(inbound.id()).orElseThrow();
    UUID lost = leaseOf(lease(seconds(20)));
    world.pass(seconds(20));
    List<Message> answers = List.of(reply.text("too late").build());
    assertThatThrownBy(() -> world.postrider().inbox().ack(lost, answers))
        .isInstanceOf(Refused.class);
    UUID lease = leaseOf(lease(seconds(20)));
    List<Message> wrong = List.of(reply.build(), Message.to("nobody", "x").text("y").build());
    assertThatThrownBy(() -> world.postrider().inbox().ack(lease, wrong))
        .isInstanceOf(Refused.class);
    world.time.settle();
    assertThat(caused(inbound)).isEmpty();
    assertThat(world.postrider().stats().queued()).isZero();
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.LEASED);
  }

  @Test
  void a_reply_whose_key_was_used_for_other_content_refuses_the_ack() {
    world.start();
    world.send(Message.to("bot", "ann").text("one").idempotencyKey("k"));
    StoredInbound inbound = write("ann", "hi");
    UUID lease = leaseOf(lease(minutes(1)));
    Message.Builder reply = world.postrider().inbox().replyTo(inbound.id()).orElseThrow();
    List<Message> reused =
        List.of(reply.text("fine").build(), reply.text("two").idempotencyKey("k").build());

    assertThatThrownBy(() -> world.postrider().inbox().ack(lease, reused))
        .isInstanceOfSatisfying(
            Refused.class, e -> assertThat(e.why()).isEqualTo(Refused.Cause.KEY_REUSED));

    assertThat(caused(inbound)).isEmpty();
    assertThat(world.postrider().stats().queued()).isZero();
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.LEASED);
    world.postrider().inbox().ack(lease, List.of());
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
  }

  @Test
  void two_replies_that_share_a_key_and_not_their_content_refuse_the_ack() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    UUID lease = leaseOf(lease(minutes(1)));
    Message.Builder reply =
        world.postrider().inbox().replyTo(inbound.id()).orElseThrow().idempotencyKey("k");
    List<Message> both = List.of(reply.text("one").build(), reply.text("two").build());

    assertThatThrownBy(() -> world.postrider().inbox().ack(lease, both))
        .isInstanceOfSatisfying(
            Refused.class, e -> assertThat(e.why()).isEqualTo(Refused.Cause.KEY_REUSED));

    assertThat(caused(inbound)).isEmpty();
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.LEASED);
  }

  @Test
  void a_handler_whose_answer_is_refused_gets_the_message_again() {
    world.start();
    world.send(Message.to("bot", "ann").text("one").idempotencyKey("k"));
    List<Integer> attempts = new ArrayList<>();
    world
        .postrider()
        .onInbound(
            (_, turn) -> {
              attempts.add(turn.attempt());
              Message.Builder answer = turn.message().text("two");
              turn.answer(
                  turn.attempt() == 1 ? answer.idempotencyKey("k").build() : answer.build());
            });
    StoredInbound inbound = write("ann", "hi");
    world.pass(minutes(1));

    assertThat(attempts).containsExactly(1, 2);
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(texts(caused(inbound))).containsExactly("two");
  }

  @Test
  void whoever_has_lost_a_turn_can_send_nothing_in_its_name() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    UUID lost = leaseOf(lease(seconds(20)));
    Message.Builder reply = world.postrider().inbox().replyTo(inbound.id()).orElseThrow().text("x");
    world.pass(seconds(25));
    assertThatThrownBy(() -> world.postrider().send(reply.build()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("is not the sender's");
    world.pass(minutes(1));
    UUID held = leaseOf(lease(minutes(1)));

    assertThatThrownBy(() -> world.postrider().send(reply.leaseId(lost).build()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("is not the sender's");
    world.send(reply.leaseId(held).text("mine"));

    assertThat(texts(caused(inbound))).containsExactly("mine");
  }

  @Test
  void an_attempt_that_says_the_same_again_is_heard_once() {
    world.start();
    world
        .postrider()
        .onInbound(
            (_, turn) -> {
              turn.reply("hello");
              turn.reply("hello");
              if (turn.attempt() < 3) {
                throw new IllegalStateException("then it fails");
              }
              turn.reply("third time lucky");
            });
    StoredInbound inbound = write("ann", "hi");
    world.pass(minutes(1));

    assertThat(texts(caused(inbound))).containsExactly("hello", "hello", "third time lucky");
    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
  }

  // ---- whoever had it dies

  /** Takes a lease, and never answers. */
  private InboundHandler dying(InboundHandler before) {
    return (message, turn) -> {
      hands++;
      before.onInbound(message, turn);
      world.time.await(new CompletableFuture<>()); // until the plug is pulled
    };
  }

  private void diesAfter(InboundHandler before) {
    world.postrider().onInbound(dying(before));
    world.time.settle();
    crashAndStart();
  }

  @Test
  void a_message_whose_handler_died_silently_comes_again_three_times() {
    world.start();
    StoredInbound inbound = write("ann", "poison");
    write("ann", "next");
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      diesAfter((message, _) -> times.add(world.time.instant()));
      world.pass(seconds(15));
    }

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(now(inbound).handling().attempts()).isEqualTo(4);
    for (int i = 1; i < 4; i++) {
      assertThat(Duration.between(times.get(i - 1), times.get(i))).isEqualTo(seconds(15));
    }
    assertThat(turn(inbound)).isEqualTo(TurnState.FAILED);
    assertThat(world.postrider().inbox().notes(inbound.id())).hasSize(4);
  }

  @Test
  void a_message_whose_handler_died_is_not_handed_out_when_it_is_a_day_old() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    world.pass(hours(25));
    diesAfter((_, _) -> {});
    world.pass(minutes(1));

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.FAILED);
  }

  @Test
  void the_account_says_how_often_a_message_of_the_dead_comes_again() {
    inbound(
        settings -> {
          settings.revivals = 1;
          settings.revivalDelay = seconds(3);
        });
    world.start();
    StoredInbound inbound = write("ann", "poison");
    for (int i = 0; i < 4; i++) {
      diesAfter((_, _) -> {});
      world.pass(seconds(3));
    }

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(now(inbound).handling().attempts()).isEqualTo(2);
  }

  @Test
  void the_account_says_how_old_a_message_of_the_dead_may_be() {
    inbound(settings -> settings.revivalAge = minutes(5));
    world.start();
    StoredInbound inbound = write("ann", "hi");
    world.pass(minutes(6));
    diesAfter((_, _) -> {});

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.FAILED);
  }

  @Test
  void a_lease_of_somebody_outside_survives_our_death_and_runs_out_in_time() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    UUID lease = leaseOf(lease(minutes(5)));
    crashAndStart();
    world.pass(minutes(4));
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.LEASED);
    assertThat(now(inbound).handling().lease()).isEqualTo(lease);
    world.pass(minutes(1));

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.PENDING);
    assertThat(now(inbound).handling().deaths()).isEqualTo(1);
    assertThat(lease(minutes(1)).id()).isEqualTo(inbound.id());
  }

  @Test
  void what_a_dead_turn_had_only_begun_to_say_is_not_sent() {
    world.start();
    world.postrider().pauseAccount("bot", "the platform is slow");
    StoredInbound inbound = write("ann", "hi");
    diesAfter(
        (_, turn) -> {
          turn.reply(tool(turn, "searching …"));
          turn.reply(turn.message().text("I th").dispatchKind(DispatchKind.BLOCK).build());
        });
    world.postrider().resumeAccount("bot");
    world.time.settle();
    assertThat(world.platform.requests()).isEmpty();
    assertThat(caused(inbound))
        .extracting(StoredMessage::status)
        .containsOnly(Status.CANCELLED)
        .hasSize(2);
    world.postrider().onInbound((_, turn) -> turn.reply("here it is"));
    world.pass(seconds(15));

    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
    assertThat(world.platform.requests()).extracting(Request::text).containsExactly("here it is");
  }

  @Test
  void a_dead_turn_that_had_answered_is_not_handled_again() {
    world.start();
    world.postrider().pauseAccount("bot", "the platform is slow");
    StoredInbound inbound = write("ann", "hi");
    diesAfter(
        (_, turn) -> {
          turn.reply(tool(turn, "searching …"));
          turn.reply("found");
        });
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    world.postrider().onInbound(dying((_, _) -> {}));
    world.postrider().resumeAccount("bot");
    world.pass(hours(1));

    assertThat(hands).isEqualTo(1);
    assertThat(world.platform.requests()).extracting(Request::text).containsExactly("found");
    assertThat(turn(inbound)).isEqualTo(TurnState.DELIVERED);
  }

  // ---- pulling the plug after every single step

  @Test
  void a_turn_that_is_interrupted_after_any_step_ends_and_says_nothing_twice() {
    interruptAfterEveryStep(
        (_, turn) -> {
          turn.reply("one");
          turn.reply("two");
        },
        inbound -> assertThat(texts(caused(inbound))).startsWith("one").doesNotHaveDuplicates());
  }

  @Test
  void answers_of_a_turn_that_is_interrupted_after_any_step_are_complete() {
    interruptAfterEveryStep(
        (_, turn) -> {
          turn.answer("one");
          turn.answer("two");
        },
        inbound -> assertThat(texts(caused(inbound))).containsExactly("one", "two"));
  }

  @FunctionalInterface
  private interface Check {
    void of(StoredInbound inbound);
  }

  private void interruptAfterEveryStep(InboundHandler handler, Check check) {
    world.start();
    world.postrider().onInbound(handler);
    world.time.settle();
    boolean through = false;
    for (int steps = 0; !through; steps++) {
      int told = world.events(Event.TurnEnded.class).size();
      tell(1_000 + steps, "chat" + steps, null, "hi");
      through = stepsUntilEnd(steps, told);
      crashAndStart();
      world.postrider().onInbound(handler);
      world.pass(minutes(2));
      StoredInbound inbound = events().getLast();
      assertThat(turn(inbound)).as("after %d steps", steps).isEqualTo(TurnState.DELIVERED);
      assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
      check.of(inbound);
      mirroredOnce(inbound);
      assertThat(world.events(Event.TurnEnded.class).size() - told).isLessThanOrEqualTo(1);
    }
  }

  /** Takes so many steps; tells whether the turn had ended before. */
  private boolean stepsUntilEnd(int steps, int told) {
    for (int i = 0; i < steps; i++) {
      if (world.events(Event.TurnEnded.class).size() > told) {
        return true;
      }
      world.time.step();
    }
    return false;
  }

  private void mirroredOnce(StoredInbound inbound) {
    List<String> said = new ArrayList<>();
    for (SessionEntry entry :
        world.postrider().inbox().history(inbound.sessionId(), null, 100).items()) {
      if (entry instanceof SessionEntry.Said(var mirrored)) {
        said.addFirst(String.valueOf(mirrored.message().text()));
      }
    }
    assertThat(said).containsExactlyElementsOf(texts(caused(inbound)));
  }

  // ---- what the person really saw

  @Test
  void a_delivered_message_with_a_session_is_in_its_history_and_others_are_not() {
    world.start();
    Instant start = world.time.instant();
    write("ann", "hi");
    world.pass(seconds(1));
    Delivery shown = world.send(to("ann", "welcome").sessionId("bot/ann"));
    world.send(to("ann", "no session"));
    world.platform.then(rejected());
    world.send(to("ann", "not seen").sessionId("bot/ann"));
    world.send(to("eve", "a session begins with us").sessionId("campaign/eve"));

    List<SessionEntry> history =
        world.postrider().inbox().history("bot/ann", null, 10).items().reversed();
    assertThat(history).hasSize(2);
    assertThat(history.getFirst()).isInstanceOf(SessionEntry.Heard.class);
    SessionEntry.Said said = (SessionEntry.Said) history.getLast();
    assertThat(said.message().id()).isEqualTo(shown.id());
    assertThat(said.message().receipts()).hasSize(1);
    assertThat(said.at()).isEqualTo(start.plusSeconds(1));
    assertThat(world.postrider().inbox().session("campaign/eve")).isPresent();
    assertThat(world.events(Event.SessionMirrored.class))
        .extracting(Event.SessionMirrored::session)
        .containsExactly("bot/ann", "campaign/eve");
  }

  // ---- how the queues went

  @Test
  void every_minute_leaves_a_row() {
    world.start();
    Instant start = world.time.instant();
    world.postrider().onInbound((_, turn) -> turn.reply("re"));
    world.pass(seconds(10));
    write("ann", "one");
    world.platform.then(REFUSED);
    world.send("bob", "two");
    world.platform.then(rejected());
    world.send("cid", "three");
    world.pass(minutes(2));

    List<QueueMinute> minutes = world.postrider().minutes(start, 10);
    assertThat(minutes).hasSize(2);
    QueueMinute first = minutes.getFirst();
    assertThat(first.at()).isEqualTo(start);
    assertThat(first.inbound()).isEqualTo(new QueueMinute.Flow(0, 0, 0, 1, 1, 0, 0));
    assertThat(first.outbound()).isEqualTo(new QueueMinute.Flow(0, 0, 1, 3, 2, 2, 1));
    assertThat(minutes.getLast().outbound()).isEqualTo(new QueueMinute.Flow(0, 0, 1, 0, 0, 0, 0));
    world.time.jump(Duration.ofDays(31));
    world.pass(minutes(10));
    assertThat(world.postrider().minutes(start, 100))
        .isNotEmpty()
        .allSatisfy(minute -> assertThat(minute.at()).isAfter(start.plus(Duration.ofDays(30))));
  }
}
