package dev.postrider.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Inbox;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.SessionKey;
import dev.postrider.event.Event;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people write is given to whoever handles it, in order, and again if they fail. */
public abstract class InboundHandling extends InboundBehaviour {

  @SuppressWarnings("NullAway.Init") // made before each test
  private FlakyStore disk;

  private final List<String> handled = new ArrayList<>();

  @BeforeEach
  void behindABadDisk() {
    disk = new FlakyStore(world.time);
    World plain = world;
    world = new World(time -> disk.around(openStore(folder, time)), plain.time, plain.platform, 1);
    steadyBackoff();
    inbound(settings -> settings.jitter = 0);
  }

  private void desk(long maxDepth, int concurrency) {
    world.configure(
        config ->
            config.inboundQueue(
                new InboundQueueSettings(maxDepth, concurrency, Duration.ofSeconds(30))));
  }

  private static UUID leaseOf(StoredInbound inbound) {
    return Objects.requireNonNull(inbound.handling().lease());
  }

  private Duration since(Instant moment) {
    return Duration.between(moment, world.time.instant());
  }

  // ---- to a handler

  @Test
  void a_handler_gets_what_is_written_in_order() {
    world.start();
    write("ann", "before");
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.time.settle();
    StoredInbound last = write("ann", "after");

    assertThat(handled).containsExactly("before", "after");
    assertThat(now(last).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(now(last).handling().turn()).isEqualTo(TurnState.EMPTY);
    assertThat(world.events(Event.InboundHandled.class)).hasSize(2);
    assertThat(world.events(Event.TurnEnded.class))
        .extracting(Event.TurnEnded::state)
        .containsOnly("empty");
  }

  @Test
  void a_session_waits_for_its_first_message_and_others_do_not() {
    CompletableFuture<Void> annsFirst = new CompletableFuture<>();
    world.start();
    world
        .postrider()
        .onInbound(
            (message, _) -> {
              if (text(message).equals("a1")) {
                world.time.await(annsFirst);
              }
              handled.add(text(message));
            });
    write("ann", "a1");
    write("ann", "a2");
    write("ann", "7", "a thread is a session of its own");
    write("bob", "b1");
    assertThat(handled).containsExactly("a thread is a session of its own", "b1");

    annsFirst.complete(null);
    world.time.settle();

    assertThat(handled).endsWith("a1", "a2");
  }

  @Test
  void no_more_are_handled_at_once_than_there_are_hands() {
    desk(100, 2);
    List<CompletableFuture<Void>> open = new ArrayList<>();
    world.start();
    world
        .postrider()
        .onInbound(
            (_, _) -> {
              CompletableFuture<Void> done = new CompletableFuture<>();
              open.add(done);
              world.time.await(done);
            });
    for (int i = 0; i < 5; i++) {
      write("chat" + i, "hi");
    }
    assertThat(open).hasSize(2);

    open.getFirst().complete(null);
    world.time.settle();
    assertThat(open).hasSize(3);
    assertThat(world.postrider().stats().inbound().leased()).isEqualTo(2);
    assertThat(world.postrider().stats().inbound().waiting()).isEqualTo(4);
  }

  @Test
  void a_handler_is_given_the_accounts_it_asks_for() {
    world.configure(config -> config.account(AccountConfig.of("other", "fake")));
    world.start();
    world.postrider().onInbound(Set.of("other"), (message, _) -> handled.add(text(message)));
    write("ann", "hi");

    assertThat(handled).isEmpty();
    assertThat(refusal(() -> world.postrider().onInbound(Set.of("othre"), (_, _) -> {})))
        .hasMessageContaining("other");
  }

  @Test
  void a_handler_that_is_closed_gets_nothing_more() throws Exception {
    world.start();
    AutoCloseable registration =
        world.postrider().onInbound((message, _) -> handled.add(text(message)));
    write("ann", "one");
    registration.close();
    write("ann", "two");
    world.pass(minutes(2));

    assertThat(handled).containsExactly("one");
  }

  @Test
  void a_long_handler_keeps_its_message() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    world.start();
    world
        .postrider()
        .onInbound(
            (message, _) -> {
              handled.add(text(message));
              world.time.await(done);
            });
    StoredInbound inbound = write("ann", "think about it");
    world.pass(hours(3));
    assertThat(handled).hasSize(1);

    done.complete(null);
    world.time.settle();
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(now(inbound).handling().attempts()).isEqualTo(1);
  }

