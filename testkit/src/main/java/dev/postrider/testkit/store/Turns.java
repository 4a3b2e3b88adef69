package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.Retention;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns end once, in the write after which nothing of them is left to be done. */
abstract class Turns extends InboundStoreBehaviour {
  Turns(StoreContract contract) {
    super(contract);
  }

  private static EndEffects ends(InboundId turn, TurnState state) {
    return new EndEffects(null, new EndEffects.TurnEnd(turn, "bot", state));
  }

  private void assertEnded(InboundId id, TurnState state, long second) {
    assertThat(turn(id)).isEqualTo(state);
    assertThat(event(id).handling().turnEndedAt()).isEqualTo(at(second));
  }

  private void assertOpen(InboundId id) {
    assertThat(turn(id)).isEqualTo(TurnState.OPEN);
    assertThat(event(id).handling().turnEndedAt()).isNull();
  }

  // ---- without messages

  @Test
  void a_turn_opens_when_its_event_is_first_handed_out() {
    InboundId id = hear("s", 0);
    assertThat(turn(id)).isNull();

    StoredInbound given = handOut(id, 1);
    assertOpen(id);
    again(given, 2, 2);

    assertOpen(id);
  }

  @Test
  void a_turn_without_messages_ends_with_its_event() {
    InboundId good = hear("s", 0);
    assertThat(handled(handOut(good, 1), 2).turn()).isEqualTo(TurnState.EMPTY);
    InboundId bad = hear("s", 3);
    assertThat(failed(handOut(bad, 3), 4).turn()).isEqualTo(TurnState.FAILED);

    assertEnded(good, TurnState.EMPTY, 2);
    assertEnded(bad, TurnState.FAILED, 4);
    reopen();
    assertEnded(good, TurnState.EMPTY, 2);
  }

  // ---- with messages

  @ParameterizedTest
  @EnumSource(names = {"DELIVERED", "FAILED", "EXPIRED", "HELD", "CANCELLED"})
  void a_message_before_the_end_of_its_event_counts(Status status) {
    StoredInbound given = handOut(hear("s", 0), 1);

    assertThat(endOf(given.id(), status, 2)).isEqualTo(EndEffects.NOTHING);
    assertOpen(given.id());
    CompletionResult back = handled(given, 3);

    assertThat(back.turn()).isEqualTo(stateAfter(status));
    assertEnded(given.id(), stateAfter(status), 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"DELIVERED", "FAILED", "EXPIRED", "HELD", "CANCELLED"})
  void a_message_after_the_end_of_its_event_ends_the_turn(Status status) {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message = sending(answer(given.id()));
    assertThat(handled(given, 2).turn()).isNull();
    assertOpen(given.id());
    settle(SettlementDraft.of(message, lease).status(status).at(at(3)));
    assertOpen(given.id());

    EndEffects followed = follow(message, 4);

    assertThat(followed).isEqualTo(ends(given.id(), stateAfter(status)));
    assertEnded(given.id(), stateAfter(status), 4);
  }

  private static TurnState stateAfter(Status status) {
    if (status == Status.DELIVERED) {
      return TurnState.DELIVERED;
    }
    return status == Status.CANCELLED ? TurnState.EMPTY : TurnState.FAILED;
  }

  @Test
  void a_turn_ends_with_its_last_message() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage first = ended(answer(given.id()).unordered(), Status.DELIVERED, at(2));
    StoredMessage second = ended(answer(given.id()).unordered(), Status.CANCELLED, at(2));
    StoredMessage third = ended(answer(given.id()).unordered(), Status.DELIVERED, at(2));
    handled(given, 3);

