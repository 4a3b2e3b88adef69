package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.Retention;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.StoredMessage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a message is written down: its head, its first attempt, its key, what it replays. */
abstract class Acceptances extends StoreBehaviour {
  private static final Budget SPENT = new Budget("chat:bot/ann", 1, at(30), "spent");

  Acceptances(StoreContract contract) {
    super(contract);
  }

  @Test
  void a_message_is_found_by_its_key() {
    StoredMessage message = stored(to("ann").text("hi").key("order-77"));

    assertThat(store.find("bot", "order-77")).contains(message);
    assertThat(store.find("other", "order-77")).isEmpty();
    assertThat(store.find("nobody", "order-77")).isEmpty();
    assertThat(store.find("bot", "order-78")).isEmpty();
  }

  @Test
  void an_accepted_message_is_found_as_it_was_given() {
    AcceptResult.Stored accepted = accept(to("ann").text("hi").at(at(1)));

    StoredMessage message = find(accepted.message().id());
    assertThat(message).isEqualTo(accepted.message());
    assertThat(message.message().text()).isEqualTo("hi");
    assertThat(message.status()).isEqualTo(Status.QUEUED);
    assertThat(message.createdAt()).isEqualTo(at(1));
    assertThat(message.dueAt()).isEqualTo(at(1));
    assertThat(message.expiresAt()).isEqualTo(at(1).plus(Duration.ofDays(1)));
    assertThat(message.attempts()).isZero();
    assertThat(message.reservation()).isZero();
    assertThat(message.triedAt()).isNull();
    assertThat(message.endedAt()).isNull();
  }

  @Test
  void a_message_nobody_accepted_is_not_found() {
    assertThat(store.find(MessageDraft.nextId())).isEmpty();
    assertThat(store.history(MessageDraft.nextId())).isEmpty();
  }

  @Test
  void the_first_message_of_a_lane_is_its_head() {
    AcceptResult.Stored accepted = accept(to("ann").bulk().at(at(1)));

    assertThat(accepted.head())
        .isEqualTo(
            new Head(accepted.message().row(), "bot", "ann", Priority.BULK, at(1), true, false));
    assertThat(heads("bot")).containsExactly(present(accepted.head()));
  }

  @Test
  void a_message_behind_another_is_no_head() {
    StoredMessage first = stored(to("ann"));

    AcceptResult.Stored second = accept(to("ann"));

    assertThat(second.head()).isNull();
    assertThat(headRows()).containsExactly(first.row());
  }

  // ---- the first attempt

  @Test
  void the_first_message_of_a_lane_can_be_reserved_in_the_same_write() {
    AcceptResult.Stored accepted = accept(to("ann").at(at(1)).reserve(leave(at(1), SPENT)));

    assertThat(accepted.reserved()).isTrue();
    assertThat(accepted.head()).isNull();
    StoredMessage message = find(accepted.message().id());
    assertThat(message).isEqualTo(accepted.message());
    assertThat(message.status()).isEqualTo(Status.SENDING);
    assertThat(message.attempts()).isEqualTo(1);
    assertThat(message.reservation()).isEqualTo(1);
    assertThat(message.triedAt()).isEqualTo(at(1));
    assertThat(store.budgets(at(1))).containsExactly(SPENT);
  }

  @Test
  void a_message_behind_another_is_not_reserved_and_spends_nothing() {
    accept(to("ann"));

    AcceptResult.Stored second = accept(to("ann").reserve(leave(at(0), SPENT)));

    assertThat(second.reserved()).isFalse();
    assertThat(second.head()).isNull();
    assertThat(status(second.message())).isEqualTo(Status.QUEUED);
    assertThat(find(second.message().id()).attempts()).isZero();
    assertThat(store.budgets(at(0))).isEmpty();
  }

  @Test
  void a_message_behind_one_under_way_is_not_reserved() {
    sending(to("ann"));

    assertThat(accept(to("ann").reserve(leave(at(0)))).reserved()).isFalse();
  }

