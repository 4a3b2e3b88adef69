package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events that nobody could handle: found, taken in again, let go. */
abstract class InboundDeadLetters extends InboundStoreBehaviour {
  InboundDeadLetters(StoreContract contract) {
    super(contract);
  }

  private static InboundId nextId() {
    return new InboundId(nextLease());
  }

  private Optional<StoredInbound> replay(InboundId dead, InboundId as, long second) {
    return done(desk().replay(dead, as, at(second)));
  }

  private boolean discard(InboundId id) {
    return done(desk().discard(id, at(50)));
  }

  // ---- replay

  @Test
  void a_dead_letter_is_taken_in_again_as_a_new_event() {
    InboundId dead = dead("s", 0);
    StoredInbound before = event(dead);
    InboundId as = nextId();

    StoredInbound taken = replay(dead, as, 5).orElseThrow();

    assertThat(taken)
        .isEqualTo(
            new StoredInbound(
                taken.row(),
                as,
                "bot",
                "s",
                before.arrival(),
                at(5),
                InboundStatus.PENDING,
                HandlingState.waiting(at(5)),
                dead,
                null));
    assertThat(taken.row()).isGreaterThan(before.row());
    assertThat(event(as)).isEqualTo(taken);
    assertThat(event(dead))
        .isEqualTo(
            new StoredInbound(
                before.row(),
                dead,
                "bot",
                "s",
                before.arrival(),
                at(0),
                InboundStatus.FAILED,
                before.handling(),
                null,
                as));
    assertThat(desk().notes(as)).isEmpty();
    reopen();
    assertThat(event(as)).isEqualTo(taken);
    handled(handOut(as, 6), 7);
    assertThat(turn(as)).isEqualTo(TurnState.EMPTY);
    assertThat(turn(dead)).isEqualTo(TurnState.FAILED);
  }

  @Test
  void a_dead_letter_is_taken_in_again_once() {
    InboundId dead = dead("s", 0);
    InboundId as = nextId();
    replay(dead, as, 1);

    InboundId second = nextId();
    assertThat(replay(dead, second, 2)).isEmpty();

    assertThat(store.inbound(second)).isEmpty();
    assertThat(event(dead).replayedAs()).isEqualTo(as);
  }

  @Test
  void what_is_no_dead_letter_is_not_taken_in_again() {
    InboundId waiting = hear("waiting", 0);
    assertThat(replay(waiting, nextId(), 1)).isEmpty();
    StoredInbound given = handOut(waiting, 1);
    assertThat(replay(waiting, nextId(), 1)).isEmpty();
    handled(given, 2);
    assertThat(replay(waiting, nextId(), 3)).isEmpty();
    InboundId dead = dead("s", 3);
    discard(dead);
    assertThat(replay(dead, nextId(), 4)).isEmpty();
    assertThat(replay(nextId(), nextId(), 4)).isEmpty();

    assertThat(handOut(99)).isEmpty();
  }

  @Test
  void what_is_taken_in_again_goes_to_the_end_of_its_session() {
    InboundId dead = hear("s", 0);
    InboundId next = hear("s", 0);
    failed(handOut(dead, 1), 1);
    InboundId as = nextId();
    replay(dead, as, 2);
    InboundId last = hear("s", 3);

    for (InboundId id : List.of(next, as, last)) {
      handled(handOut(id, 5), 5);
    }
    assertThat(desk().session("s").orElseThrow().waiting()).isZero();
  }

  @Test
  void what_was_taken_in_again_and_failed_again_can_be_once_more() {
    InboundId dead = dead("s", 0);
    InboundId second = nextId();
    replay(dead, second, 1);
    failed(handOut(second, 2), 2);
    InboundId third = nextId();

    assertThat(replay(second, third, 3).orElseThrow().replayOf()).isEqualTo(second);

    assertThat(event(second).replayOf()).isEqualTo(dead);
    assertThat(event(second).replayedAs()).isEqualTo(third);
    handled(handOut(third, 4), 4);
  }

  @Test
  void the_platforms_event_is_known_as_the_first_whatever_became_of_it() {
    NewInbound event = said("s", at(0));
    hear("bot", event);
    failed(handOut(event.id(), 1), 1);
    ReceiveResult known = new ReceiveResult(event.id(), false);
    replay(event.id(), nextId(), 2);
    assertThat(done(store.receive("bot", List.of(event), null))).containsExactly(known);

    discard(event.id());

    assertThat(done(store.receive("bot", List.of(event), null))).containsExactly(known);
  }

  @Test
  void of_many_who_replay_the_same_dead_letter_one_does() {
    InboundId dead = dead("s", 0);
    List<CompletableFuture<Optional<StoredInbound>>> writes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      writes.add(desk().replay(dead, nextId(), at(1)));
    }

