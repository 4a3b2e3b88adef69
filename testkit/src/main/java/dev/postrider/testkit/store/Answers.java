package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * Answers come with what they answer, or not at all; and many may work at the inbound store at
 * once.
 */
abstract class Answers extends InboundStoreBehaviour {
  Answers(StoreContract contract) {
    super(contract);
  }

  private static StoredMessage message(AcceptResult acceptance) {
    if (acceptance instanceof AcceptResult.Stored stored) {
      return stored.message();
    }
    throw new AssertionError("was not stored: " + acceptance);
  }

  // ---- answers

  @Test
  void answers_are_accepted_with_the_event_they_answer() {
    StoredInbound given = handOut(hear("s", 0), 1);
    MessageDraft first = answer(given.id()).at(at(2)).text("one");
    MessageDraft second = answer(given.id()).at(at(2)).text("two");

    CompletionResult back =
        applied(give(CompletionDraft.of(given).at(at(2)).answer(first, second)));

    assertThat(back.turn()).isNull();
    assertThat(status(given.id())).isEqualTo(InboundStatus.HANDLED);
    assertThat(turn(given.id())).isEqualTo(TurnState.OPEN);
    assertThat(back.answers()).hasSize(2);
    StoredMessage one = message(back.answers().getFirst());
    assertThat(one).isEqualTo(find(first.id()));
    assertThat(message(back.answers().getLast())).isEqualTo(find(second.id()));
    assertThat(headRows()).containsExactly(one.row());
    assertThat(((AcceptResult.Stored) back.answers().getFirst()).head())
        .isEqualTo(heads("bot").getFirst());
    reopen();
    assertThat(status(given.id())).isEqualTo(InboundStatus.HANDLED);
    assertThat(drain("ann")).containsExactly("one", "two");
  }

  @Test
  void answers_stand_behind_what_their_lane_holds() {
    StoredMessage before = stored(to("ann").text("before"));
    StoredInbound given = handOut(hear("s", 0), 1);

    give(CompletionDraft.of(given).at(at(2)).answer(answer(given.id()).text("after")));

    assertThat(heads("bot")).extracting(Head::row).containsExactly(before.row());
    assertThat(drain("ann")).containsExactly("before", "after");
  }

  @Test
  void whoever_has_lost_the_lease_answers_nobody() {
    InboundId id = hear("s", 0);
    StoredInbound old = handOut(id, 1);
    again(old, 2, 2);
    StoredInbound current = handOut(id, 3);
    MessageDraft late = answer(id).at(at(4));

    assertThat(give(CompletionDraft.of(old).at(at(4)).answer(late)))
        .isEqualTo(CompletionResult.STALE);

    assertThat(store.find(late.id())).isEmpty();
    assertThat(event(id)).isEqualTo(current);
    assertThat(desk().unfollowed(null, 10).messages()).isEmpty();
    handled(current, 5);
    assertThat(turn(id)).isEqualTo(TurnState.EMPTY);
  }

  @Test
  void an_answer_that_is_known_already_is_told_and_the_event_is_handled() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage known = stored(to("ann").key("k"));

    CompletionResult back =
        applied(give(CompletionDraft.of(given).at(at(2)).answer(to("ann").key("k"), to("ben"))));