  @Test
  void a_scheduled_message_is_not_reserved() {
    AcceptResult.Stored accepted = accept(to("ann").due(at(60)).reserve(leave(at(0), SPENT)));

    assertThat(accepted.reserved()).isFalse();
    assertThat(status(accepted.message())).isEqualTo(Status.QUEUED);
    assertThat(store.budgets(at(0))).isEmpty();
  }

  @Test
  void a_message_outside_the_order_is_reserved_whatever_its_lane_does() {
    sending(to("ann"));

    assertThat(accept(to("ann").unordered().reserve(leave(at(0)))).reserved()).isTrue();
  }

  @Test
  void an_attempt_under_a_lost_lease_is_not_reserved_but_the_message_is_stored() {
    var lost = leave(at(0), SPENT);
    lease = lease("bot");

    AcceptResult.Stored stored = accept(to("ann").reserve(lost));

    assertThat(stored.reserved()).isFalse();
    assertThat(present(stored.head()).row()).isEqualTo(stored.message().row());
    assertThat(store.budgets(at(0))).isEmpty();
  }

  // ---- idempotency keys

  @Test
  void a_known_key_with_the_same_content_gives_the_first_message() {
    StoredMessage first = stored(to("ann").text("hi").key("k"));

    AcceptResult second = done(store.accept(to("ann").text("hi").key("k").build()));

    assertThat(second).isEqualTo(new AcceptResult.Duplicate(first, true));
    assertThat(headRows()).containsExactly(first.row());
  }

  @Test
  void a_known_key_with_other_content_is_told_apart() {
    StoredMessage first = stored(to("ann").text("hi").key("k"));

    MessageDraft other = to("ann").text("ho").key("k");

    assertThat(done(store.accept(other.build())))
        .isEqualTo(new AcceptResult.Duplicate(first, false));
    assertThat(store.find(other.id())).isEmpty();
  }

  @Test
  void a_duplicate_shows_how_far_the_first_message_has_got() {
    StoredMessage first = ended(to("ann").key("k"), Status.DELIVERED, at(1));

    AcceptResult second = done(store.accept(to("ann").key("k").build()));

    assertThat(second).isEqualTo(new AcceptResult.Duplicate(first, true));
  }

  @Test
  void two_of_one_key_handed_in_together_are_one_message() {
    var first = store.accept(to("ann").key("k").build());
    var second = store.accept(to("ann").key("k").build());

    assertThat(done(first)).isInstanceOf(AcceptResult.Stored.class);
    assertThat(done(second)).isInstanceOf(AcceptResult.Duplicate.class);
  }

  @Test
  void a_key_belongs_to_its_account() {
    accept(MessageDraft.to("bot", "ann").key("k"));

    accept(MessageDraft.to("other", "ann").key("k"));
  }

  @Test
  void a_duplicate_is_no_reason_to_reserve_or_to_find_the_lane_full() {
    accept(to("ann").key("k"));

    AcceptResult again =
        done(store.accept(to("ann").key("k").laneHolds(1).reserve(leave(at(0), SPENT)).build()));

    assertThat(again).isInstanceOf(AcceptResult.Duplicate.class);
    assertThat(store.budgets(at(0))).isEmpty();
  }

  @Test
  void a_key_is_known_after_reopening() {
    StoredMessage first = stored(to("ann").key("k"));

    reopen();

    assertThat(done(store.accept(to("ann").key("k").build())))
        .isEqualTo(new AcceptResult.Duplicate(first, true));
  }

  @Test
  void a_key_is_free_again_once_its_message_is_pruned() {
    ended(to("ann").key("k"), Status.DELIVERED, at(1));
    done(store.prune(new Retention(at(2), at(2), at(2)), 10));

    accept(to("ann").key("k"));
  }

  // ---- replays

