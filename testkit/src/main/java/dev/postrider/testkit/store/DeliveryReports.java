package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.Retention;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Delivery reports on parts that platforms accepted: the furthest is kept, whenever it comes. */
abstract class DeliveryReports extends StoreBehaviour {
  DeliveryReports(StoreContract contract) {
    super(contract);
  }

  private static DeliveryReport word(String receipt, State state) {
    return new DeliveryReport(receipt, state, at(state.ordinal()), "why " + state);
  }

  private ReportResult tell(String receipt, State state) {
    return tell("bot", word(receipt, state));
  }

  private ReportResult tell(String account, DeliveryReport report) {
    return done(store.report(account, List.of(report), OnReceiptFailed.RECORD, at(100))).getFirst();
  }

  private static PartState accepted(String receipt) {
    return PartState.PENDING.delivered(new Receipt(receipt, true));
  }

  private static PartState ordinary(String receipt) {
    return PartState.PENDING.delivered(new Receipt(receipt, false));
  }

  private static Progress parts(PartState... parts) {
    return new Progress(List.of(parts));
  }

  /** A delivered message whose only part was accepted with this receipt. */
  private StoredMessage accepting(MessageDraft draft, String receipt) {
    StoredMessage sending = sending(draft);
    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(parts(accepted(receipt))));
    return sending;
  }

  private static ReportResult about(
      DeliveryReport report, boolean changed, @Nullable StoredMessage message, int part) {
    return new ReportResult(report, changed, message == null ? null : message.id(), part);
  }

  // ---- whose part it is

  @Test
  void word_on_an_accepted_part_tells_which_message_and_part_it_is_about() {
    StoredMessage message = accepting(to("ann"), "r");

    assertThat(tell("r", State.DELIVERED))
        .isEqualTo(about(word("r", State.DELIVERED), true, message, 0));

    assertThat(store.receipts(message.id()))
        .containsExactly(new ReceiptState(0, "r", word("r", State.DELIVERED)));
    reopen();
    assertThat(store.receipts(message.id()))
        .containsExactly(new ReceiptState(0, "r", word("r", State.DELIVERED)));
  }

  @Test
  void an_accepted_part_is_listed_before_anything_is_heard_of_it() {
    StoredMessage message = accepting(to("ann"), "r");

    assertThat(store.receipts(message.id())).containsExactly(new ReceiptState(0, "r", null));
    assertThat(store.receipts(MessageDraft.nextId())).isEmpty();
  }

  @Test
  void word_that_is_faster_than_our_own_outcome_is_not_lost() {
    StoredMessage sending = sending(to("ann"));
    assertThat(tell("r", State.DELIVERED))
        .isEqualTo(about(word("r", State.DELIVERED), true, null, -1));
    assertThat(store.receipts(sending.id())).isEmpty();

    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(parts(accepted("r"))));

    assertThat(store.receipts(sending.id()))
        .containsExactly(new ReceiptState(0, "r", word("r", State.DELIVERED)));
    assertThat(tell("r", State.READ)).isEqualTo(about(word("r", State.READ), true, sending, 0));
  }

  @Test
  void parts_are_known_as_soon_as_their_progress_is_stored() {
    Part part = Part.plain("x");
    StoredMessage sending = sending(to("ann").plan(part, part, part));
    Progress first = parts(accepted("one"), PartState.PENDING, PartState.PENDING);
    done(store.progress(sending, lease, first, null));
    assertThat(tell("one", State.READ).message()).isEqualTo(sending.id());

    settle(
        SettlementDraft.of(sending, lease)
            .at(at(1))
            .progress(parts(accepted("one"), ordinary("two"), accepted("three"))));

    assertThat(store.receipts(sending.id()))
        .containsExactly(
            new ReceiptState(0, "one", word("one", State.READ)),
            new ReceiptState(2, "three", null));
    assertThat(tell("three", State.SENT).part()).isEqualTo(2);
    assertThat(tell("two", State.SENT).message()).as("an ordinary receipt").isNull();
  }

  @Test
  void a_part_that_is_tried_again_keeps_what_was_accepted_before() {
    Part part = Part.plain("x");
    StoredMessage sending = sending(to("ann").plan(part, part));
    settle(
        SettlementDraft.of(sending, lease)
            .at(at(1))
            .again(at(2))
            .progress(parts(accepted("one"), PartState.PENDING)));

    assertThat(tell("one", State.READ).message()).isEqualTo(sending.id());
  }

  @Test
  void a_stale_outcome_claims_nothing() {
    StoredMessage sending = sending(to("ann"));
    settle(SettlementDraft.of(sending, lease).at(at(1)));

    settle(SettlementDraft.of(sending, lease).at(at(2)).progress(parts(accepted("r"))));
    done(store.progress(sending, lease, parts(accepted("s")), null));

    assertThat(store.receipts(sending.id())).isEmpty();
    assertThat(tell("r", State.SENT).message()).isNull();
    assertThat(tell("s", State.SENT).message()).isNull();
  }

  @Test
  void the_first_claim_stays() {
    StoredMessage first = accepting(to("ann"), "r");
    StoredMessage second = accepting(to("ben"), "r");

    assertThat(tell("r", State.READ).message()).isEqualTo(first.id());
    assertThat(store.receipts(second.id())).isEmpty();
  }

  @Test
  void two_accounts_may_have_receipts_of_one_name() {
    StoredMessage ours = accepting(to("ann"), "r");
    lease = lease("other");
    StoredMessage theirs = accepting(MessageDraft.to("other", "ann"), "r");

    assertThat(tell("other", word("r", State.READ)).message()).isEqualTo(theirs.id());

    assertThat(store.receipts(ours.id())).containsExactly(new ReceiptState(0, "r", null));
  }

  // ---- how far it got

  @ParameterizedTest
  @CsvSource({
    "SENT, DELIVERED",
    "SENT, READ",
    "SENT, FAILED",
    "DELIVERED, READ",
    "DELIVERED, FAILED",
    "FAILED, READ"
  })
  void the_further_word_stays_in_whichever_order_they_come(State nearer, State further) {
    StoredMessage message = accepting(to("ann"), "up");
    StoredMessage other = accepting(to("ann"), "down");

    assertThat(tell("up", nearer).changed()).isTrue();
    assertThat(tell("up", further).changed()).isTrue();
    assertThat(tell("down", further).changed()).isTrue();
    assertThat(tell("down", nearer).changed()).isFalse();

    assertThat(store.receipts(message.id()))
        .containsExactly(new ReceiptState(0, "up", word("up", further)));
    assertThat(store.receipts(other.id()))
        .containsExactly(new ReceiptState(0, "down", word("down", further)));
  }

  @Test
  void the_same_word_again_changes_nothing() {
    StoredMessage message = accepting(to("ann"), "r");
    tell("r", State.FAILED);

    DeliveryReport again = new DeliveryReport("r", State.FAILED, at(50), "another reason");
    assertThat(tell("bot", again)).isEqualTo(about(again, false, message, 0));

    assertThat(store.receipts(message.id()))
        .containsExactly(new ReceiptState(0, "r", word("r", State.FAILED)));
  }

  @Test
  void word_in_one_breath_is_judged_in_its_order() {
    StoredMessage message = accepting(to("ann"), "r");
    List<DeliveryReport> reports =
        List.of(
            word("r", State.SENT),
            word("unknown", State.READ),
            word("r", State.READ),
            word("r", State.DELIVERED),
            word("unknown", State.READ));

    assertThat(done(store.report("bot", reports, OnReceiptFailed.RECORD, at(1))))
        .containsExactly(
            about(reports.get(0), true, message, 0),
            about(reports.get(1), true, null, -1),
            about(reports.get(2), true, message, 0),
            about(reports.get(3), false, message, 0),
            about(reports.get(4), false, null, -1));
    assertThat(done(store.report("bot", List.of(), OnReceiptFailed.RECORD, at(1)))).isEmpty();
  }

  @Test
  void words_without_reason_and_receipts_of_any_name_come_back() {
    for (String receipt : List.of("", "ä😀", "x".repeat(50_000), "'\"\\%_")) {
      StoredMessage message = accepting(to("ann"), receipt);
      DeliveryReport report = new DeliveryReport(receipt, State.READ, at(1), null);

      tell("bot", report);

      assertThat(store.receipts(message.id()))
          .containsExactly(new ReceiptState(0, receipt, report));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void outcomes_and_word_that_race_lose_nothing(long seed) {
    int count = 60;
    List<StoredMessage> sending = new ArrayList<>();
    List<String> turns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sending.add(sending(to("chat" + i)));
      turns.addAll(List.of("settle " + i, "SENT " + i, "DELIVERED " + i, "READ " + i));
    }
    Collections.shuffle(turns, new Random(seed));
    List<CompletableFuture<?>> writes = new ArrayList<>();
    Map<String, List<CompletableFuture<List<ReportResult>>>> told = new HashMap<>();
    for (String turn : turns) {
      String[] words = turn.split(" ");
      StoredMessage message = sending.get(Integer.parseInt(words[1]));
      String receipt = "r" + words[1];
      if (words[0].equals("settle")) {
        writes.add(
            store.settle(
                SettlementDraft.of(message, lease)
                    .at(at(1))
                    .progress(parts(accepted(receipt)))
                    .build()));
      } else {
        List<DeliveryReport> reports = List.of(word(receipt, State.valueOf(words[0])));
        CompletableFuture<List<ReportResult>> write =
            store.report("bot", reports, OnReceiptFailed.RECORD, at(1));
        told.computeIfAbsent(receipt, _ -> new ArrayList<>()).add(write);
        writes.add(write);
      }
    }
    writes.forEach(this::done);

    for (int i = 0; i < count; i++) {
      String receipt = "r" + i;
      assertThat(store.receipts(sending.get(i).id()))
          .containsExactly(new ReceiptState(0, receipt, word(receipt, State.READ)));
    }
    told.forEach(
        (receipt, reports) -> {
          State furthest = null;
          for (CompletableFuture<List<ReportResult>> each : reports) { // as they were handed in
            ReportResult reported = done(each).getFirst();
            State state = reported.report().state();
            assertThat(reported.changed()).as(receipt).isEqualTo(state.beats(furthest));
            furthest = reported.changed() ? state : furthest;
          }
        });
  }

  // ---- retention

  private void prune(Instant before) {
    done(store.prune(new Retention(before, before, before), 99));
  }

  @Test
  void receipts_go_with_their_message_and_with_nobody_else() {
    StoredMessage old = accepting(to("ann"), "old");
    StoredMessage dead = sending(to("ben"));
    settle(
        SettlementDraft.of(dead, lease)
            .status(Status.FAILED)
            .at(at(1))
            .progress(parts(accepted("dead"))));
    StoredMessage young = sending(to("ann"));
    settle(SettlementDraft.of(young, lease).at(at(50)).progress(parts(accepted("young"))));
    tell("old", State.READ);
    tell("young", State.READ);

    done(store.discard(dead.id()));
    prune(at(10));

    assertThat(store.receipts(old.id())).isEmpty();
    assertThat(store.receipts(young.id())).hasSize(1);
    assertThat(tell("old", State.SENT)).isEqualTo(about(word("old", State.SENT), true, null, -1));
    assertThat(tell("dead", State.SENT).message()).isNull();
    StoredMessage fresh = stored(to("cid"));
    assertThat(store.receipts(fresh.id())).isEmpty();
  }

  @Test
  void word_that_nobody_claims_is_forgotten_in_time_and_claimed_word_is_not() {
    StoredMessage message = accepting(to("ann"), "claimed");
    StoredMessage late = sending(to("ben"));
    for (String receipt : List.of("a", "b", "c", "late", "claimed")) {
      done(store.report("bot", List.of(word(receipt, State.READ)), OnReceiptFailed.RECORD, at(5)));
    }
    done(store.report("bot", List.of(word("young", State.READ)), OnReceiptFailed.RECORD, at(6)));
    settle(SettlementDraft.of(late, lease).at(at(1)).progress(parts(accepted("late"))));

    assertThat(done(store.pruneInbound(at(6), 2))).isEqualTo(2);
    assertThat(done(store.pruneInbound(at(6), 2))).isEqualTo(1);
    assertThat(done(store.pruneInbound(at(6), 2))).isZero();

    for (MessageId id : List.of(message.id(), late.id())) {
      assertThat(store.receipts(id)).hasSize(1).allMatch(state -> state.furthest() != null);
    }
    assertThat(tell("a", State.SENT).changed()).isTrue();
    assertThat(tell("young", State.SENT).changed()).isFalse();
  }
}
