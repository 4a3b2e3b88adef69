package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes take events in, hand them out and follow their results, at the same moment. */
class InboundLeaseNodesTest {
  private final InboundFixture fixture = new InboundFixture();
  private final Random random = new Random(7);
  private long deadlocks;
  private Store one;
  private Store two;
  private Lease lease;

  @BeforeEach
  void open() throws SQLException {
    deadlocks = fixture.deadlocks();
    one = fixture.open("one");
    two = fixture.open("two");
    lease = fixture.await(one.acquire("bot", "one")).orElseThrow();
  }

  @AfterEach
  void nothingIsWrong() throws SQLException {
    List<String> wrong = fixture.wrong();
    one.close();
    two.close();
    long waited = fixture.deadlocks() - deadlocks;
    fixture.close();
    assertThat(wrong).isEmpty();
    assertThat(waited).isZero();
  }

  private <T> T await(CompletableFuture<T> future) {
    return fixture.await(future);
  }

  private static <T> List<T> shuffled(List<T> items, Random random) {
    List<T> all = new ArrayList<>(items);
    Collections.shuffle(all, random);
    return all;
  }

  private static List<String> sessions(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("s" + i);
    }
    return names;
  }

  // ---- taking in

  @Test
  void of_events_that_both_add_to_a_session_at_once_one_is_the_head() throws SQLException {
    List<String> names = sessions(200);
    for (int round = 0; round < 5; round++) {
      List<CompletableFuture<?>> writes = new ArrayList<>();
      for (Store store : List.of(one, two)) {
        List<NewInbound> events = shuffled(names, random).stream().map(fixture::event).toList();
        writes.add(store.receive("bot", events, null));
      }
      writes.forEach(this::await);
    }

    assertThat(fixture.count("SELECT count(*) FROM inbox")).isEqualTo(2000);
    assertThat(fixture.count("SELECT count(*) FROM inbox WHERE head = 1")).isEqualTo(200);
    assertThat(fixture.wrong()).isEmpty();
  }

  @Test
  void a_session_is_not_begun_by_an_event_that_is_known() {
    NewInbound event = fixture.event("s");
    NewInbound again = fixture.event("other name", event.arrival().platformId());

    await(one.receive("bot", List.of(event), null));
    await(two.receive("bot", List.of(again), null));

    assertThat(two.inboundStore().session("s")).isPresent();
    assertThat(two.inboundStore().session("other name")).isEmpty();
  }

  // ---- handing out

  @Test
  void what_both_hand_out_at_once_is_handed_out_once_and_in_order() {
    List<String> names = sessions(40);
    for (int i = 0; i < 5; i++) {
      await(one.receive("bot", names.stream().map(fixture::event).toList(), null));
    }

    Map<String, Long> last = new HashMap<>();
    Set<InboundId> handedOut = new HashSet<>();
    while (handedOut.size() < 200) {
      List<CompletableFuture<List<StoredInbound>>> wishes = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        wishes.add((i % 2 == 0 ? one : two).inboundStore().lease(fixture.wish(7)));
      }
      List<StoredInbound> events = wishes.stream().flatMap(wish -> await(wish).stream()).toList();
      assertThat(events).hasSizeGreaterThanOrEqualTo(1);
      assertThat(events).extracting(StoredInbound::sessionId).doesNotHaveDuplicates();
      for (StoredInbound inbound : events) {
        assertThat(handedOut.add(inbound.id())).isTrue();
        assertThat(inbound.row()).isGreaterThan(last.getOrDefault(inbound.sessionId(), 0L));
        last.put(inbound.sessionId(), inbound.row());
      }
      List<CompletableFuture<CompletionResult>> backs = new ArrayList<>();
      for (StoredInbound inbound : shuffled(events, random)) {
        backs.add(
            (random.nextBoolean() ? one : two)
                .inboundStore()
                .complete(InboundFixture.handled(inbound)));
      }
      backs.forEach(back -> assertThat(await(back).applied()).isTrue());
    }
  }

  @Test
  void whoever_wants_more_than_is_free_passes_by_what_another_is_taking() {
    await(one.receive("bot", sessions(100).stream().map(fixture::event).toList(), null));

    var first = one.inboundStore().lease(fixture.wish(60));
    var second = two.inboundStore().lease(fixture.wish(60));

    assertThat(await(first).size() + await(second).size()).isEqualTo(100);
  }

  @Test
  void an_event_that_both_give_back_is_given_back_once() {
    List<StoredInbound> events = new ArrayList<>();
    for (String name : sessions(50)) {
      fixture.hear(one, name);
    }
    events.addAll(await(two.inboundStore().lease(fixture.wish(50))));

    Map<StoredInbound, Integer> applied = new HashMap<>();
    List<Runnable> checks = new ArrayList<>();
    for (Store store : List.of(one, two)) {
      for (StoredInbound inbound : shuffled(events, random)) {
        var back =
            store
                .inboundStore()
                .complete(InboundFixture.handled(inbound, fixture.answer(inbound.id())));
        checks.add(() -> applied.merge(inbound, await(back).applied() ? 1 : 0, Integer::sum));
      }
    }
    checks.forEach(Runnable::run);

    assertThat(applied).hasSize(50);
    assertThat(applied.values()).containsOnly(1);
    assertThat(one.inboundStore().unfollowed(null, 100).next()).isNull();
    assertThat(await(one.depths())).allMatch(depth -> depth.waiting() == 0);
  }

  @Test
  void the_answers_of_a_lease_that_is_over_are_not_accepted() throws SQLException {
    fixture.hear(one, "s");
    StoredInbound inbound = fixture.handOut(one);
    await(two.inboundStore().complete(InboundFixture.back(inbound, InboundStatus.PENDING)));

    CompletionResult late =
        await(
            one.inboundStore()
                .complete(InboundFixture.handled(inbound, fixture.answer(inbound.id()))));

    assertThat(late).isEqualTo(CompletionResult.STALE);
    assertThat(fixture.count("SELECT count(*) FROM message")).isZero();
  }

  @Test
  void an_answer_given_where_its_account_is_not_worked_arrives() {
    fixture.hear(one, "s");
    StoredInbound inbound = fixture.handOut(two);

    CompletionResult back =
        await(
            two.inboundStore()
                .complete(InboundFixture.handled(inbound, fixture.answer(inbound.id()))));

    assertThat(back.applied()).isTrue();
    assertThat(back.turn()).isNull();
    assertThat(back.answers()).hasOnlyElementsOfType(AcceptResult.Stored.class);
    assertThat(((AcceptResult.Stored) back.answers().getFirst()).head()).isNull();
  }

  @Test
  void a_dead_letter_that_both_replay_is_replayed_once() {
    InboundId dead = fixture.hear(one, "s");
    await(
        one.inboundStore()
            .complete(InboundFixture.back(fixture.handOut(one), InboundStatus.FAILED)));

    List<CompletableFuture<Optional<StoredInbound>>> replays = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Store store = i % 2 == 0 ? one : two;
      replays.add(store.inboundStore().replay(dead, fixture.nextId(), InboundFixture.NOW));
    }

    assertThat(replays.stream().filter(each -> await(each).isPresent())).hasSize(1);
    assertThat(two.inboundStore().session("s").orElseThrow().waiting()).isEqualTo(1);
  }

  // ---- turns

  /** Withdraws the messages: an end that takes no sending. */
  private List<MessageId> endedAnswers(InboundId turn, int count) {
    List<NewMessage> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(fixture.answer(turn));
    }
    answers.stream().map(one::accept).toList().forEach(this::await);
    answers.stream()
        .map(answer -> one.cancel(answer.id(), InboundFixture.NOW))
        .toList()
        .forEach(this::await);
    return answers.stream().map(NewMessage::id).toList();
  }

  @Test
  void a_turn_whose_last_messages_both_follow_at_once_ends_once() {
    for (int round = 0; round < 30; round++) {
      InboundId turn = fixture.hear(one, "s");
      StoredInbound inbound = fixture.handOut(one);
      List<MessageId> answers = endedAnswers(turn, 6);
      boolean before = round % 2 == 0;
      if (before) {
        assertThat(await(one.inboundStore().complete(InboundFixture.handled(inbound))).turn())
            .isNull();
      }

      List<CompletableFuture<EndEffects>> follows = new ArrayList<>();
      for (MessageId id : answers) {
        follows.add(
            (follows.size() % 2 == 0 ? one : two).inboundStore().follow(id, InboundFixture.NOW));
      }
      var back = before ? null : two.inboundStore().complete(InboundFixture.handled(inbound));

      List<TurnState> ends = new ArrayList<>();
      for (CompletableFuture<EndEffects> follow : follows) {
        EndEffects followed = await(follow);
        EndEffects.TurnEnd end = followed.turn();
        if (end != null) {
          assertThat(end.id()).isEqualTo(turn);
          ends.add(end.state());
        }
      }
      TurnState byEvent = back == null ? null : await(back).turn();
      if (byEvent != null) {
        ends.add(byEvent);
      }
      assertThat(ends).containsExactly(TurnState.EMPTY);
      assertThat(two.inbound(turn).orElseThrow().handling().turn()).isEqualTo(TurnState.EMPTY);
    }
  }

  @Test
  void a_message_that_both_follow_is_followed_once() throws SQLException {
    InboundId turn = fixture.hear(one, "s");
    StoredInbound inbound = fixture.handOut(one);
    List<MessageId> answers = endedAnswers(turn, 300);
    await(one.inboundStore().complete(InboundFixture.handled(inbound)));

    List<CompletableFuture<EndEffects>> follows = new ArrayList<>();
    for (Store store : List.of(one, two)) {
      shuffled(answers, random)
          .forEach(id -> follows.add(store.inboundStore().follow(id, InboundFixture.NOW)));
    }

    assertThat(follows.stream().filter(each -> await(each).turn() != null)).hasSize(1);
    assertThat(fixture.count("SELECT count(*) FROM follow")).isZero();
  }

  @Test
  void a_turn_ends_although_a_message_of_it_is_discarded_before_it_was_followed() {
    InboundId turn = fixture.hear(one, "s");
    StoredInbound inbound = fixture.handOut(one);
    NewMessage answer = fixture.answer(turn);
    await(one.accept(answer));
    await(one.failQueued("bot", "nobody sends it", InboundFixture.NOW, 9));
    await(one.inboundStore().complete(InboundFixture.handled(inbound)));

    assertThat(await(one.discard(answer.id()))).isTrue();

    assertThat(two.inbound(turn).orElseThrow().handling().turn()).isEqualTo(TurnState.FAILED);
  }

  // ---- sessions that are joined

  @Test
  void sessions_that_are_joined_while_both_work_on_them_lose_nothing() throws SQLException {
    SessionKey key = new SessionKey("{account}/{chat}/{sender}");
    List<String> names = new ArrayList<>();
    sessions(20).forEach(name -> names.addAll(List.of("bot/ann/" + name, "bot/bob/" + name)));
    List<CompletableFuture<?>> writes = new ArrayList<>();
    Set<InboundId> handled = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      for (Store store : List.of(one, two)) { // by former names too, as long as one has not heard
        List<NewInbound> events = shuffled(names, random).stream().map(fixture::event).toList();
        writes.add(store.receive("bot", events, null));
      }
      if (round == 10) {
        writes.add(one.moveLane(lease, "ann", "bob", key, InboundFixture.NOW));
      }
      for (Store store : List.of(one, two)) {
        for (StoredInbound given : await(store.inboundStore().lease(fixture.wish(30)))) {
          Store other = random.nextBoolean() ? one : two;
          boolean done = random.nextInt(4) > 0;
          writes.add(
              other
                  .inboundStore()
                  .complete(
                      done
                          ? InboundFixture.handled(given)
                          : InboundFixture.back(given, InboundStatus.PENDING))
                  .thenAccept(back -> assertThat(back.applied()).isTrue()));
          assertThat(!done || handled.add(given.id())).as("once").isTrue();
        }
      }
    }
    writes.forEach(this::await);
    List<StoredInbound> left = await(one.inboundStore().lease(fixture.wish(99)));
    while (!left.isEmpty()) {
      assertThat(left).extracting(StoredInbound::sessionId).doesNotHaveDuplicates();
      for (StoredInbound given : left) {
        await(two.inboundStore().complete(InboundFixture.handled(given)));
        assertThat(handled.add(given.id())).as("once").isTrue();
      }
      left = await(one.inboundStore().lease(fixture.wish(99)));
    }

    assertThat(handled).hasSize(20 * 2 * names.size());
    assertThat(fixture.count("SELECT count(*) FROM session WHERE moved_to IS NULL")).isEqualTo(20);
    assertThat(fixture.count("SELECT count(*) FROM inbound WHERE session LIKE 'bot/ann/%'"))
        .isZero();
  }
}