  @Test
  void stopping_waits_for_what_is_being_handled() {
    world.start();
    world
        .postrider()
        .onInbound(
            (message, turn) -> {
              world.time.pause(seconds(3));
              turn.reply("done with " + text(message));
            });
    StoredInbound inbound = write("ann", "work");
    world.stop();
    world.start();

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(caused(inbound)).hasSize(1);
  }

  // ---- again

  @Test
  void a_message_that_cannot_be_handled_comes_again_and_is_a_dead_letter_in_the_end() {
    List<Duration> attempts = new ArrayList<>();
    world.start();
    Instant start = world.time.instant();
    world
        .postrider()
        .onInbound(
            (message, _) -> {
              if (text(message).equals("bad")) {
                attempts.add(since(start));
                throw new IllegalStateException("no sense, attempt " + (attempts.size()));
              }
              handled.add(text(message) + " after " + since(start).toSeconds());
            });
    StoredInbound bad = write("ann", "bad");
    write("ann", "good");
    write("bob", "not delayed");
    world.pass(minutes(10));

    assertThat(attempts)
        .containsExactly(
            Duration.ZERO, seconds(1), seconds(6), seconds(31), seconds(31).plus(minutes(2)));
    assertThat(handled).containsExactly("not delayed after 0", "good after 151");
    assertThat(now(bad).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(now(bad).handling().turn()).isEqualTo(TurnState.FAILED);
    assertThat(now(bad).handling().error()).isEqualTo("no sense, attempt 5");
    List<InboundNote> notes = world.postrider().inbox().notes(bad.id());
    assertThat(notes).extracting(InboundNote::attempt).containsExactly(1, 2, 3, 4, 5);
    assertThat(notes.getFirst().nextAt()).isEqualTo(start.plusSeconds(1));
    assertThat(notes.getLast().nextAt()).isNull();
    assertThat(world.postrider().stats().inbound().deadLetters()).isEqualTo(1);
  }

  @Test
  void backoff_and_attempts_are_the_accounts_own() {
    inbound(
        settings -> {
          settings.backoff = List.of(seconds(3));
          settings.maxAttempts = 2;
        });
    world.start();
    world
        .postrider()
        .onInbound(
            (_, _) -> {
              throw new IOException();
            });
    StoredInbound inbound = write("ann", "hi");
    world.pass(seconds(3));

    assertThat(now(inbound).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(now(inbound).handling().error()).isEqualTo("IOException");
  }

  @Test
  void jitter_varies_when_a_message_comes_again() {
    inbound(settings -> settings.jitter = 0.5);
    world.start();
    Set<Duration> delays = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      StoredInbound inbound = write("chat" + i, "hi");
      world.postrider().inbox().nack(leaseOf(lease(minutes(1))), "busy", null);
      delays.add(Duration.between(world.time.instant(), now(inbound).handling().dueAt()));
    }

    assertThat(delays)
        .hasSizeGreaterThan(1)
        .allSatisfy(delay -> assertThat(delay).isBetween(millis(500), millis(1500)));
  }

  @Test
  void the_lease_of_a_handler_is_as_long_as_configured() {
    world.configure(config -> config.inboundQueue(new InboundQueueSettings(100, 1, seconds(9))));
    world.start();
    world.postrider().onInbound((_, _) -> world.time.await(new CompletableFuture<>()));
    StoredInbound inbound = write("ann", "hi");

    assertThat(now(inbound).handling().dueAt()).isEqualTo(world.time.instant().plusSeconds(9));
  }

  @Test
  void a_dead_letter_can_be_replayed_once_or_discarded() {
    inbound(settings -> settings.maxAttempts = 1);
    world.start();
    StoredInbound first = write("ann", "one");
    StoredInbound second = write("bob", "two");
    for (StoredInbound inbound : leaseAll(minutes(1), 2)) {
      world.postrider().inbox().nack(leaseOf(inbound), "not today", null);
    }
    assertThat(refusal(() -> world.postrider().inbox().discard(write("x", "y").id())).why())
        .isEqualTo(Refused.Cause.CONFLICT);

    StoredInbound again = world.postrider().inbox().replay(first.id());
    world.postrider().inbox().discard(second.id());
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.time.settle();

    assertThat(handled).contains("one").doesNotContain("two");
    assertThat(again.replayOf()).isEqualTo(first.id());
    assertThat(now(first).replayedAs()).isEqualTo(again.id());
    assertThat(now(second).status()).isEqualTo(InboundStatus.DISCARDED);
    assertThat(refusal(() -> world.postrider().inbox().replay(first.id())))
        .hasMessageContaining(again.id().toString());
    assertThat(world.postrider().stats().inbound().deadLetters()).isEqualTo(1);
  }

  @Test
  void what_is_replayed_or_told_again_is_not_taken_for_new() {
    world.start();
    write("ann", "one");
    tell(1, "ann", null, "one");
    world.time.settle();

    assertThat(leaseAll(minutes(1), 10)).hasSize(1);
    assertThat(leaseAll(minutes(1), 10)).isEmpty();
  }

  // ---- to somebody outside

  @Test
  void whoever_leases_can_wait_for_a_message() {
    world.start();
    List<StoredInbound> got = new ArrayList<>();
    world.time.start(
        "consumer",
        () -> got.addAll(world.postrider().inbox().lease(Set.of(), 10, minutes(1), seconds(30))));
    world.pass(seconds(10));
    assertThat(got).isEmpty();
    write("ann", "hi");

    assertThat(got).hasSize(1);
    assertThat(got.getFirst().handling().attempts()).isEqualTo(1);
    assertThat(leaseAll(minutes(1), 1)).isEmpty();
  }

  @Test
  void whoever_waits_in_vain_gets_nothing_in_the_end() {
    world.start();
    Instant start = world.time.instant();
    assertThat(world.postrider().inbox().lease(Set.of(), 10, minutes(1), seconds(30))).isEmpty();
    assertThat(since(start)).isEqualTo(seconds(30));
  }

  @Test
  void what_a_person_has_answered_is_handed_to_nobody_when_the_session_goes_on() {
    world.start();
    StoredInbound first = write("ann", "hello?");
    StoredInbound second = write("ann", "anybody?");
    world.postrider().inbox().pause("bot/ann", "a person answers");
    Inbox inbox = world.postrider().inbox();

    Message answer = inbox.replyTo(second).text("Yes, me.").idempotencyKey("draft-1").build();
    inbox.ack(second.id(), List.of(answer));
    assertThat(inbox.ack(second.id(), List.of(answer))).as("said again").hasSize(1);
    StoredInbound third = write("ann", "thank you");
    inbox.resume("bot/ann");

    assertThat(now(first).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(now(second).status()).isEqualTo(InboundStatus.HANDLED);
    world.pass(seconds(1));
    assertThat(caused(second))
        .extracting(said -> said.message().text())
        .containsExactly("Yes, me.");
    assertThat(now(second).handling().turn()).isEqualTo(TurnState.DELIVERED);
    assertThat(leaseAll(minutes(1), 9)).extracting(StoredInbound::id).containsExactly(third.id());
  }

  @Test
  void a_person_handles_nothing_that_a_program_has_or_that_is_handled() {
    world.start();
    StoredInbound first = write("ann", "hello?");
    StoredInbound leased = lease(minutes(1));
    StoredInbound second = write("ann", "anybody?");
    Inbox inbox = world.postrider().inbox();

    assertThat(refusal(() -> inbox.ack(second.id(), List.of())).getMessage())
        .contains("a program has a message of session 'bot/ann'");
    inbox.ack(leaseOf(leased), List.of());
    assertThat(refusal(() -> inbox.ack(first.id(), List.of())).getMessage()).contains("is handled");
    inbox.ack(second.id(), List.of());
    assertThat(leaseAll(minutes(1), 9)).isEmpty();
  }

  @Test
  void what_a_person_took_and_could_not_answer_waits_again() {
    world.start();
    StoredInbound heard = write("ann", "hello?");
    Inbox inbox = world.postrider().inbox();
    Message other = inbox.replyTo(heard).text("one").idempotencyKey("k").build();
    world.send(to("ann", "another").idempotencyKey("k"));

    assertThat(refusal(() -> inbox.ack(heard.id(), List.of(other))).why())
        .isEqualTo(Refused.Cause.KEY_REUSED);

    assertThat(lease(minutes(1)).id()).isEqualTo(heard.id());
  }

  @Test
  void what_is_given_back_is_wanted_after_the_usual_time_or_another() {
    world.start();
    StoredInbound inbound = write("ann", "hi");
    world.postrider().inbox().nack(leaseOf(lease(minutes(1))), "busy", null);
    assertThat(now(inbound).handling().dueAt()).isEqualTo(world.time.instant().plusSeconds(1));
    world.pass(seconds(1));
    world.postrider().inbox().nack(leaseOf(lease(minutes(1))), "busy", minutes(7));
    world.pass(minutes(6));
    assertThat(leaseAll(minutes(1), 1)).isEmpty();
    world.pass(minutes(1));

    assertThat(lease(minutes(1)).handling().attempts()).isEqualTo(3);
  }

  @Test
  void a_lease_can_be_extended_and_is_worth_nothing_once_another_has_the_message() {
    world.start();
    write("ann", "hi");
    UUID first = leaseOf(lease(seconds(30)));
    world.pass(seconds(20));
    world.postrider().inbox().extend(first, seconds(30));
    world.pass(seconds(20));
    assertThat(leaseAll(minutes(1), 1)).isEmpty();
    world.pass(seconds(10)); // it runs out
    UUID second = leaseOf(lease(seconds(30)));

    assertThat(refusal(() -> world.postrider().inbox().ack(first, List.of())).why())
        .isEqualTo(Refused.Cause.CONFLICT);
    assertThat(refusal(() -> world.postrider().inbox().nack(first, "", null)).why())
        .isEqualTo(Refused.Cause.CONFLICT);
    assertThat(refusal(() -> world.postrider().inbox().extend(first, minutes(1))).why())
        .isEqualTo(Refused.Cause.CONFLICT);
    world.postrider().inbox().ack(second, List.of());
  }

  // ---- limits and troubles

  @Test
  void when_too_much_waits_platforms_are_asked_to_come_again() {
    desk(2, 1);
    world.start();
    write("ann", "one");
    write("bob", "two");
    assertThat(refusal(() -> tell(77, "eve", null, "three")).why())
        .isEqualTo(Refused.Cause.QUEUE_FULL);
    crashAndStart();
    assertThat(refusal(() -> tell(77, "eve", null, "three")).why())
        .isEqualTo(Refused.Cause.QUEUE_FULL);

    world.postrider().inbox().ack(leaseOf(lease(minutes(1))), List.of());
    tell(77, "eve", null, "three");
    world.time.settle();

    assertThat(events()).extracting(InboundHandling::text).containsExactly("one", "two", "three");
  }

  @Test
  void what_was_handled_while_the_store_is_away_is_said_when_it_is_back() {
    world.start();
    world
        .postrider()
        .onInbound(
            (message, turn) -> {
              handled.add(text(message));
              turn.answer("yes");
              disk.failWrites(true);
            });
    StoredInbound inbound = write("ann", "hi");
    world.pass(minutes(5));
    disk.failWrites(false);
    world.pass(minutes(1));

    assertThat(handled).containsExactly("hi");
    assertThat(now(inbound).status()).isEqualTo(InboundStatus.HANDLED);
    assertThat(caused(inbound)).hasSize(1);
  }

  // ---- sessions

  @Test
  void a_paused_session_is_held_back_and_goes_on_when_it_is_resumed() {
    world.start();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    write("ann", "one");
    world.postrider().inbox().pause("bot/ann", "a person looks");
    write("ann", "two");
    write("bob", "b1");
    assertThat(handled).containsExactly("one", "b1");
    crashAndStart();
    world.postrider().onInbound((message, _) -> handled.add(text(message)));
    world.pass(minutes(1));
    assertThat(handled).containsExactly("one", "b1");

    world.postrider().inbox().resume("bot/ann");
    world.time.settle();

    assertThat(handled).containsExactly("one", "b1", "two");
    assertThat(refusal(() -> world.postrider().inbox().pause("nobody", "")).why())
        .isEqualTo(Refused.Cause.NOT_FOUND);
    assertThat(world.events(Event.SessionPaused.class)).hasSize(1);
    assertThat(world.events(Event.SessionResumed.class)).hasSize(1);
  }

  @Test
  void sessions_are_named_as_the_account_wants() {
    inbound(settings -> settings.session = new SessionKey("{sender}/{thread}"));
    world.start();

    assertThat(write("ann", "hi").sessionId()).isEqualTo("u-ann");
    assertThat(write("ann", "7", "hi").sessionId()).isEqualTo("u-ann/7");
  }
}
