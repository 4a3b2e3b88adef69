package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.StoredMessage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reserving an attempt, and its progress from part to part. */
abstract class Attempts extends StoreBehaviour {
  private static final Budget SPENT = new Budget("account:bot", 1, at(100), "spent");
  private static final Progress HALF =
      Progress.none(2).with(0, PartState.PENDING.delivered(new Receipt("r1", false)));

  Attempts(StoreContract contract) {
    super(contract);
  }

  private static HistoryEntry wrong(int attempt) {
    return new HistoryEntry(at(5), attempt, 0, "not-sent", "refused", at(10));
  }

  @Test
  void a_reservation_counts_the_attempt_and_gives_the_message() {
    StoredMessage queued = stored(to("ann").text("hi"));

    StoredMessage sending = done(store.reserve(queued.row(), leave(at(5), SPENT))).orElseThrow();

    assertThat(sending).isEqualTo(find(queued.id()));
    assertThat(sending.message()).isEqualTo(queued.message());
    assertThat(sending.status()).isEqualTo(Status.SENDING);
    assertThat(sending.attempts()).isEqualTo(1);
    assertThat(sending.reservation()).isEqualTo(1);
    assertThat(sending.triedAt()).isEqualTo(at(5));
    assertThat(store.budgets(at(5))).containsExactly(SPENT);
    assertThat(headRows()).isEmpty();
  }

  @Test
  void a_message_under_way_is_not_reserved_again() {
    StoredMessage queued = stored(to("ann"));
    reserve(queued, at(1));

    assertThat(done(store.reserve(queued.row(), leave(at(2), SPENT)))).isEmpty();

    assertThat(find(queued.id()).attempts()).isEqualTo(1);
    assertThat(find(queued.id()).triedAt()).isEqualTo(at(1));
    assertThat(store.budgets(at(2))).isEmpty();
  }

  @Test
  void a_message_behind_another_is_not_reserved() {
    accept(to("ann"));
    StoredMessage behind = stored(to("ann"));

    assertThat(canReserve(behind, at(1))).isFalse();
    assertThat(find(behind.id())).isEqualTo(behind);
  }

  @Test
  void a_message_is_reserved_from_its_due_time_on() {
    StoredMessage sending = sending(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(10)));

    assertThat(canReserve(sending, at(9))).isFalse();
    assertThat(canReserve(sending, at(10))).isTrue();
  }

  @Test
  void a_message_is_reserved_until_it_expires() {
    StoredMessage early = stored(to("ann").expires(at(10)));
    StoredMessage late = stored(to("ben").expires(at(10)));

    assertThat(canReserve(early, at(9))).isTrue();
    assertThat(canReserve(late, at(10))).isFalse();
    assertThat(status(late)).isEqualTo(Status.QUEUED);
  }

  @Test
  void an_ended_message_is_not_reserved() {
    Stream.of(Status.DELIVERED, Status.FAILED, Status.EXPIRED, Status.HELD, Status.CANCELLED)
        .forEach(
            status -> {
              StoredMessage message = ended(to(status.label()), status, at(1));
              assertThat(canReserve(message, at(2))).isFalse();
              assertThat(status(message)).isEqualTo(status);
            });
  }

  @Test
  void a_message_that_does_not_exist_is_not_reserved() {
    assertThat(done(store.reserve(987_654_321, leave(at(1), SPENT)))).isEmpty();
    assertThat(store.budgets(at(1))).isEmpty();
  }

  @Test
  void a_reservation_under_a_lost_lease_is_refused_and_changes_nothing() {
    StoredMessage queued = stored(to("ann"));
    var lost = leave(at(1), SPENT);
    lease("bot");

    assertThat(failure(store.reserve(queued.row(), lost))).isInstanceOf(LeaseLost.class);

    assertThat(find(queued.id())).isEqualTo(queued);
    assertThat(store.budgets(at(1))).isEmpty();
  }

  // ---- progress

  @Test
  void progress_is_kept_while_the_attempt_goes_on() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));

    assertThat(done(store.progress(sending, lease, HALF, null))).isTrue();

    StoredMessage now = find(sending.id());
    assertThat(now.progress()).isEqualTo(HALF);
    assertThat(now.status()).isEqualTo(Status.SENDING);
    assertThat(now.reservation()).isEqualTo(sending.reservation());
    assertThat(history(sending)).isEmpty();
  }

  @Test
  void progress_with_something_that_went_wrong_leaves_an_entry() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));

    done(store.progress(sending, lease, HALF, wrong(1)));

    assertThat(history(sending)).containsExactly(wrong(1));
  }

  @Test
  void progress_of_an_older_attempt_is_stale() {
    StoredMessage old = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));
    settle(SettlementDraft.of(old, lease).at(at(1)).again(at(2)));
    reserve(old, at(2));

    assertThat(done(store.progress(old, lease, HALF, wrong(1)))).isFalse();

    assertThat(find(old.id()).progress()).isEqualTo(Progress.none(2));
    assertThat(history(old)).isEmpty();
  }

  @Test
  void progress_of_an_ended_message_is_stale() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));
    deliver(sending, at(1));

    assertThat(done(store.progress(sending, lease, HALF, wrong(1)))).isFalse();

    assertThat(find(sending.id()).progress()).isEqualTo(Progress.none(2));
    assertThat(history(sending)).isEmpty();
  }

  @Test
  void progress_under_a_lost_lease_is_refused() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));
    var lost = lease;
    lease("bot");

    assertThat(failure(store.progress(sending, lost, HALF, wrong(1))))
        .isInstanceOf(LeaseLost.class);

    assertThat(find(sending.id())).isEqualTo(sending);
    assertThat(history(sending)).isEmpty();
  }

  // ---- after an interruption

  @Test
  void attempts_under_way_when_the_store_closed_are_found_again_with_their_progress() {
    StoredMessage sending = sending(to("ann").plan(Part.plain("one"), Part.plain("two")));
    StoredMessage other = sending(to("ann").unordered());
    done(store.progress(sending, lease, HALF, null));
    accept(to("ann"));
    accept(to("ben"));
    ended(to("cid"), Status.DELIVERED, at(1));

    reopen();

    assertThat(store.interrupted("bot"))
        .containsExactlyInAnyOrder(find(sending.id()), find(other.id()));
    assertThat(find(sending.id()).progress()).isEqualTo(HALF);
  }

  @Test
  void interrupted_attempts_are_those_of_the_account() {
    StoredMessage sending = sending(to("ann"));

    assertThat(store.interrupted("bot")).containsExactly(sending);
    assertThat(store.interrupted("other")).isEmpty();
  }

  @Test
  void an_interrupted_attempt_can_be_settled_under_the_new_lease_and_its_lane_goes_on() {
    sending(to("ann").text("one"));
    StoredMessage behind = stored(to("ann"));

    reopen();
    StoredMessage interrupted = store.interrupted("bot").getFirst();
    settle(SettlementDraft.of(interrupted, lease).at(at(5)).again(at(5)).possibleDuplicate());

    assertThat(headRows()).containsExactly(interrupted.row());
    StoredMessage again = reserve(interrupted, at(6));
    assertThat(again.attempts()).isEqualTo(2);
    assertThat(again.possibleDuplicate()).isTrue();
    assertThat(present(deliver(again, at(7)).next()).row()).isEqualTo(behind.row());
  }
}
