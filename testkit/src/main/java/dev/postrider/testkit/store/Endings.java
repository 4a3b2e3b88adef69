package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Status;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.StoredMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that end without an attempt: their time is over, or their account is gone. */
abstract class Endings extends StoreBehaviour {
  Endings(StoreContract contract) {
    super(contract);
  }

  private static List<Long> rows(List<EndedMessage> ended) {
    return ended.stream().map(each -> each.message().row()).toList();
  }

  // ---- expiry

  @Test
  void a_message_whose_time_is_over_ends_as_expired() {
    StoredMessage message = stored(to("ann").expires(at(10)));

    List<EndedMessage> ended = done(store.expire(at(10), 10));

    assertThat(ended).containsExactly(new EndedMessage(find(message.id()), null));
    StoredMessage now = find(message.id());
    assertThat(now.status()).isEqualTo(Status.EXPIRED);
    assertThat(now.endedAt()).isEqualTo(at(10));
    assertThat(now.reason()).isEqualTo("expired");
    assertThat(now.error()).isNotBlank();
    assertThat(headRows()).isEmpty();
  }

  @Test
  void a_message_does_not_expire_before_its_time() {
    StoredMessage message = stored(to("ann").expires(at(10)));

    assertThat(done(store.expire(at(9), 10))).isEmpty();
    assertThat(find(message.id())).isEqualTo(message);
  }

  @Test
  void messages_expire_in_batches_the_oldest_first() {
    StoredMessage third = stored(to("c").expires(at(3)));
    StoredMessage first = stored(to("a").expires(at(1)));
    StoredMessage second = stored(to("b").expires(at(2)));
    accept(to("d").expires(at(99)));

    assertThat(rows(done(store.expire(at(10), 2)))).containsExactly(first.row(), second.row());
    assertThat(rows(done(store.expire(at(10), 2)))).containsExactly(third.row());
    assertThat(done(store.expire(at(10), 2))).isEmpty();
  }

  @Test
  void an_expired_head_gives_way_to_the_next() {
    accept(to("ann").expires(at(10)));
    StoredMessage second = stored(to("ann"));

    List<EndedMessage> ended = done(store.expire(at(11), 10));

    assertThat(present(ended.getFirst().next()).row()).isEqualTo(second.row());
    assertThat(present(ended.getFirst().next()).dueAt()).isEqualTo(at(11));
    assertThat(headRows()).containsExactly(second.row());
  }

  @Test
  void a_message_expires_behind_a_head_that_does_not() {
    StoredMessage first = sending(to("ann"));
    StoredMessage second = stored(to("ann").expires(at(10)));
    StoredMessage third = stored(to("ann"));

    assertThat(done(store.expire(at(11), 10)))
        .containsExactly(new EndedMessage(find(second.id()), null));

    assertThat(present(deliver(first, at(12)).next()).row()).isEqualTo(third.row());
  }

  @Test
  void a_whole_lane_can_expire_at_once() {
    for (int i = 0; i < 5; i++) {
      accept(to("ann").expires(at(10)));
    }
    StoredMessage last = stored(to("ann"));

    assertThat(done(store.expire(at(10), 99))).hasSize(5);

    assertThat(headRows()).containsExactly(last.row());
  }

  @Test
  void scheduled_messages_and_those_outside_the_order_expire_too() {
    StoredMessage scheduled = stored(to("ann").due(at(20)).expires(at(10)));
    StoredMessage outside = stored(to("ann").unordered().expires(at(11)));

    List<EndedMessage> ended = done(store.expire(at(12), 10));

    assertThat(rows(ended)).containsExactly(scheduled.row(), outside.row());
    assertThat(ended).extracting(EndedMessage::next).containsOnlyNulls();
  }

  @Test
  void an_attempt_under_way_does_not_expire() {
    StoredMessage sending = sending(to("ann").expires(at(10)));

    assertThat(done(store.expire(at(11), 10))).isEmpty();
    assertThat(deliver(sending, at(12)).applied()).isTrue();
  }

  @Test
  void expired_messages_are_dead_letters_after_reopening() {
    StoredMessage message = stored(to("ann").expires(at(10)));
    done(store.expire(at(10), 10));

    reopen();

    assertThat(status(message)).isEqualTo(Status.EXPIRED);
  }

  // ---- accounts that are gone

  @Test
  void the_queued_messages_of_an_account_end_as_failed_with_the_reason() {
    StoredMessage message = stored(to("ann"));
    StoredMessage other = stored(MessageDraft.to("other", "ann"));

    List<EndedMessage> ended = done(store.failQueued("bot", "account-missing", at(5), 10));

    assertThat(ended).containsExactly(new EndedMessage(find(message.id()), null));
    StoredMessage now = find(message.id());
    assertThat(now.status()).isEqualTo(Status.FAILED);
    assertThat(now.reason()).isEqualTo("account-missing");
    assertThat(now.error()).isNotBlank();
    assertThat(now.endedAt()).isEqualTo(at(5));
    assertThat(find(other.id())).isEqualTo(other);
  }

  @Test
  void failing_reaches_the_messages_behind_others_scheduled_and_outside_the_order() {
    for (int i = 0; i < 3; i++) {
      accept(to("ann"));
      accept(to("ben").bulk());
    }
    accept(to("ann").unordered());
    accept(to("ann").due(at(60)));

    assertThat(done(store.failQueued("bot", "gone", at(5), 99))).hasSize(8);
    assertThat(headRows()).isEmpty();
  }

  @Test
  void failing_goes_in_batches_that_are_full_until_the_last() {
    for (int i = 0; i < 7; i++) {
      accept(to("ann"));
    }

    assertThat(done(store.failQueued("bot", "gone", at(5), 3))).hasSize(3);
    assertThat(headRows()).hasSize(1);
    assertThat(done(store.failQueued("bot", "gone", at(5), 3))).hasSize(3);
    assertThat(done(store.failQueued("bot", "gone", at(5), 3))).hasSize(1);
    assertThat(done(store.failQueued("bot", "gone", at(5), 3))).isEmpty();
  }

  @Test
  void an_attempt_under_way_is_not_failed_and_keeps_its_lane() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));

    assertThat(rows(done(store.failQueued("bot", "gone", at(5), 9)))).containsExactly(behind.row());
    assertThat(status(sending)).isEqualTo(Status.SENDING);
  }

  @Test
  void an_account_nobody_knows_has_nothing_to_fail() {
    assertThat(done(store.failQueued("nobody", "gone", at(5), 9))).isEmpty();
  }
}