    assertThat(back.answers().getFirst()).isEqualTo(new AcceptResult.Duplicate(known, true));
    assertThat(back.answers().getLast()).isInstanceOf(AcceptResult.Stored.class);
    assertThat(status(given.id())).isEqualTo(InboundStatus.HANDLED);
  }

  @Test
  void an_answer_whose_key_was_used_for_other_content_refuses_everything() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);
    StoredMessage known = stored(to("ann").key("k").text("one"));
    MessageDraft fine = answer(id).at(at(2));
    MessageDraft other = to("ann").key("k").text("two").at(at(2));

    CompletionResult back = give(CompletionDraft.of(given).at(at(2)).answer(fine, other));

    assertThat(back)
        .isEqualTo(CompletionResult.refused(1, new AcceptResult.Duplicate(known, false)));
    assertThat(store.find(fine.id())).isEmpty();
    assertThat(event(id)).isEqualTo(given);
    handled(given, 3);
    assertThat(turn(id)).isEqualTo(TurnState.EMPTY);
  }

  @Test
  void a_refused_answer_refuses_its_own_event_and_no_other_of_the_batch() {
    stored(to("ann").key("k").text("one"));
    for (int i = 0; i < 20; i++) {
      hear("s" + i, 0);
    }
    List<StoredInbound> events = handOut(1);
    List<CompletableFuture<CompletionResult>> writes = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      MessageDraft answer =
          i % 5 == 0
              ? to("ann").key("k").text("two").unordered()
              : answer(events.get(i).id()).unordered();
      writes.add(
          desk().complete(CompletionDraft.of(events.get(i)).at(at(2)).answer(answer).build()));
    }

    for (int i = 0; i < events.size(); i++) {
      assertThat(done(writes.get(i)).applied()).isEqualTo(i % 5 != 0);
      assertThat(status(events.get(i).id()))
          .isEqualTo(i % 5 == 0 ? InboundStatus.LEASED : InboundStatus.HANDLED);
    }
  }

  // ---- messages that name a turn

  private AcceptResult offer(MessageDraft draft) {
    return done(store.accept(draft.build()));
  }

  @Test
  void a_message_is_refused_if_its_lease_is_not_the_turns_any_more() {
    InboundId id = hear("s", 0);
    StoredInbound old = handOut(id, 1);
    again(old, 2, 2);
    StoredInbound current = handOut(id, 3);

    assertThat(offer(answer(id).lease(old.handling().lease())))
        .isEqualTo(new AcceptResult.TurnLost());
    assertThat(offer(answer(id).lease(current.handling().lease())))
        .isInstanceOf(AcceptResult.Stored.class);
    handled(current, 4);
    assertThat(offer(answer(id).lease(current.handling().lease())))
        .isEqualTo(new AcceptResult.TurnLost());
    assertThat(offer(answer(id))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_message_that_names_no_lease_is_refused_while_its_turn_waits_to_be_handed_out_again() {
    InboundId id = hear("s", 0);
    again(handOut(id, 1), 2, 2);

    assertThat(offer(answer(id))).isEqualTo(new AcceptResult.TurnLost());
    handOut(id, 3);
    assertThat(offer(answer(id))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_message_that_was_taken_under_a_lease_is_told_again_after_it() {
    InboundId id = hear("s", 0);
    StoredInbound given = handOut(id, 1);
    AcceptResult first = offer(answer(id).key("k").lease(given.handling().lease()));
    again(given, 2, 2);

    assertThat(first).isInstanceOf(AcceptResult.Stored.class);
    assertThat(offer(answer(id).key("k").lease(given.handling().lease())))
        .isEqualTo(new AcceptResult.Duplicate(message(first), true));
  }

  @Test
  void an_event_that_is_to_be_tried_again_may_have_been_answered_too() {
    StoredInbound given = handOut(hear("s", 0), 1);
    MessageDraft working = answer(given.id()).at(at(2)).text("working on it");

    CompletionResult back =
        give(CompletionDraft.of(given).at(at(2)).again(at(5), "half done").answer(working));

    assertThat(message(back.answers().getFirst()).id()).isEqualTo(working.id());
    assertThat(status(given.id())).isEqualTo(InboundStatus.PENDING);
  }

  @Test
  void answers_of_one_event_are_all_there_or_none_while_others_look() {
    List<StoredInbound> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      hear("s" + i, 0);
    }
    events.addAll(handOut(1));
    List<CompletableFuture<CompletionResult>> writes = new ArrayList<>();
    for (StoredInbound inbound : events) {
      writes.add(
          desk()
              .complete(
                  CompletionDraft.of(inbound)
                      .at(at(2))
                      .answer(answer(inbound.id()).unordered(), answer(inbound.id()).unordered())
                      .build()));
      // A read sees whole writes, whichever are done by now.
      assertThat(heads("bot").size() % 2).isZero();
    }
    writes.forEach(write -> applied(done(write)));
    assertThat(heads("bot")).hasSize(80);
  }

  // ---- crowds

  @Test
  void no_two_are_given_the_same_event_nor_two_of_a_session() {
    int sessions = 12;
    int each = 6;
    for (int i = 0; i < sessions * each; i++) {
      hear(i % 2 == 0 ? "bot" : "other", "s" + i % sessions, 0);
    }
    Set<String> busy = ConcurrentHashMap.newKeySet();
    Set<InboundId> given = ConcurrentHashMap.newKeySet();
    Queue<String> wrong = new ConcurrentLinkedQueue<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < 16; worker++) {
        executor.execute(
            () -> {
              List<StoredInbound> events = handOut(3, at(10), "bot", "other");
              while (wrong.isEmpty() && (!events.isEmpty() || anybodyHasOne())) {
                for (StoredInbound inbound : events) {
                  if (!given.add(inbound.id()) || !busy.add(inbound.sessionId())) {
                    wrong.add("given twice: " + inbound);
                  }
                  busy.remove(inbound.sessionId());
                  if (!give(CompletionDraft.of(inbound).at(at(10))).applied()) {
                    wrong.add("not taken back: " + inbound);
                  }
                }
                events = handOut(3, at(10), "bot", "other");
              }
            });
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(given).hasSize(sessions * each);
    assertThat(handOut(9, FAR, "bot", "other")).isEmpty();
  }

  /** Then more may come: whoever has one looks again once it is given back. */
  private boolean anybodyHasOne() {
    return done(desk().nextLeaseExpiry()).isPresent();
  }

  @Test
  void of_many_who_give_the_same_event_back_one_is_heard() {
    StoredInbound inbound = handOut(hear("s", 0), 1);
    InboundId next = hear("s", 0);

    List<CompletableFuture<CompletionResult>> writes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      CompletionDraft back =
          CompletionDraft.of(inbound).at(at(2)).answer(answer(inbound.id()).unordered());
      writes.add(desk().complete((i % 3 == 0 ? back.failed("no") : back).build()));
    }

    assertThat(writes.stream().map(this::done).filter(CompletionResult::applied)).hasSize(1);
    assertThat(heads("bot")).hasSize(1);
    assertThat(handOutIds(3)).containsExactly(next);
  }

  @Test
  void a_turn_ends_once_whether_its_message_or_its_event_is_the_last() {
    List<StoredInbound> events = new ArrayList<>();
    List<StoredMessage> messages = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      hear("s" + i, 0);
    }
    for (StoredInbound inbound : handOut(1)) {
      events.add(inbound);
      messages.add(ended(answer(inbound.id()).unordered(), Status.DELIVERED, at(2)));
    }

    List<CompletableFuture<Boolean>> ends = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      var back = desk().complete(CompletionDraft.of(events.get(i)).at(at(3)).build());
      var followed = desk().follow(messages.get(i).id(), at(3));
      var again = desk().follow(messages.get(i).id(), at(3));
      ends.add(back.thenApply(one -> one.turn() != null));
      ends.add(followed.thenApply(one -> one.turn() != null));
      ends.add(again.thenApply(one -> one.turn() != null));
    }

    assertThat(ends.stream().map(this::done).filter(end -> end)).hasSize(events.size());
    Set<TurnState> states = new HashSet<>();
    events.forEach(inbound -> states.add(present(turn(inbound.id()))));
    assertThat(states).containsExactly(TurnState.DELIVERED);
  }
}
