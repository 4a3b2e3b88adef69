package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Handing out events: one of a session at a time, in order, each attempt counted. */
abstract class InboundLeasing extends InboundStoreBehaviour {
  InboundLeasing(StoreContract contract) {
    super(contract);
  }

  // ---- who is handed out

  @Test
  void an_event_is_handed_out_under_a_lease_and_counted() {
    InboundId id = hear("s", 1);
    StoredInbound before = event(id);

    StoredInbound given = handOut(id, 5);

    HandlingState handling = given.handling();
    assertThat(handling)
        .isEqualTo(
            new HandlingState(
                1,
                0,
                at(5 + LEASE),
                present(handling.lease()),
                at(5),
                null,
                null,
                TurnState.OPEN,
                null));
    assertThat(given)
        .isEqualTo(
            new StoredInbound(
                before.row(),
                id,
                "bot",
                "s",
                before.arrival(),
                at(1),
                InboundStatus.LEASED,
                handling,
                null,
                null));
    assertThat(event(id)).isEqualTo(given);
    assertThat(desk().leased(present(handling.lease()))).contains(given);
    assertThat(desk().leased(nextLease())).isEmpty();
  }

  @Test
  void an_attempt_is_counted_before_anybody_hears_of_it() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);

    reopen();

    assertThat(event(id)).isEqualTo(given);
    assertThat(desk().leased(present(given.handling().lease()))).contains(given);
    assertThat(handOut(2)).isEmpty();
    again(given, 3, 3);
    assertThat(handOut(id, 4).handling().attempts()).isEqualTo(2);
  }

  // ---- by hand

  private Optional<StoredInbound> take(InboundId upTo, long second) {
    return done(desk().take(event(upTo), nextLease(), at(second), at(second + LEASE)));
  }

  @Test
  void a_person_takes_the_first_that_waits_up_to_the_one_in_question() {
    InboundId first = hear("s", 1);
    InboundId second = hear("s", 2);
    InboundId third = hear("s", 3);
    InboundId elsewhere = hear("t", 1);

    StoredInbound taken = take(second, 10).orElseThrow();

    assertThat(taken.id()).isEqualTo(first);
    assertThat(taken.status()).isEqualTo(InboundStatus.LEASED);
    assertThat(taken.handling().attempts()).isEqualTo(1);
    assertThat(taken.handling().turn()).isEqualTo(TurnState.OPEN);
    assertThat(taken.handling().dueAt()).isEqualTo(at(10 + LEASE));
    assertThat(event(first)).isEqualTo(taken);
    assertThat(take(second, 10)).as("somebody has it").isEmpty();
    assertThat(handOutIds(10)).containsExactly(elsewhere);
    handled(taken, 11);
    handled(take(second, 12).orElseThrow(), 12);
    assertThat(take(second, 13)).as("the first that waits has come later").isEmpty();
    assertThat(status(third)).isEqualTo(InboundStatus.PENDING);
    assertThat(take(third, 14).orElseThrow().id()).isEqualTo(third);
  }

  @Test
  void a_person_takes_what_is_not_due_and_what_is_held_back_too() {
    InboundId id = hear("s", 1);
    again(handOut(id, 2), 3, 1_000);
    assertThat(handOut(4)).isEmpty();
    done(desk().pauseSession("s", "a person answers", at(5)));

    StoredInbound taken = take(id, 6).orElseThrow();
    handled(taken, 7);

    assertThat(status(id)).isEqualTo(InboundStatus.HANDLED);
    InboundId next = hear("s", 8);
    assertThat(handOut(9)).as("the session is still held back").isEmpty();
    StoredInbound other = take(next, 10).orElseThrow();
    again(other, 11, 11);
    assertThat(handOut(12)).isEmpty();
    done(desk().resumeSession("s"));
    handOut(next, 13);
  }

  @Test
  void whoever_wishes_for_nothing_or_of_nobody_is_given_nothing() {
    assertThat(handOut(1)).isEmpty();
    hear("s", 0);

    assertThat(handOut(0, at(1), "bot")).isEmpty();
    assertThat(handOut(5, at(1))).isEmpty();
    assertThat(handOut(5, at(1), "nobody")).isEmpty();
    assertThat(handOut(5, at(1), "nobody", "bot")).hasSize(1);
  }

  @Test
  void events_of_a_session_go_one_by_one_in_the_order_in_which_they_came() {
    List<InboundId> came = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      came.add(hear("s", 5 - i)); // whatever the clock says
    }

    List<InboundId> went = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      List<StoredInbound> given = handOut(10 + i);
      assertThat(given).hasSize(1);
      assertThat(handOut(10 + i)).isEmpty();
      went.add(given.getFirst().id());
      handled(given.getFirst(), 10 + i);
    }

    assertThat(went).isEqualTo(came);
    assertThat(handOut(20)).isEmpty();
  }

  @Test
  void what_comes_for_a_session_that_is_at_work_waits() {
    InboundId first = hear("s", 0);
    StoredInbound given = handOut(first, 1);
    InboundId second = hear("s", 2);

    assertThat(handOut(3)).isEmpty();
    handled(given, 4);

    handOut(second, 4);
  }

  @Test
  void sessions_go_side_by_side() {
    InboundId one = hear("one", 0);
    hear("one", 0);
    InboundId two = hear("two", 0);
    InboundId three = hear("three", 0);

    assertThat(handOutIds(1)).containsExactlyInAnyOrder(one, two, three);
  }

  @Test
  void no_more_are_handed_out_than_were_wished_for_the_longest_due_first() {
    hear("c", 3);
    InboundId a = hear("a", 1);
    InboundId b = hear("b", 2);

    assertThat(ids(handOut(2, at(9), "bot"))).containsExactly(a, b);
  }

  @Test
  void nothing_is_handed_out_before_it_is_due() {
    hear("later", 7);
    InboundId now = hear("now", 6);

    handOut(now, 6);
  }

  @Test
  void what_came_before_the_clock_was_set_back_is_due_and_what_failed_waits_for_its_time() {
    InboundId failed = hear("s", 60);
    again(handOut(failed, 100), 100, 150);
    InboundId early = hear("t", 160);
    hear("u", 171);

    List<StoredInbound> given = done(desk().lease(wish(9, at(90), at(170), null, "bot")));

    assertThat(ids(given)).containsExactly(early);
    assertThat(given.getFirst().handling().handedOutAt()).isEqualTo(at(90));
    assertThat(ids(done(desk().lease(wish(9, at(150), at(170), null, "bot")))))
        .containsExactly(failed);
  }

  @Test
  void only_events_of_the_accounts_in_question_are_handed_out() {
    InboundId ours = hear("bot", "a", 0);
    InboundId theirs = hear("other", "b", 0);
    hear("third", "c", 0);

    assertThat(ids(handOut(9, at(1), "other"))).containsExactly(theirs);
    assertThat(ids(handOut(9, at(1), "other", "bot"))).containsExactly(ours);
  }

  @Test
  void an_account_with_a_long_backlog_does_not_keep_another_waiting() {
    for (int i = 0; i < 9; i++) {
      hear("bot", "b" + i, 0);
      hear("other", "o" + i, 5);
    }

    assertThat(handOut(4, at(9), "bot", "other"))
        .extracting(StoredInbound::account)
        .containsExactlyInAnyOrder("bot", "bot", "other", "other");
  }

  @Test
  void whoever_takes_one_at_a_time_gets_some_of_every_account() {
    for (int i = 0; i < 9; i++) {
      hear("bot", "b" + i, 0);
      hear("other", "o" + i, 5);
    }

    Set<String> accounts = new HashSet<>();
    for (int i = 0; i < 6; i++) {
      accounts.add(handOut(1, at(9), "bot", "other").getFirst().account());
    }

    assertThat(accounts).containsExactlyInAnyOrder("bot", "other");
  }

  @Test
  void a_session_may_have_several_accounts_and_is_one_lane() {
    InboundId first = hear("bot", "s", 0);
    InboundId second = hear("other", "s", 0);

    assertThat(handOut(9, at(1), "other")).isEmpty();
    handled(handOut(first, 2), 3);

    assertThat(ids(handOut(9, at(4), "other"))).containsExactly(second);
  }

  @Test
  void whoever_comes_first_in_his_session_now_queues_up_behind_the_others() {
    InboundId first = hear("s", 0);
    InboundId second = hear("s", 1);
    InboundId other = hear("t", 2);
    StoredInbound given = handOut(1, at(3), "bot").getFirst();
    assertThat(given.id()).isEqualTo(first);

    handled(given, 4);

    assertThat(event(second).handling().dueAt()).isEqualTo(at(4));
    assertThat(ids(handOut(1, at(5), "bot"))).containsExactly(other);
    assertThat(ids(handOut(1, at(5), "bot"))).containsExactly(second);
  }

  // ---- giving back

  @Test
  void what_is_handled_has_ended() {
    StoredInbound given = handOut(hear("s", 0), 1);

    CompletionResult back = handled(given, 2);

    assertThat(back).isEqualTo(CompletionResult.applied(TurnState.EMPTY, List.of()));
    assertThat(event(given.id()))
        .isEqualTo(
            new StoredInbound(
                given.row(),
                given.id(),
                "bot",
                "s",
                given.arrival(),
                at(0),
                InboundStatus.HANDLED,
                new HandlingState(1, 0, at(2), null, at(1), at(2), null, TurnState.EMPTY, at(2)),
                null,
                null));
    assertThat(desk().leased(present(given.handling().lease()))).isEmpty();
    assertThat(handOut(100)).isEmpty();
  }

  @Test
  void what_went_wrong_is_handed_out_again_when_it_is_due_and_not_before() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);

    assertThat(again(given, 2, 10)).isEqualTo(CompletionResult.applied(null, List.of()));

    assertThat(event(id).status()).isEqualTo(InboundStatus.PENDING);
    assertThat(event(id).handling())
        .isEqualTo(
            new HandlingState(1, 0, at(10), null, at(1), null, "not now", TurnState.OPEN, null));
    assertThat(handOut(9)).isEmpty();
    StoredInbound second = handOut(id, 10);
    assertThat(second.handling().attempts()).isEqualTo(2);
    assertThat(second.handling().lease()).isNotEqualTo(given.handling().lease());
    assertThat(second.handling().handedOutAt()).isEqualTo(at(10));
  }

  @Test
  void a_head_that_waits_holds_its_own_session_only() {
    InboundId stuck = hear("s", 0);
    hear("s", 0);
    again(handOut(stuck, 1), 2, 60);
    InboundId other = hear("t", 3);

    assertThat(handOutIds(4)).containsExactly(other);
    assertThat(handOutIds(60)).containsExactly(stuck);
  }

  @Test
  void after_a_dead_letter_its_session_goes_on() {
    InboundId poison = hear("s", 0);
    InboundId next = hear("s", 1);

    CompletionResult back = failed(handOut(poison, 2), 3);

    assertThat(back.turn()).isEqualTo(TurnState.FAILED);
    assertThat(event(poison).status()).isEqualTo(InboundStatus.FAILED);
    assertThat(event(poison).handling().error()).isEqualTo("it cannot be handled");
    assertThat(event(poison).handling().endedAt()).isEqualTo(at(3));
    handOut(next, 3);
  }

  @Test
  void deaths_are_counted_apart() {
    InboundId id = hear("s", 0);
    give(CompletionDraft.of(handOut(id, 1)).at(at(31)).again(at(31), "the lease expired").died());
    assertThat(event(id).handling().deaths()).isEqualTo(1);
    again(handOut(id, 31), 32, 32);
    assertThat(event(id).handling().deaths()).isEqualTo(1);

    give(CompletionDraft.of(handOut(id, 33)).at(at(63)).failed("the lease expired").died());

    assertThat(event(id).handling().deaths()).isEqualTo(2);
    assertThat(event(id).handling().attempts()).isEqualTo(3);
  }

  @Test
  void what_went_wrong_is_remembered_in_order() {
    InboundId id = hear("s", 0);
    assertThat(desk().notes(id)).isEmpty();
    again(handOut(id, 1), 2, 5);
    handled(handOut(hear("other", 2), 2), 2);
    again(handOut(id, 5), 6, 9);
    failed(handOut(id, 9), 10);

    List<InboundNote> notes =
        List.of(
            new InboundNote(at(2), 1, "not now", at(5)),
            new InboundNote(at(6), 2, "not now", at(9)),
            new InboundNote(at(10), 3, "it cannot be handled", null));
    assertThat(desk().notes(id)).isEqualTo(notes);
    assertThat(desk().notes(new InboundId(nextLease()))).isEmpty();
    reopen();
    assertThat(desk().notes(id)).isEqualTo(notes);
  }

  @Test
  void the_last_error_stays_when_it_went_well_at_last() {
    InboundId id = hear("s", 0);
    again(handOut(id, 1), 2, 2);

    handled(handOut(id, 3), 4);

    assertThat(event(id).handling().error()).isEqualTo("not now");
    assertThat(desk().notes(id)).hasSize(1);
  }
}
