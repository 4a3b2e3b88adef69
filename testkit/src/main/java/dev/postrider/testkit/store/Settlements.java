package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.PartState;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How an attempt ends, what becomes of its lane, and whose word does not count. */
abstract class Settlements extends StoreBehaviour {
  private static final Budget CLOSED = new Budget("chat:bot/ann", 1, at(100), "closed");
  private static final Budget SPENT = new Budget("account:bot", 1, at(100), "spent");
  private static final Progress GONE =
      Progress.none(1).with(0, PartState.PENDING.delivered(new Receipt("r1", false)));

  Settlements(StoreContract contract) {
    super(contract);
  }

  private static HistoryEntry entry(int attempt, String outcome) {
    return new HistoryEntry(at(attempt), attempt, 0, outcome, "because", null);
  }

  // ---- ends

  @Test
  void a_delivered_message_has_its_receipt_and_no_history() {
    StoredMessage sending = sending(to("ann"));

    SettleResult settled =
        settle(SettlementDraft.of(sending, lease).at(at(3)).progress(GONE).late());

    assertThat(settled).isEqualTo(new SettleResult(true, null, null));
    StoredMessage message = find(sending.id());
    assertThat(message.status()).isEqualTo(Status.DELIVERED);
    assertThat(message.endedAt()).isEqualTo(at(3));
    assertThat(message.progress()).isEqualTo(GONE);
    assertThat(message.attempts()).isEqualTo(1);
    assertThat(message.late()).isTrue();
    assertThat(message.possibleDuplicate()).isFalse();
    assertThat(history(message)).isEmpty();
    assertThat(headRows()).isEmpty();
    assertThat(store.interrupted("bot")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"FAILED", "EXPIRED", "HELD", "CANCELLED"})
  void an_end_is_kept_with_its_reason(Status status) {
    StoredMessage sending = sending(to("ann"));

    settle(
        SettlementDraft.of(sending, lease)
            .status(status)
            .at(at(3))
            .because("no such chat", "target-gone")
            .possibleDuplicate()
            .history(entry(1, "rejected")));

    StoredMessage message = find(sending.id());
    assertThat(message.status()).isEqualTo(status);
    assertThat(message.endedAt()).isEqualTo(at(3));
    assertThat(message.error()).isEqualTo("no such chat");
    assertThat(message.reason()).isEqualTo("target-gone");
    assertThat(message.possibleDuplicate()).isTrue();
    assertThat(message.late()).isFalse();
    assertThat(history(message)).containsExactly(entry(1, "rejected"));
  }

  @Test
  void an_end_survives_reopening() {
    StoredMessage failed = ended(to("ann"), Status.FAILED, at(3));

    reopen();

    assertThat(find(failed.id())).isEqualTo(failed);
  }

  // ---- trying again

  @Test
  void a_message_to_be_tried_again_stays_the_head_and_is_due_then() {
    StoredMessage sending = sending(to("ann"));
    accept(to("ann"));

    SettleResult settled =
        settle(
            SettlementDraft.of(sending, lease)
                .at(at(1))
                .again(at(6))
                .because("refused", "not-sent")
                .history(entry(1, "not-sent")));

    assertThat(settled.applied()).isTrue();
    StoredMessage message = find(sending.id());
    assertThat(message.status()).isEqualTo(Status.QUEUED);
    assertThat(message.dueAt()).isEqualTo(at(6));
    assertThat(message.endedAt()).isNull();
    assertThat(message.attempts()).isEqualTo(1);
    assertThat(message.reservation()).isEqualTo(1);
    assertThat(message.error()).isEqualTo("refused");
    assertThat(headRows()).containsExactly(sending.row());
    assertThat(done(store.due("bot", Priority.LIVE, at(5), null, 9))).isEmpty();
  }

  @Test
  void every_charged_attempt_counts() {
    StoredMessage message = stored(to("ann"));
    for (int attempt = 1; attempt <= 3; attempt++) {
      StoredMessage sending = reserve(message, at(attempt));
      assertThat(sending.attempts()).isEqualTo(attempt);
      assertThat(sending.reservation()).isEqualTo(attempt);
      settle(SettlementDraft.of(sending, lease).at(at(attempt)).again(at(attempt)));
    }

    assertThat(find(message.id()).attempts()).isEqualTo(3);
  }

