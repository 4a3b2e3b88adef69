package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Retention;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A platform that says "failed" of what it had accepted: the message is a dead letter then. */
abstract class FailedReceipts extends StoreBehaviour {
  private static final Part PART = Part.plain("x");

  FailedReceipts(StoreContract contract) {
    super(contract);
  }

  private static DeliveryReport word(String receipt, State state) {
    return new DeliveryReport(receipt, state, at(7), "131026: not on WhatsApp");
  }

  private List<ReportResult> tell(Instant now, DeliveryReport... reports) {
    return done(store.report("bot", List.of(reports), OnReceiptFailed.DEAD_LETTER, now));
  }

  private @Nullable StoredMessage failedBy(String receipt) {
    return tell(at(100), word(receipt, State.FAILED)).getFirst().failed();
  }

  private static PartState accepted(String receipt) {
    return PartState.PENDING.delivered(new Receipt(receipt, true));
  }

  private static Progress parts(PartState... parts) {
    return new Progress(List.of(parts));
  }

  private StoredMessage delivered(MessageDraft draft, PartState... parts) {
    StoredMessage sending = sending(draft);
    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(parts(parts)));
    return sending;
  }

  private StoredMessage now(StoredMessage message) {
    return store.find(message.id()).orElseThrow();
  }

  private long deadLetters() {
    return done(store.depths()).stream().mapToLong(QueueDepth::deadLetters).sum();
  }

  private long active() {
    return done(store.depths()).stream().mapToLong(QueueDepth::active).sum();
  }

  private List<MessageId> listed(Status status) {
    return store.list(MessageFilter.status(status), null, 99).items().stream()
        .map(StoredMessage::id)
        .toList();
  }

  @Test
  void a_delivered_message_whose_part_failed_later_is_a_dead_letter_with_the_platforms_word() {
    StoredMessage message = delivered(to("ann"), accepted("r"));

    StoredMessage failed = present(failedBy("r"));

    assertThat(failed).isEqualTo(now(message));
    assertThat(failed.status()).isEqualTo(Status.FAILED);
    assertThat(failed.reason()).isEqualTo("receipt-failed");
    assertThat(failed.error()).isEqualTo("131026: not on WhatsApp");
    assertThat(failed.endedAt()).isEqualTo(at(100));
    assertThat(failed.progress().parts().getFirst().state()).isEqualTo(PartState.State.FAILED);
    assertThat(failed.progress().parts().getFirst().receipt()).isEqualTo(new Receipt("r", true));
    assertThat(store.history(message.id()))
        .containsExactly(
            new HistoryEntry(at(100), 1, 0, "receipt-failed", "131026: not on WhatsApp", null));
    assertThat(listed(Status.FAILED)).containsExactly(message.id());
    assertThat(listed(Status.DELIVERED)).isEmpty();
    assertThat(deadLetters()).isOne();
    assertThat(active()).isZero();
    reopen();
    assertThat(now(message)).isEqualTo(failed);
    assertThat(deadLetters()).isOne();
  }

  @Test
  void the_same_word_again_and_word_that_comes_late_change_nothing_twice() {
    StoredMessage message = delivered(to("ann"), accepted("r"));
    tell(at(50), word("r", State.SENT));
    StoredMessage failed = present(failedBy("r"));

    assertThat(failedBy("r")).isNull();
    assertThat(tell(at(101), word("r", State.DELIVERED)).getFirst().failed()).isNull();

    assertThat(now(message)).isEqualTo(failed);
    assertThat(store.history(message.id())).hasSize(1);
    assertThat(deadLetters()).isOne();
  }

  @Test
  void a_dead_letter_stays_one_even_if_somebody_has_read_it() {
    StoredMessage message = delivered(to("ann"), accepted("r"));
    StoredMessage failed = present(failedBy("r"));

    assertThat(tell(at(101), word("r", State.READ)).getFirst().changed()).isTrue();

    assertThat(now(message)).isEqualTo(failed);
    assertThat(present(store.receipts(message.id()).getFirst().furthest()).state())
        .isEqualTo(State.READ);
  }

  @Test
  void what_was_read_does_not_fail_any_more() {
    StoredMessage message = delivered(to("ann"), accepted("r"));
    tell(at(50), word("r", State.READ));

    assertThat(failedBy("r")).isNull();

    assertThat(now(message).status()).isEqualTo(Status.DELIVERED);
  }

  @Test
  void only_recorded_it_stays_delivered() {
    StoredMessage message = delivered(to("ann"), accepted("r"));

    List<ReportResult> results =
        done(
            store.report("bot", List.of(word("r", State.FAILED)), OnReceiptFailed.RECORD, at(100)));

    assertThat(results.getFirst().failed()).isNull();
    assertThat(now(message).status()).isEqualTo(Status.DELIVERED);
    assertThat(store.history(message.id())).isEmpty();
    assertThat(deadLetters()).isZero();
  }

  @Test
  void word_that_is_faster_than_our_own_outcome_ends_the_message_as_failed() {
    StoredMessage sending = sending(to("ann"));
    StoredMessage behind = stored(to("ann"));
    assertThat(failedBy("r")).isNull();

    SettleResult settled =
        settle(SettlementDraft.of(sending, lease).at(at(1)).progress(parts(accepted("r"))));

    assertThat(settled.applied()).isTrue();
    assertThat(present(settled.failed())).isEqualTo(now(sending));
    assertThat(now(sending).status()).isEqualTo(Status.FAILED);
    assertThat(now(sending).reason()).isEqualTo("receipt-failed");
    assertThat(now(sending).endedAt()).isEqualTo(at(1));
    Head next = present(settled.next());
    assertThat(next.row()).as("the lane goes on").isEqualTo(behind.row());
    assertThat(deadLetters()).isOne();
    assertThat(active()).isOne();
  }

  @Test
  void word_on_the_first_part_while_the_second_is_on_its_way_counts_when_that_is_done() {
    StoredMessage sending = sending(to("ann").plan(PART, PART));
    done(store.progress(sending, lease, parts(accepted("one"), PartState.PENDING), null));

    assertThat(failedBy("one")).isNull();
    assertThat(now(sending).status()).isEqualTo(Status.SENDING);
    SettleResult settled =
        settle(
            SettlementDraft.of(sending, lease)
                .at(at(101))
                .progress(parts(accepted("one"), accepted("two"))));

    StoredMessage failed = present(settled.failed());
    assertThat(failed.progress().parts())
        .containsExactly(accepted("one").refusedLater(), accepted("two"));
    assertThat(now(sending)).isEqualTo(failed);
  }

  @Test
  void one_part_of_several_fails_the_message_and_a_replay_sends_that_part_only() {
    StoredMessage message =
        delivered(to("ann").plan(PART, PART, PART), accepted("a"), accepted("b"), accepted("c"));

    StoredMessage failed = present(failedBy("b"));
    assertThat(failed.progress().forReplay().parts())
        .containsExactly(accepted("a"), PartState.PENDING, accepted("c"));

    assertThat(failedBy("c")).as("it has failed already").isNull();
    assertThat(now(message).progress().forReplay().parts())
        .containsExactly(accepted("a"), PartState.PENDING, PartState.PENDING);
    assertThat(now(message).endedAt()).isEqualTo(at(100));
    assertThat(deadLetters()).isOne();
  }

  @Test
  void two_parts_that_fail_in_one_breath_fail_it_once() {
    StoredMessage message = delivered(to("ann").plan(PART, PART), accepted("a"), accepted("b"));

    List<ReportResult> results = tell(at(100), word("a", State.FAILED), word("b", State.FAILED));

    assertThat(results.stream().filter(result -> result.failed() != null)).hasSize(1);
    assertThat(now(message).progress().forReplay().isFresh()).isTrue();
    assertThat(store.history(message.id())).hasSize(1);
  }

  @Test
  void a_dead_letter_of_another_cause_keeps_its_cause_and_remembers_the_part() {
    StoredMessage sending = sending(to("ann").plan(PART, PART));
    settle(
        SettlementDraft.of(sending, lease)
            .at(at(1))
            .status(Status.FAILED)
            .because("no", "rejected-message")
            .progress(parts(accepted("a"), PartState.PENDING)));

    assertThat(failedBy("a")).isNull();

    assertThat(now(sending).reason()).isEqualTo("rejected-message");
    assertThat(now(sending).progress().forReplay().isFresh()).isTrue();
    assertThat(deadLetters()).isOne();
  }

  @Test
  void a_message_that_was_replayed_is_left_alone() {
    StoredMessage message = delivered(to("ann").plan(PART, PART), accepted("a"), accepted("b"));
    present(failedBy("a"));
    stored(to("ann").replays(message.id()));
    StoredMessage replayed = now(message);

    assertThat(failedBy("b")).isNull();

    assertThat(now(message)).isEqualTo(replayed);
  }

  @Test
  void it_is_kept_as_long_as_dead_letters_are() {
    StoredMessage message = delivered(to("ann"), accepted("r"));
    present(failedBy("r"));

    done(store.prune(new Retention(at(99), at(99), at(99)), 99));
    assertThat(store.find(message.id())).isPresent();

    done(store.prune(new Retention(at(101), at(101), at(101)), 99));
    assertThat(store.find(message.id())).isEmpty();
    assertThat(deadLetters()).isZero();
  }

  // ---- to be sent again

  private void tellToRetry(DeliveryReport report) {
    done(store.report("bot", List.of(report), OnReceiptFailed.RETRY, at(100)));
  }

  private List<MessageId> toRetry() {
    return store.toRetry(null, 99).stream().map(StoredMessage::id).toList();
  }

  @Test
  void what_is_to_be_sent_again_is_noted_until_it_was_replayed() {
    StoredMessage message = delivered(to("ann"), accepted("r"));
    StoredMessage other = delivered(to("ben"), accepted("s"));
    failedBy("s");
    tellToRetry(word("r", State.FAILED));

    assertThat(store.toRetry(null, 9)).containsExactly(now(message));
    assertThat(store.toRetry(message.row(), 9)).isEmpty();
    reopen();
    assertThat(toRetry()).containsExactly(message.id()).doesNotContain(other.id());
    stored(to("ann").replays(message.id()));
    assertThat(toRetry()).isEmpty();
  }

  @Test
  void what_cannot_help_what_is_given_up_and_what_is_gone_is_not_sent_again() {
    delivered(to("ann"), accepted("never"));
    StoredMessage given = delivered(to("ben"), accepted("given"));
    StoredMessage gone = delivered(to("cid"), accepted("gone"));

    tellToRetry(new DeliveryReport("never", State.FAILED, at(7), "not on WhatsApp", true));
    tellToRetry(word("given", State.FAILED));
    tellToRetry(word("gone", State.FAILED));
    assertThat(toRetry()).containsExactly(given.id(), gone.id());

    done(store.notToRetry(given));
    done(store.discard(gone.id()));
    assertThat(toRetry()).isEmpty();
  }

  private static DeliveryReport failedFor(String receipt, boolean good) {
    return new DeliveryReport(receipt, State.FAILED, at(7), "131026: not on WhatsApp", good);
  }

  private StoredMessage endsToBeRetried(MessageDraft draft, PartState... parts) {
    StoredMessage sending = sending(draft);
    settle(
        SettlementDraft.of(sending, lease)
            .at(at(2))
            .onReceiptFailed(OnReceiptFailed.RETRY)
            .progress(parts(parts)));
    return now(sending);
  }

  @Test
  void what_cannot_help_is_known_also_if_it_was_said_before_our_own_outcome() {
    tellToRetry(failedFor("never", true));
    tellToRetry(failedFor("perhaps", false));
    reopen();

    StoredMessage never = endsToBeRetried(to("ann"), accepted("never"));
    StoredMessage perhaps = endsToBeRetried(to("ben"), accepted("perhaps"));

    assertThat(never.status()).isEqualTo(Status.FAILED);
    assertThat(toRetry()).containsExactly(perhaps.id());
    assertThat(store.receipts(never.id()).getFirst().furthest())
        .isEqualTo(failedFor("never", true));
    assertThat(store.receipts(perhaps.id()).getFirst().furthest())
        .isEqualTo(failedFor("perhaps", false));
  }

  @Test
  void one_part_that_would_fail_again_is_enough_in_whichever_order_that_is_said() {
    for (List<String> order : List.of(List.of("a-never", "a"), List.of("b", "b-never"))) {
      delivered(to("ann").plan(PART, PART), accepted(order.getFirst()), accepted(order.getLast()));
      order.forEach(receipt -> tellToRetry(failedFor(receipt, receipt.endsWith("never"))));
    }
    delivered(to("ann").plan(PART, PART), accepted("c"), accepted("c-never"));
    done(
        store.report(
            "bot",
            List.of(failedFor("c", false), failedFor("c-never", true)),
            OnReceiptFailed.RETRY,
            at(100)));

    assertThat(toRetry()).isEmpty();
  }

  /** Whatever the order of outcomes and word, a part that failed and was not read fails it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void outcomes_and_failures_that_race_end_every_message_as_failed(long seed) {
    int count = 40;
    List<StoredMessage> sending = new ArrayList<>();
    List<String> turns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sending.add(sending(to("chat" + i).plan(PART, PART)));
      turns.addAll(List.of("settle " + i, "SENT " + i, "FAILED " + i, "DELIVERED " + i));
    }
    Collections.shuffle(turns, new Random(seed));
    List<CompletableFuture<SettleResult>> settles = new ArrayList<>();
    List<CompletableFuture<List<ReportResult>>> reports = new ArrayList<>();
    for (String turn : turns) {
      int i = Integer.parseInt(turn.split(" ")[1]);
      String first = turn.split(" ")[0];
      if (first.equals("settle")) {
        settles.add(
            store.settle(
                SettlementDraft.of(sending.get(i), lease)
                    .at(at(1))
                    .progress(parts(accepted("a" + i), accepted("b" + i)))
                    .build()));
      } else {
        List<DeliveryReport> both =
            List.of(word("a" + i, State.valueOf(first)), word("b" + i, State.SENT));
        reports.add(store.report("bot", both, OnReceiptFailed.DEAD_LETTER, at(2)));
      }
    }

    long ended =
        settles.stream().filter(each -> done(each).failed() != null).count()
            + reports.stream()
                .flatMap(each -> done(each).stream())
                .filter(result -> result.failed() != null)
                .count();

    assertThat(ended).as("each is told once").isEqualTo(count);
    assertThat(listed(Status.FAILED)).hasSize(count);
    assertThat(deadLetters()).isEqualTo(count);
    assertThat(active()).isZero();
  }
}