    assertThat(follow(second, 4)).isEqualTo(EndEffects.NOTHING);
    assertThat(follow(third, 5)).isEqualTo(EndEffects.NOTHING);
    assertOpen(given.id());
    assertThat(follow(first, 6)).isEqualTo(ends(given.id(), TurnState.DELIVERED));
  }

  @Test
  void one_lost_message_fails_the_turn_whatever_else_arrived() {
    StoredInbound given = handOut(hear("s", 0), 1);
    endOf(given.id(), Status.DELIVERED, 2);
    endOf(given.id(), Status.HELD, 3);
    endOf(given.id(), Status.DELIVERED, 4);

    assertThat(handled(given, 5).turn()).isEqualTo(TurnState.FAILED);
  }

  @Test
  void the_turn_of_a_dead_letter_has_failed_though_messages_arrived() {
    StoredInbound given = handOut(hear("s", 0), 1);
    endOf(given.id(), Status.DELIVERED, 2);

    assertThat(failed(given, 3).turn()).isEqualTo(TurnState.FAILED);
  }

  @Test
  void a_message_counts_though_the_event_was_not_handed_out_yet() {
    InboundId id = hear("s", 0);

    assertThat(endOf(id, Status.FAILED, 1)).isEqualTo(EndEffects.NOTHING);
    assertThat(turn(id)).isNull();

    assertThat(handled(handOut(id, 2), 3).turn()).isEqualTo(TurnState.FAILED);
  }

  @Test
  void a_message_that_is_scheduled_keeps_the_turn_open() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage later = stored(answer(given.id()).due(at(1_000)));

    assertThat(handled(given, 2).turn()).isNull();
    done(store.cancel(later.id(), at(3)));

    assertThat(follow(later, 4)).isEqualTo(ends(given.id(), TurnState.EMPTY));
  }

  @Test
  void a_turn_that_has_ended_stays_as_it_is() {
    StoredInbound given = handOut(hear("s", 0), 1);
    handled(given, 2);

    assertThat(endOf(given.id(), Status.FAILED, 3)).isEqualTo(EndEffects.NOTHING);

    assertEnded(given.id(), TurnState.EMPTY, 2);
  }

  @Test
  void a_dead_letter_that_is_discarded_ends_its_turn_with_its_last_message() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message = sending(answer(given.id()));
    assertThat(failed(given, 2).turn()).isNull();

    assertThat(done(desk().discard(given.id(), at(3)))).isTrue();
    assertOpen(given.id());
    deliver(message, at(4));

    assertThat(follow(message, 5)).isEqualTo(ends(given.id(), TurnState.FAILED));
  }

  // ---- once, and of nothing else

  @Test
  void a_message_is_followed_once_and_only_when_it_has_ended() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message = stored(answer(given.id()));
    handled(given, 2);
    assertThat(follow(message, 2)).isEqualTo(EndEffects.NOTHING);
    StoredMessage sending = reserve(message, at(3));
    assertThat(follow(message, 3)).isEqualTo(EndEffects.NOTHING);
    assertOpen(given.id());
    deliver(sending, at(4));

    assertThat(follow(message, 5)).isEqualTo(ends(given.id(), TurnState.DELIVERED));

    assertThat(follow(message, 6)).isEqualTo(EndEffects.NOTHING);
    reopen();
    assertThat(follow(message, 7)).isEqualTo(EndEffects.NOTHING);
  }

  @Test
  void from_a_message_of_no_turn_and_no_session_nothing_follows() {
    StoredMessage message = ended(to("ann"), Status.DELIVERED, at(1));

    assertThat(follow(message, 2)).isEqualTo(EndEffects.NOTHING);
    assertThat(follow(MessageDraft.nextId(), 2)).isEqualTo(EndEffects.NOTHING);
    assertThat(desk().unfollowed(null, 10)).isEqualTo(new InboundStore.Unfollowed(List.of(), null));
  }

  @Test
  void a_turn_that_is_no_event_is_only_a_word() {
    StoredInbound given = handOut(hear("s", 0), 1);
    String id = given.id().toString();
    for (String word :
        List.of("", "my turn", nextLease().toString(), id.toUpperCase(Locale.ROOT), id + " ")) {
      StoredMessage message =
          ended(to("ann").with(content -> content.turnId(word)), Status.FAILED, at(2));
      assertThat(desk().unfollowed(null, 10).messages()).containsExactly(message.id());
      assertThat(follow(message, 3)).isEqualTo(EndEffects.NOTHING);
      assertThat(desk().unfollowed(null, 10).messages()).isEmpty();
    }

    assertThat(handled(given, 4).turn()).isEqualTo(TurnState.EMPTY);
  }

  // ---- what was not followed

  @Test
  void what_has_ended_and_was_not_followed_is_found_after_a_restart_too() {
    InboundId id = hear("s", 0);
    StoredMessage waiting = stored(answer(id));
    StoredMessage over = ended(answer(id).unordered(), Status.DELIVERED, at(1));
    StoredMessage followed = ended(answer(id).unordered(), Status.DELIVERED, at(1));
    StoredMessage said = ended(saying("s", 1).unordered(), Status.FAILED, at(1));
    follow(followed, 2);

    assertThat(desk().unfollowed(null, 10))
        .isEqualTo(new InboundStore.Unfollowed(List.of(over.id(), said.id()), null));
    reopen();
    assertThat(desk().unfollowed(null, 10).messages()).containsExactly(over.id(), said.id());
    deliver(reserve(waiting, at(3)), at(3));
    assertThat(desk().unfollowed(null, 10).messages())
        .containsExactly(waiting.id(), over.id(), said.id());
  }

  @Test
  void looking_for_what_was_not_followed_looks_at_no_more_than_it_may() {
    InboundId id = hear("s", 0);
    List<MessageId> ended = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      stored(answer(id).unordered());
      ended.add(ended(answer(id).unordered(), Status.DELIVERED, at(1)).id());
    }

    for (int limit : List.of(1, 2, 3, 14, 50)) {
      List<MessageId> found = new ArrayList<>();
      int looks = 0;
      @Nullable Long from = null;
      do {
        InboundStore.Unfollowed page = desk().unfollowed(from, limit);
        assertThat(page.messages()).hasSizeLessThanOrEqualTo(limit);
        found.addAll(page.messages());
        from = page.next();
        looks++;
      } while (from != null && looks < 100);
      assertThat(found).as("by %d", limit).isEqualTo(ended);
      assertThat(looks).as("by %d", limit).isGreaterThanOrEqualTo((14 + limit - 1) / limit);
    }
  }

  // ---- messages that are gone

  @Test
  void a_message_that_is_discarded_before_it_was_followed_is_lost_to_its_turn() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message = ended(answer(given.id()), Status.FAILED, at(2));
    assertThat(handled(given, 3).turn()).isNull();

    assertThat(done(store.discard(message.id()))).isTrue();

    assertThat(turn(given.id())).isEqualTo(TurnState.FAILED);
    assertThat(follow(message, 4)).isEqualTo(EndEffects.NOTHING);
    assertThat(desk().unfollowed(null, 10).messages()).isEmpty();
  }

  @Test
  void what_is_forgotten_before_it_was_followed_has_still_been_said() {
    StoredInbound given = handOut(hear("s", 0), 1);
    StoredMessage message =
        ended(answer(given.id()).with(to -> to.sessionId("s")), Status.DELIVERED, at(2));
    handled(given, 3);

    done(store.prune(new Retention(FAR, FAR, FAR), 10));

    assertThat(store.find(message.id())).isEmpty();
    assertThat(turn(given.id())).isEqualTo(TurnState.DELIVERED);
    assertThat(desk().history("s", null, 1).items())
        .allSatisfy(entry -> assertThat(entry).isInstanceOf(SessionEntry.Said.class))
        .hasSize(1);
  }

  @Test
  void whatever_takes_the_place_of_a_message_that_is_gone_is_not_followed_for_it() {
    InboundId id = hear("s", 0);
    StoredMessage gone = ended(answer(id), Status.FAILED, at(1));
    done(store.discard(gone.id()));
    reopen(); // a store may give the row again

    StoredMessage other = ended(to("ann"), Status.FAILED, at(2));

    assertThat(desk().unfollowed(null, 10).messages()).isEmpty();
    assertThat(follow(other, 3)).isEqualTo(EndEffects.NOTHING);
  }
}