  @Test
  void a_replay_marks_the_dead_letter_and_points_to_it() {
    StoredMessage dead = ended(to("ann"), Status.FAILED, at(1));

    StoredMessage replay = stored(to("ann").replays(dead.id()).at(at(2)));

    assertThat(find(replay.id()).replayOf()).isEqualTo(dead.id());
    assertThat(find(dead.id()).replayedAs()).isEqualTo(replay.id());
    assertThat(status(dead)).isEqualTo(Status.FAILED);
  }

  @Test
  void the_doubt_a_message_is_born_with_is_kept() {
    StoredMessage doubtful = stored(to("ann").inDoubt());
    StoredMessage plain = stored(to("bob"));

    assertThat(doubtful.possibleDuplicate()).isTrue();
    assertThat(find(doubtful.id()).possibleDuplicate()).isTrue();
    assertThat(find(plain.id()).possibleDuplicate()).isFalse();
  }

  @Test
  void every_kind_of_dead_letter_can_be_replayed() {
    for (Status status : new Status[] {Status.FAILED, Status.HELD, Status.EXPIRED}) {
      StoredMessage dead = ended(to(status.label()), status, at(1));

      accept(to(status.label()).replays(dead.id()));
    }
  }

  @Test
  void a_dead_letter_is_replayed_once() {
    StoredMessage dead = ended(to("ann"), Status.HELD, at(1));
    StoredMessage first = stored(to("ann").replays(dead.id()));
    MessageDraft second = to("ann").replays(dead.id());

    AcceptResult refused = done(store.accept(second.build()));

    assertThat(refused).isInstanceOf(AcceptResult.NotReplayable.class);
    assertThat(((AcceptResult.NotReplayable) refused).why()).contains(dead.id().toString());
    assertThat(find(dead.id()).replayedAs()).isEqualTo(first.id());
    assertThat(store.find(second.id())).isEmpty();
  }

  @Test
  void what_is_no_dead_letter_is_not_replayed() {
    StoredMessage queued = stored(to("queued"));
    StoredMessage sending = sending(to("sending"));
    StoredMessage delivered = ended(to("delivered"), Status.DELIVERED, at(1));
    StoredMessage cancelled = stored(to("cancelled"));
    done(store.cancel(cancelled.id(), at(1)));

    for (StoredMessage message : new StoredMessage[] {queued, sending, delivered, cancelled}) {
      assertThat(done(store.accept(to("ann").replays(message.id()).build())))
          .isInstanceOf(AcceptResult.NotReplayable.class);
      assertThat(find(message.id()).replayedAs()).isNull();
    }
    assertThat(done(store.accept(to("ann").replays(MessageDraft.nextId()).build())))
        .isInstanceOf(AcceptResult.NotReplayable.class);
  }

  @Test
  void a_replay_that_finds_its_lane_full_does_not_mark_the_dead_letter() {
    StoredMessage dead = ended(to("ann"), Status.FAILED, at(1));
    accept(to("ann"));

    AcceptResult refused = done(store.accept(to("ann").replays(dead.id()).laneHolds(1).build()));

    assertThat(refused).isEqualTo(new AcceptResult.LaneFull(1));
    assertThat(find(dead.id()).replayedAs()).isNull();
  }

  // ---- the store itself

  @Test
  void whoever_comes_after_closing_is_told_so() {
    store.close();

    assertThat(failure(store.accept(to("ann").build()))).isInstanceOf(StoreClosed.class);
    assertThat(failure(store.nextExpiry())).isInstanceOf(StoreClosed.class);
  }

  @Test
  void closing_twice_is_harmless() {
    store.close();
    store.close();
  }

  @Test
  void closing_waits_for_writes_under_way() {
    var write = store.accept(to("ann").build());

    store.close();

    assertThat(write).isCompleted();
  }

  @Test
  void a_store_says_whether_it_forgets() {
    assertThat(store.durable()).isEqualTo(remembers());
  }

  @Test
  void a_touch_is_a_write_that_changes_nothing_to_be_seen() {
    done(store.touch(at(1)));
    done(store.touch(at(2)));

    assertThat(done(store.depths())).isEmpty();
  }
}