  @Test
  void an_uncharged_settlement_gives_the_attempt_back_but_the_reservation_number_grows() {
    StoredMessage first = sending(to("ann"));
    settle(SettlementDraft.of(first, lease).at(at(1)).again(at(2)).uncharged());
    assertThat(find(first.id()).attempts()).isZero();
    assertThat(find(first.id()).reservation()).isEqualTo(1);

    StoredMessage second = reserve(first, at(2));

    assertThat(second.attempts()).isEqualTo(1);
    assertThat(second.reservation()).isEqualTo(2);
    assertThat(deliver(first, at(3)).applied()).isFalse();
    assertThat(deliver(second, at(3)).applied()).isTrue();
  }

  @Test
  void what_was_delivered_before_a_retry_stays_known() {
    StoredMessage sending = sending(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(2)).progress(GONE));

    assertThat(reserve(sending, at(2)).progress()).isEqualTo(GONE);
  }

  @Test
  void closed_scopes_are_stored_with_the_settlement() {
    StoredMessage sending = sending(to("ann"));

    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(100)).uncharged().closes(CLOSED));

    assertThat(store.budgets(at(1))).containsExactly(CLOSED);
  }

  @Test
  void history_keeps_the_order_of_what_went_wrong() {
    StoredMessage message = stored(to("ann"));
    for (int attempt = 1; attempt <= 12; attempt++) {
      StoredMessage sending = reserve(message, at(attempt));
      settle(
          SettlementDraft.of(sending, lease)
              .at(at(attempt))
              .again(at(attempt))
              .history(
                  new HistoryEntry(
                      at(20 - attempt), attempt, attempt % 3, "o" + attempt, null, at(attempt))));
    }

    assertThat(history(message))
        .extracting(HistoryEntry::attempt)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    assertThat(history(message).get(6))
        .isEqualTo(new HistoryEntry(at(13), 7, 1, "o7", null, at(7)));
    assertThat(history(stored(to("ben")))).isEmpty();
  }

  // ---- the lane goes on

  @Test
  void ending_promotes_the_next_as_of_that_moment() {
    StoredMessage first = sending(to("ann"));
    StoredMessage second = stored(to("ann").bulk());
    accept(to("ann").bulk());

    SettleResult settled = deliver(first, at(7));

    assertThat(settled.reserved()).isNull();
    assertThat(settled.next())
        .isEqualTo(new Head(second.row(), "bot", "ann", Priority.BULK, at(7), true, false));
    assertThat(heads("bot")).containsExactly(present(settled.next()));
  }

  @Test
  void ending_can_reserve_the_next_in_the_same_write() {
    StoredMessage first = sending(to("ann").text("one"));
    StoredMessage second = stored(to("ann").text("two"));

    SettleResult settled =
        settle(SettlementDraft.of(first, lease).at(at(7)).then(leave(at(7), SPENT)));

    assertThat(settled.applied()).isTrue();
    assertThat(settled.next()).isNull();
    StoredMessage reserved = present(settled.reserved());
    assertThat(reserved).isEqualTo(find(second.id()));
    assertThat(reserved.message()).isEqualTo(second.message());
    assertThat(reserved.status()).isEqualTo(Status.SENDING);
    assertThat(reserved.attempts()).isEqualTo(1);
    assertThat(reserved.reservation()).isEqualTo(1);
    assertThat(reserved.triedAt()).isEqualTo(at(7));
    assertThat(store.budgets(at(7))).containsExactly(SPENT);
    assertThat(headRows()).isEmpty();
  }

  @Test
  void with_nothing_next_nothing_is_reserved_nor_spent() {
    StoredMessage only = sending(to("ann"));
    accept(to("ben"));

    SettleResult settled =
        settle(SettlementDraft.of(only, lease).at(at(7)).then(leave(at(7), SPENT)));

    assertThat(settled).isEqualTo(new SettleResult(true, null, null));
    assertThat(store.budgets(at(7))).isEmpty();
  }

  @Test
  void an_expired_next_becomes_the_head_but_is_not_reserved() {
    StoredMessage first = sending(to("ann"));
    StoredMessage second = stored(to("ann").expires(at(7)));

    SettleResult settled =
        settle(SettlementDraft.of(first, lease).at(at(7)).then(leave(at(7), SPENT)));

    assertThat(settled.reserved()).isNull();
    assertThat(present(settled.next()).row()).isEqualTo(second.row());
    assertThat(status(second)).isEqualTo(Status.QUEUED);
    assertThat(find(second.id()).attempts()).isZero();
    assertThat(store.budgets(at(7))).isEmpty();
  }

  @Test
  void a_retry_reserves_nobody_else() {
    StoredMessage first = sending(to("ann"));
    StoredMessage second = stored(to("ann"));

    SettleResult settled =
        settle(SettlementDraft.of(first, lease).at(at(7)).again(at(9)).then(leave(at(7), SPENT)));

    assertThat(settled).isEqualTo(new SettleResult(true, null, null));
    assertThat(status(second)).isEqualTo(Status.QUEUED);
    assertThat(store.budgets(at(7))).isEmpty();
  }

  @Test
  void the_next_is_neither_scheduled_nor_outside_the_order() {
    StoredMessage first = sending(to("ann"));
    accept(to("ann").unordered());
    accept(to("ann").due(at(5)));

    assertThat(settle(SettlementDraft.of(first, lease).at(at(7)).then(leave(at(7)))))
        .isEqualTo(new SettleResult(true, null, null));
  }

  // ---- words that do not count

  @Test
  void a_settlement_of_an_older_reservation_is_stale_and_changes_nothing() {
    StoredMessage old = sending(to("ann"));
    settle(SettlementDraft.of(old, lease).at(at(1)).again(at(2)));
    StoredMessage current = reserve(old, at(2));
    StoredMessage behind = stored(to("ann"));

    assertStaleAndUnchanged(old, current, behind);
  }

  @Test
  void a_settlement_of_an_ended_message_is_stale_and_changes_nothing() {
    StoredMessage sending = sending(to("ann"));
    deliver(sending, at(1));
    StoredMessage ended = find(sending.id());
    StoredMessage next = stored(to("ann"));

    assertStaleAndUnchanged(sending, ended, next);
  }

  @Test
  void a_settlement_of_a_message_that_waits_again_is_stale_and_changes_nothing() {
    StoredMessage sending = sending(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(2)));
    StoredMessage waiting = find(sending.id());
    StoredMessage behind = stored(to("ann"));

    assertStaleAndUnchanged(sending, waiting, behind);
  }

  private void assertStaleAndUnchanged(
      StoredMessage stale, StoredMessage now, StoredMessage neighbour) {
    var heads = headRows();

    SettleResult settled =
        settle(
            SettlementDraft.of(stale, lease)
                .status(Status.FAILED)
                .at(at(9))
                .because("stale", "stale")
                .progress(GONE)
                .history(entry(1, "stale"))
                .closes(CLOSED)
                .then(leave(at(9), SPENT)));

    assertThat(settled).isEqualTo(SettleResult.STALE);
    assertThat(find(stale.id())).isEqualTo(now);
    assertThat(find(neighbour.id())).isEqualTo(neighbour);
    assertThat(history(stale)).isEmpty();
    assertThat(store.budgets(at(9))).isEmpty();
    assertThat(headRows()).isEqualTo(heads);
  }

  @Test
  void a_settlement_under_a_lost_lease_is_refused_and_changes_nothing() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));
    var lost = lease;
    lease("bot");

    Throwable refusal =
        failure(
            store.settle(
                SettlementDraft.of(sending, lost)
                    .at(at(1))
                    .history(entry(1, "lost"))
                    .closes(CLOSED)
                    .build()));

    assertThat(refusal).isInstanceOf(LeaseLost.class).hasMessageContaining("'bot'");
    assertThat(find(sending.id())).isEqualTo(sending);
    assertThat(find(behind.id())).isEqualTo(behind);
    assertThat(history(sending)).isEmpty();
    assertThat(store.budgets(at(1))).isEmpty();
  }
}
