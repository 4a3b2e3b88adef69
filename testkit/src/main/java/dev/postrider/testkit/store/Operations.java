package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.StoredMessage;
import org.junit.jupiter.api.Test;

/** What an operator does to a message by name: cancel, hurry, discard. */
abstract class Operations extends StoreBehaviour {
  Operations(StoreContract contract) {
    super(contract);
  }

  // ---- cancel

  @Test
  void a_cancelled_head_gives_way_to_the_next() {
    StoredMessage first = stored(to("ann"));
    StoredMessage second = stored(to("ann"));

    OperationResult change = done(store.cancel(first.id(), at(5)));

    assertThat(change.applied()).isTrue();
    assertThat(change.message()).isEqualTo(find(first.id()));
    assertThat(present(change.message()).status()).isEqualTo(Status.CANCELLED);
    assertThat(present(change.message()).endedAt()).isEqualTo(at(5));
    assertThat(change.next())
        .isEqualTo(new Head(second.row(), "bot", "ann", Priority.LIVE, at(5), true, false));
    assertThat(headRows()).containsExactly(second.row());
  }

  @Test
  void a_cancelled_message_behind_others_leaves_the_head_alone() {
    StoredMessage first = stored(to("ann"));
    StoredMessage second = stored(to("ann"));
    StoredMessage third = stored(to("ann"));

    OperationResult change = done(store.cancel(second.id(), at(5)));

    assertThat(change.applied()).isTrue();
    assertThat(change.next()).isNull();
    assertThat(headRows()).containsExactly(first.row());
    assertThat(present(deliver(reserve(first, at(6)), at(6)).next()).row()).isEqualTo(third.row());
  }

  @Test
  void a_scheduled_message_can_be_cancelled_and_its_lane_does_not_notice() {
    StoredMessage scheduled = stored(to("ann").due(at(60)));
    StoredMessage first = stored(to("ann"));

    OperationResult change = done(store.cancel(scheduled.id(), at(5)));

    assertThat(change.applied()).isTrue();
    assertThat(change.next()).isNull();
    assertThat(headRows()).containsExactly(first.row());
  }

  @Test
  void a_message_outside_the_order_can_be_cancelled_and_its_lane_does_not_notice() {
    StoredMessage first = stored(to("ann"));
    StoredMessage outside = stored(to("ann").unordered());

    assertThat(done(store.cancel(outside.id(), at(5))).next()).isNull();

    assertThat(headRows()).containsExactly(first.row());
  }

  @Test
  void a_message_waiting_for_its_retry_can_be_cancelled() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(100)));

    assertThat(present(done(store.cancel(sending.id(), at(5))).next()).row())
        .isEqualTo(behind.row());
  }

  @Test
  void a_message_under_way_is_not_cancelled() {
    StoredMessage sending = sending(to("ann"));
    accept(to("ann"));

    assertThat(done(store.cancel(sending.id(), at(5))))
        .isEqualTo(new OperationResult(sending, false, null));
    assertThat(deliver(sending, at(6)).applied()).isTrue();
  }

  @Test
  void an_ended_message_is_not_cancelled() {
    StoredMessage failed = ended(to("ann"), Status.FAILED, at(1));

    assertThat(done(store.cancel(failed.id(), at(5))))
        .isEqualTo(new OperationResult(failed, false, null));
    assertThat(find(failed.id())).isEqualTo(failed);
  }

  @Test
  void a_message_that_does_not_exist_is_neither_cancelled_nor_hurried_nor_discarded() {
    assertThat(done(store.cancel(MessageDraft.nextId(), at(1))))
        .isEqualTo(new OperationResult(null, false, null));
    assertThat(done(store.retry(MessageDraft.nextId(), at(1))))
        .isEqualTo(new OperationResult(null, false, null));
    assertThat(done(store.discard(MessageDraft.nextId()))).isFalse();
  }

  @Test
  void a_cancelled_message_stays_cancelled_over_reopening() {
    StoredMessage first = stored(to("ann"));
    StoredMessage second = stored(to("ann"));
    done(store.cancel(first.id(), at(5)));

    reopen();

    assertThat(status(first)).isEqualTo(Status.CANCELLED);
    assertThat(headRows()).containsExactly(second.row());
  }

  // ---- hurry

  @Test
  void a_hurried_head_is_due_now() {
    StoredMessage sending = sending(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)).again(at(600)));

    OperationResult change = done(store.retry(sending.id(), at(5)));

    assertThat(change.applied()).isTrue();
    assertThat(present(change.message()).dueAt()).isEqualTo(at(5));
    assertThat(change.message()).isEqualTo(find(sending.id()));
    assertThat(change.next())
        .isEqualTo(new Head(sending.row(), "bot", "ann", Priority.LIVE, at(5), true, false));
    assertThat(canReserve(sending, at(5))).isTrue();
  }

  @Test
  void a_hurried_scheduled_message_may_enter_its_lane_now() {
    StoredMessage scheduled = stored(to("ann").due(at(600)));

    OperationResult change = done(store.retry(scheduled.id(), at(5)));

    assertThat(change.applied()).isTrue();
    assertThat(present(change.next()).scheduled()).isTrue();
    assertThat(done(store.enter("bot", scheduled.row(), at(5)))).isPresent();
  }

  @Test
  void hurrying_never_makes_a_message_later() {
    StoredMessage waiting = stored(to("ann").at(at(1)));

    assertThat(done(store.retry(waiting.id(), at(5))).applied()).isTrue();

    assertThat(find(waiting.id()).dueAt()).isEqualTo(at(1));
  }

  @Test
  void only_a_queued_head_is_hurried() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));
    StoredMessage failed = ended(to("ben"), Status.FAILED, at(1));

    for (StoredMessage message : new StoredMessage[] {sending, behind, failed}) {
      assertThat(done(store.retry(message.id(), at(5))))
          .isEqualTo(new OperationResult(message, false, null));
      assertThat(find(message.id())).isEqualTo(message);
    }
  }

  // ---- discard

  @Test
  void a_discarded_dead_letter_is_gone_with_its_history() {
    StoredMessage sending = sending(to("ann").key("k"));
    settle(
        SettlementDraft.of(sending, lease)
            .status(Status.FAILED)
            .at(at(1))
            .history(new HistoryEntry(at(1), 1, 0, "rejected", null, null)));
    assertThat(history(sending)).hasSize(1);

    assertThat(done(store.discard(sending.id()))).isTrue();

    assertThat(store.find(sending.id())).isEmpty();
    assertThat(history(sending)).isEmpty();
    assertThat(done(store.discard(sending.id()))).isFalse();
  }

  @Test
  void every_kind_of_dead_letter_can_be_discarded() {
    for (Status status : new Status[] {Status.FAILED, Status.EXPIRED, Status.HELD}) {
      assertThat(done(store.discard(ended(to("ann"), status, at(1)).id()))).isTrue();
    }
  }

  @Test
  void what_is_no_dead_letter_is_not_discarded() {
    StoredMessage queued = stored(to("queued"));
    StoredMessage sending = sending(to("sending"));
    StoredMessage delivered = ended(to("delivered"), Status.DELIVERED, at(1));
    StoredMessage cancelled = ended(to("cancelled"), Status.CANCELLED, at(1));

    for (StoredMessage message : new StoredMessage[] {queued, sending, delivered, cancelled}) {
      assertThat(done(store.discard(message.id()))).isFalse();
      assertThat(find(message.id())).isEqualTo(message);
    }
  }
}
