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
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages are listed and counted by how far they got, by their platforms' word. */
abstract class ReceiptStatuses extends StoreBehaviour {
  private static final Part PART = Part.plain("x");

  ReceiptStatuses(StoreContract contract) {
    super(contract);
  }

  private StoredMessage accepted(MessageDraft draft, String... receipts) {
    StoredMessage sending = sending(draft);
    List<PartState> parts =
        Stream.of(receipts)
            .map(receipt -> PartState.PENDING.delivered(new Receipt(receipt, true)))
            .toList();
    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(new Progress(parts)));
    return sending;
  }

  private void tell(String receipt, State state) {
    DeliveryReport report = new DeliveryReport(receipt, state, at(2), null);
    done(store.report("bot", List.of(report), OnReceiptFailed.DEAD_LETTER, at(2)));
  }

  private List<MessageId> listed(State state) {
    return listed(state, 99, _ -> {});
  }

  private List<MessageId> listed(State state, int limit, Consumer<MessageFilter.Builder> more) {
    MessageFilter.Builder filter = new MessageFilter.Builder().receiptStatus(state);
    more.accept(filter);
    List<MessageId> all = new ArrayList<>();
    @Nullable String cursor = null;
    do {
      Page<StoredMessage> page = store.list(filter.build(), cursor, limit);
      page.items().forEach(message -> all.add(message.id()));
      cursor = page.next();
    } while (cursor != null);
    return all;
  }

  private List<Long> counted() {
    ReceiptCounts counts = store.countReceipts(null, 1_000);
    return Arrays.stream(State.values()).map(counts::of).toList();
  }

  @Test
  void a_message_is_listed_and_counted_where_the_platforms_word_puts_it() {
    StoredMessage ordinary = sending(to("zoe"));
    settle(SettlementDraft.of(ordinary, lease).at(at(1)));
    StoredMessage sent = accepted(to("ann"), "sent");
    StoredMessage delivered = accepted(to("ben"), "delivered");
    StoredMessage read = accepted(to("cid"), "read");
    StoredMessage failed = accepted(to("dan"), "failed");

    tell("delivered", State.DELIVERED);
    tell("read", State.READ);
    tell("read", State.DELIVERED);
    tell("failed", State.FAILED);

    assertThat(listed(State.SENT)).as("nothing was heard of it").containsExactly(sent.id());
    assertThat(listed(State.DELIVERED)).containsExactly(delivered.id());
    assertThat(listed(State.READ)).containsExactly(read.id());
    assertThat(listed(State.FAILED)).containsExactly(failed.id());
    assertThat(counted()).containsExactly(1L, 1L, 1L, 1L);
    reopen();
    assertThat(listed(State.READ)).containsExactly(read.id());
  }

  @Test
  void of_several_parts_the_least_far_counts_and_one_that_failed_before_all() {
    StoredMessage message = accepted(to("ann").plan(PART, PART), "a", "b");
    tell("a", State.READ);
    assertThat(listed(State.SENT)).containsExactly(message.id());
    tell("b", State.DELIVERED);
    assertThat(listed(State.DELIVERED)).containsExactly(message.id());

    tell("b", State.FAILED);

    assertThat(listed(State.FAILED)).containsExactly(message.id());
    assertThat(counted()).containsExactly(0L, 0L, 0L, 1L);
    assertThat(ReceiptState.of(store.receipts(message.id()))).isEqualTo(State.FAILED);
  }

  @Test
  void word_that_is_faster_than_our_own_outcome_is_listed_when_the_message_is_known() {
    StoredMessage sending = sending(to("ann"));
    tell("r", State.READ);
    assertThat(counted()).containsExactly(0L, 0L, 0L, 0L);

    PartState part = PartState.PENDING.delivered(new Receipt("r", true));
    settle(SettlementDraft.of(sending, lease).at(at(1)).progress(new Progress(List.of(part))));

    assertThat(listed(State.READ)).containsExactly(sending.id());
  }

  @Test
  void pages_go_on_where_they_ended_the_newest_first_over_all_accounts() {
    List<MessageId> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.addFirst(accepted(to("chat" + i), "r" + i).id());
    }
    lease = lease("other");
    all.addFirst(accepted(MessageDraft.to("other", "x"), "theirs").id());

    for (int limit : List.of(1, 2, 3, 99)) {
      assertThat(listed(State.SENT, limit, _ -> {})).containsExactlyElementsOf(all);
    }
    assertThat(listed(State.SENT, 9, filter -> filter.account("other")))
        .containsExactly(all.getFirst());
    assertThat(listed(State.SENT, 9, filter -> filter.account("nobody"))).isEmpty();
    assertThat(store.countReceipts("other", 9).of(State.SENT)).isOne();
    assertThat(store.countReceipts("nobody", 9)).isEqualTo(ReceiptCounts.NONE);
  }

  @Test
  void other_conditions_hold_besides() {
    StoredMessage ann =
        accepted(to("ann").key("k").with(one -> one.metadata(Map.of("run", "r1"))), "a");
    accepted(to("ben"), "b");
    StoredMessage dead = accepted(to("ann"), "c");
    tell("c", State.FAILED);

    assertThat(listed(State.SENT, 9, filter -> filter.chat("ann"))).containsExactly(ann.id());
    assertThat(listed(State.SENT, 9, filter -> filter.runId("r1"))).containsExactly(ann.id());
    assertThat(listed(State.SENT, 9, filter -> filter.runId("r2"))).isEmpty();
    assertThat(listed(State.SENT, 9, filter -> filter.idempotencyKey("k")))
        .containsExactly(ann.id());
    assertThat(listed(State.READ, 9, filter -> filter.idempotencyKey("k"))).isEmpty();
    assertThat(listed(State.READ, 9, filter -> filter.receipt("a"))).isEmpty();
    assertThat(listed(State.FAILED, 9, filter -> filter.statuses(Set.of(Status.FAILED))))
        .containsExactly(dead.id());
    assertThat(listed(State.FAILED, 9, filter -> filter.statuses(Set.of(Status.SENDING))))
        .isEmpty();
    assertThat(listed(State.SENT, 9, filter -> filter.since(at(50)))).isEmpty();
  }

  @Test
  void counting_ends_where_it_is_enough() {
    for (int i = 0; i < 5; i++) {
      accepted(to("chat" + i), "r" + i);
    }

    assertThat(store.countReceipts(null, 3)).isEqualTo(counts(3, true));
    assertThat(store.countReceipts(null, 6)).isEqualTo(counts(5, false));
  }

  private static ReceiptCounts counts(long sent, boolean more) {
    return new ReceiptCounts(
        Map.of(State.SENT, sent, State.DELIVERED, 0L, State.READ, 0L, State.FAILED, 0L), more);
  }

  @Test
  void what_is_forgotten_is_not_counted() {
    accepted(to("ann"), "r");
    tell("r", State.READ);

    done(store.prune(new Retention(at(10), at(10), at(10)), 99));

    assertThat(counted()).containsExactly(0L, 0L, 0L, 0L);
    assertThat(listed(State.READ)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void however_outcomes_and_word_race_the_lists_say_what_the_receipts_say(long seed) {
    Random random = new Random(seed);
    int count = 30;
    List<StoredMessage> sending = new ArrayList<>();
    List<String> turns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sending.add(sending(to("chat" + i).plan(PART, PART)));
      turns.add("settle " + i);
      for (String part : List.of("a", "b")) {
        int words = random.nextInt(4);
        for (int n = 0; n < words; n++) {
          turns.add(part + i + " " + State.values()[random.nextInt(4)]);
        }
      }
    }
    Collections.shuffle(turns, random);
    List<CompletableFuture<?>> writes = new ArrayList<>();
    for (String turn : turns) {
      String[] words = turn.split(" ");
      if (words[0].equals("settle")) {
        int i = Integer.parseInt(words[1]);
        List<PartState> parts =
            Stream.of("a", "b")
                .map(part -> PartState.PENDING.delivered(new Receipt(part + i, true)))
                .toList();
        writes.add(
            store.settle(
                SettlementDraft.of(sending.get(i), lease)
                    .at(at(1))
                    .progress(new Progress(parts))
                    .build()));
      } else {
        DeliveryReport report = new DeliveryReport(words[0], State.valueOf(words[1]), at(2), null);
        writes.add(store.report("bot", List.of(report), OnReceiptFailed.RECORD, at(2)));
      }
    }
    writes.forEach(this::done);

    long listed = 0;
    for (State state : State.values()) {
      List<MessageId> those = listed(state);
      listed += those.size();
      assertThat(those)
          .as("%s", state)
          .allMatch(id -> ReceiptState.of(store.receipts(id)) == state);
    }
    assertThat(listed).isEqualTo(count);
  }
}