    List<StoredInbound> taken = writes.stream().map(this::done).flatMap(Optional::stream).toList();

    assertThat(taken).hasSize(1);
    assertThat(event(dead).replayedAs()).isEqualTo(taken.getFirst().id());
    assertThat(handOutIds(2)).containsExactly(taken.getFirst().id());
  }

  // ---- discard

  @Test
  void a_dead_letter_can_be_let_go() {
    InboundId dead = dead("s", 0);
    StoredInbound before = event(dead);

    assertThat(discard(dead)).isTrue();

    assertThat(event(dead).status()).isEqualTo(InboundStatus.DISCARDED);
    assertThat(event(dead).handling()).isEqualTo(before.handling());
    assertThat(discard(dead)).isFalse();
  }

  @Test
  void what_is_no_dead_letter_is_not_let_go() {
    InboundId id = hear("s", 0);
    assertThat(discard(id)).isFalse();
    StoredInbound given = handOut(id, 1);
    assertThat(discard(id)).isFalse();
    handled(given, 2);
    assertThat(discard(id)).isFalse();
    assertThat(discard(nextId())).isFalse();
    assertThat(status(id)).isEqualTo(InboundStatus.HANDLED);
  }

  @Test
  void a_dead_letter_that_was_replayed_can_be_let_go_too() {
    InboundId dead = dead("s", 0);
    InboundId as = nextId();
    replay(dead, as, 1);

    assertThat(discard(dead)).isTrue();

    handled(handOut(as, 2), 2);
  }

  // ---- lists and counts

  @Test
  void events_are_listed_by_where_they_stand() {
    Map<InboundStatus, List<InboundId>> expected = new HashMap<>();
    for (InboundStatus status : InboundStatus.values()) {
      expected.put(status, new ArrayList<>());
    }
    for (int i = 0; i < 25; i++) {
      InboundStatus status = InboundStatus.values()[(i * 3) % 5];
      String account = i % 2 == 0 ? "bot" : "other";
      InboundId id = hear(account, "s" + i, 0);
      bringTo(status, id, account);
      present(expected.get(status)).addFirst(id);
    }

    expected.forEach(
        (status, ids) -> {
          for (int limit : List.of(1, 2, 5, 30)) {
            assertThat(walk(new InboundFilter(null, null, status), limit)).isEqualTo(ids);
            assertThat(walk(new InboundFilter("bot", null, status), limit))
                .isEqualTo(ids.stream().filter(id -> event(id).account().equals("bot")).toList());
            assertThat(walk(new InboundFilter(null, "s7", status), limit))
                .isEqualTo(ids.stream().filter(id -> event(id).sessionId().equals("s7")).toList());
          }
        });
  }

  private void bringTo(InboundStatus status, InboundId id, String account) {
    if (status == InboundStatus.PENDING) {
      done(desk().pauseSession(event(id).sessionId(), "stay", at(0)));
      return;
    }
    StoredInbound given = handOut(1, at(1), account).getFirst();
    assertThat(given.id()).isEqualTo(id);
    switch (status) {
      case PENDING, LEASED -> {}
      case HANDLED -> handled(given, 2);
      case FAILED -> failed(given, 2);
      case DISCARDED -> {
        failed(given, 2);
        discard(id);
      }
    }
  }

  private List<InboundId> walk(InboundFilter filter, int limit) {
    List<InboundId> all = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      Page<StoredInbound> page = store.inbound(filter, cursor, limit);
      all.addAll(ids(page.items()));
      cursor = page.next();
      if (cursor != null) {
        assertThat(page.items()).as("a page before the last").hasSize(limit);
      }
      assertThat(all).as("a list that ends").hasSizeLessThan(1_000);
    } while (cursor != null);
    return all;
  }

  @Test
  void depths_count_events_that_wait_and_dead_ones() {
    hear("a", 0);
    hear("a", 0);
    handOut(1, at(1), "bot"); // still waits to be handled
    dead("b", 2);
    handled(handOut(hear("c", 3), 3), 3);
    InboundId gone = dead("d", 4);
    discard(gone);
    replay(dead("e", 5), nextId(), 6);
    hear("only events here", "x", 7);
    accept(to("ann"));
    lease("no events here");
    accept(MessageDraft.to("no events here", "ann"));

    assertThat(done(store.depths()))
        .containsExactlyInAnyOrder(
            new QueueDepth("bot", 1, 0, 3, 2),
            new QueueDepth("only events here", 0, 0, 1, 0),
            new QueueDepth("no events here", 1, 0, 0, 0));
  }
}
