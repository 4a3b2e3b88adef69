package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Status;
import dev.postrider.store.PruneResult;
import dev.postrider.store.Retention;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long ended messages are kept, and that pruning touches nothing else. */
abstract class Retentions extends StoreBehaviour {
  /** Prunes what ended before its second: delivered, dead, keyed. */
  private static Retention before(long delivered, long dead, long keys) {
    return new Retention(at(delivered), at(dead), at(keys));
  }

  Retentions(StoreContract contract) {
    super(contract);
  }

  @Test
  void delivered_and_cancelled_messages_are_pruned_once_they_ended_before_the_instant() {
    StoredMessage old = ended(to("a"), Status.DELIVERED, at(9));
    StoredMessage withdrawn = ended(to("b"), Status.CANCELLED, at(9));
    StoredMessage young = ended(to("c"), Status.DELIVERED, at(10));

    assertThat(done(store.prune(before(10, 0, 10), 99))).isEqualTo(new PruneResult(2, Map.of()));

    assertThat(store.find(old.id())).isEmpty();
    assertThat(store.find(withdrawn.id())).isEmpty();
    assertThat(find(young.id())).isEqualTo(young);
  }

  @Test
  void dead_letters_outlive_delivered_messages() {
    StoredMessage delivered = ended(to("a"), Status.DELIVERED, at(5));
    StoredMessage failed = ended(to("b"), Status.FAILED, at(5));
    StoredMessage expired = ended(to("c"), Status.EXPIRED, at(5));
    StoredMessage held = ended(to("d"), Status.HELD, at(5));

    done(store.prune(before(10, 5, 10), 99));

    assertThat(store.find(delivered.id())).isEmpty();
    for (StoredMessage dead : new StoredMessage[] {failed, expired, held}) {
      assertThat(find(dead.id())).isEqualTo(dead);
    }

    assertThat(done(store.prune(before(10, 6, 10), 99)))
        .isEqualTo(new PruneResult(3, Map.of("bot", 3)));
    assertThat(store.find(failed.id())).isEmpty();
  }

  @Test
  void pruned_dead_letters_are_counted_by_account() {
    ended(to("a"), Status.FAILED, at(5));
    ended(to("b"), Status.HELD, at(5));
    ended(to("c"), Status.DELIVERED, at(5));
    lease = lease("other");
    ended(MessageDraft.to("other", "a"), Status.FAILED, at(5));

    assertThat(done(store.prune(before(10, 10, 10), 99)))
        .isEqualTo(new PruneResult(4, Map.of("bot", 2, "other", 1)));
  }

  @Test
  void active_messages_are_never_pruned() {
    StoredMessage queued = stored(to("a"));
    StoredMessage scheduled = stored(to("a").due(at(60)));
    StoredMessage sending = sending(to("b"));

    assertThat(done(store.prune(new Retention(FAR, FAR, FAR), 99)).rows()).isZero();

    for (StoredMessage message : new StoredMessage[] {queued, scheduled, sending}) {
      assertThat(find(message.id())).isEqualTo(message);
    }
  }

  @Test
  void pruning_works_in_batches_of_the_limit() {
    for (int i = 0; i < 3; i++) {
      ended(to("a"), Status.DELIVERED, at(i));
      ended(to("a").key("k" + i), Status.DELIVERED, at(i));
      ended(to("a"), Status.FAILED, at(i));
    }

    assertThat(done(store.prune(before(10, 10, 10), 4)).rows()).isEqualTo(4);
    assertThat(done(store.prune(before(10, 10, 10), 4)).rows()).isEqualTo(4);
    assertThat(done(store.prune(before(10, 10, 10), 4)).rows()).isEqualTo(1);
    assertThat(done(store.prune(before(10, 10, 10), 4)).rows()).isZero();
  }

  @Test
  void a_key_is_remembered_for_a_day_however_short_the_retention() {
    Instant end = at(0);
    StoredMessage delivered = ended(to("a").key("one"), Status.DELIVERED, end);
    StoredMessage failed = ended(to("b").key("two"), Status.FAILED, end);
    StoredMessage plain = ended(to("c"), Status.DELIVERED, end);
    Instant now = end.plus(Duration.ofHours(24));

    done(store.prune(new Retention(now, now, now.minus(Duration.ofHours(24))), 99));

    assertThat(store.find(plain.id())).isEmpty();
    assertThat(done(store.accept(to("a").key("one").build())))
        .isEqualTo(new AcceptResult.Duplicate(delivered, true));
    assertThat(done(store.accept(to("b").key("two").build())))
        .isEqualTo(new AcceptResult.Duplicate(failed, true));

    Instant later = now.plusSeconds(1);
    done(store.prune(new Retention(later, later, later.minus(Duration.ofHours(24))), 99));

    accept(to("a").key("one"));
    accept(to("b").key("two"));
  }

  @Test
  void a_key_does_not_shorten_the_retention() {
    StoredMessage delivered = ended(to("a").key("k"), Status.DELIVERED, at(5));
    StoredMessage failed = ended(to("b").key("l"), Status.FAILED, at(5));

    assertThat(done(store.prune(before(5, 5, 100), 99)).rows()).isZero();

    assertThat(find(delivered.id())).isEqualTo(delivered);
    assertThat(find(failed.id())).isEqualTo(failed);
  }

  @Test
  void what_went_wrong_with_a_message_goes_with_it_and_with_nobody_else() {
    HistoryEntry entry = new HistoryEntry(at(1), 1, 0, "not-sent", null, null);
    StoredMessage gone = sending(to("a"));
    settle(SettlementDraft.of(gone, lease).at(at(1)).history(entry));
    StoredMessage stays = sending(to("b"));
    settle(SettlementDraft.of(stays, lease).at(at(50)).history(entry));

    done(store.prune(before(10, 10, 10), 99));

    assertThat(history(gone)).isEmpty();
    assertThat(history(stays)).containsExactly(entry);
    StoredMessage fresh = stored(to("c"));
    assertThat(history(fresh)).isEmpty();
  }

  @Test
  void a_new_message_after_pruning_and_reopening_inherits_nothing() {
    StoredMessage gone = sending(to("a"));
    settle(
        SettlementDraft.of(gone, lease)
            .at(at(1))
            .history(new HistoryEntry(at(1), 1, 0, "not-sent", null, null)));
    done(store.prune(before(10, 10, 10), 99));

    reopen();
    StoredMessage fresh = stored(to("a"));

    assertThat(history(fresh)).isEmpty();
    assertThat(store.find(gone.id())).isEmpty();
    assertThat(headRows()).containsExactly(fresh.row());
  }
}
