package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Platforms call whichever node they reach: two write down the same, at the same moment. */
class InboundIntakeNodesTest {
  private final SystemScheduler time = new SystemScheduler();
  private final Ids ids = new Ids(time, new SplittableRandom());
  private final Random random = new Random(5);
  private final String url = Schemas.take();
  private long deadlocks;
  private Store one;
  private Store two;
  private Lease lease;

  @BeforeEach
  void open() throws SQLException {
    deadlocks = deadlocks();
    one = new PostgresStoreProvider().open(url, ClusterSettings.of("one"), time);
    two = new PostgresStoreProvider().open(url, ClusterSettings.of("two"), time);
    lease = await(one.acquire("bot", "one")).orElseThrow();
  }

  /** Whoever waits in a circle is retried, and nobody would notice; but it took a second. */
  @AfterEach
  void nobodyWaitedInACircle() throws SQLException {
    one.close();
    two.close();
    time.close();
    assertThat(deadlocks()).isEqualTo(deadlocks);
    Schemas.giveBack(url);
  }

  private long deadlocks() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Long count =
          new JdbcSession(connection)
              .one(
                  "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
                  row -> row.getLong(1));
      return count == null ? -1 : count;
    }
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private NewInbound event(String platformId) {
    InboundMessage arrival =
        new InboundMessage(
            platformId,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return new NewInbound(new InboundId(ids.next()), arrival, "s", time.instant());
  }

  private NewMessage message(String chat, String text) {
    Instant now = time.instant();
    MessageId id = ids.nextMessageId();
    return new NewMessage(
        id,
        Message.to("bot", chat).text(text).build(),
        new Plan(id, List.of(Part.plain(text))),
        Progress.none(1),
        now,
        now,
        now.plusSeconds(600),
        null,
        1000,
        null,
        null,
        false);
  }

  private StoredMessage accept(Store store, String chat, String text) {
    return ((AcceptResult.Stored) await(store.accept(message(chat, text)))).message();
  }

  private StoredMessage reserve(long row) {
    return await(one.reserve(row, new Reservation(lease, time.instant(), List.of()))).orElseThrow();
  }

  private Settlement delivered(StoredMessage sending, PartState part) {
    Instant now = time.instant();
    return new Settlement(
        sending,
        lease,
        Status.DELIVERED,
        now,
        now,
        true,
        new Progress(List.of(part)),
        null,
        null,
        false,
        false,
        null,
        List.of(),
        null);
  }

  @Test
  void an_event_that_both_are_told_at_once_is_stored_once() {
    int events = 500;
    for (int round = 0; round < 5; round++) {
      List<NewInbound> up = new ArrayList<>();
      List<NewInbound> down = new ArrayList<>();
      for (int i = 0; i < events; i++) {
        up.add(event(round + "/" + i));
        down.addFirst(event(round + "/" + i));
      }
      var first = one.receive("bot", up, "one");
      var second = two.receive("bot", down, "two");

      Map<InboundId, Integer> news = new HashMap<>();
      for (CompletableFuture<List<ReceiveResult>> write : List.of(first, second)) {
        await(write).forEach(each -> news.merge(each.id(), each.isNew() ? 1 : 0, Integer::sum));
      }
      assertThat(news).hasSize(events).allSatisfy((_, times) -> assertThat(times).isEqualTo(1));
    }
    assertThat(one.cursor("bot").orElseThrow()).isIn("one", "two");
    assertThat(two.inbound(InboundFilter.ALL, null, 9_000).items()).hasSize(5 * events);
  }

  @Test
  void word_that_both_hear_at_once_is_kept_once() {
    Instant at = Instant.parse("2026-03-01T12:00:00Z");
    List<String> receipts = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      receipts.add("r" + i);
    }
    for (DeliveryReport.State state :
        List.of(
            DeliveryReport.State.SENT, DeliveryReport.State.DELIVERED, DeliveryReport.State.READ)) {
      List<DeliveryReport> up =
          receipts.stream().map(receipt -> new DeliveryReport(receipt, state, at, null)).toList();
      var first = one.report("bot", up, OnReceiptFailed.RECORD, at);
      var second = two.report("bot", up.reversed(), OnReceiptFailed.RECORD, at);

      Map<String, Integer> changes = new HashMap<>();
      for (CompletableFuture<List<ReportResult>> write : List.of(first, second)) {
        await(write)
            .forEach(
                each ->
                    changes.merge(each.report().receipt(), each.changed() ? 1 : 0, Integer::sum));
      }
      assertThat(changes).hasSize(5_000);
      assertThat(changes.values()).containsOnly(1);
    }
  }

  @Test
  void word_at_one_node_and_outcomes_at_the_other_lose_nothing() {
    int count = 100;
    List<StoredMessage> sending = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sending.add(reserve(accept(one, "chat" + i, "hello").row()));
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    Instant at = Instant.parse("2026-03-01T12:00:00Z");
    List<CompletableFuture<?>> writes = new ArrayList<>();
    for (DeliveryReport.State state :
        List.of(DeliveryReport.State.READ, DeliveryReport.State.DELIVERED)) {
      for (Store store : List.of(two, one)) {
        Collections.shuffle(order, random);
        writes.add(
            store.report(
                "bot",
                order.stream().map(i -> new DeliveryReport("r" + i, state, at, null)).toList(),
                OnReceiptFailed.RECORD,
                at));
      }
    }
    Collections.shuffle(order, random);
    for (int i : order) {
      PartState accepted = PartState.PENDING.delivered(new Receipt("r" + i, true));
      writes.add(one.settle(delivered(sending.get(i), accepted)));
    }
    writes.forEach(this::await);

    for (int i = 0; i < count; i++) {
      assertThat(two.receipts(sending.get(i).id()))
          .containsExactly(
              new ReceiptState(
                  0, "r" + i, new DeliveryReport("r" + i, DeliveryReport.State.READ, at, null)));
    }
    ReportResult again =
        await(
                two.report(
                    "bot",
                    List.of(new DeliveryReport("r7", DeliveryReport.State.SENT, at, null)),
                    OnReceiptFailed.RECORD,
                    at))
            .getFirst();
    assertThat(again.message()).isEqualTo(sending.get(7).id());
    assertThat(again.changed()).isFalse();
  }

  @Test
  void what_was_accepted_elsewhere_before_a_lane_moves_keeps_its_place() {
    accept(one, "new", "n1");
    accept(one, "old", "o1");
    accept(two, "new", "n2"); // arrivals, which the owner has not looked at
    accept(two, "old", "o2");

    assertThat(await(one.moveLane(lease, "old", "new", SessionKey.DEFAULT, time.instant())))
        .contains(2);

    assertThat(drain()).containsExactly("n1", "n2", "o1", "o2");
  }

  @Test
  void what_was_accepted_elsewhere_for_a_chat_that_moves_meanwhile_keeps_its_place() {
    accept(one, "old", "o1");
    StoredMessage first = reserve(due().getFirst().row());
    accept(two, "new", "n1");
    accept(two, "old", "o2"); // nobody has looked at these
    await(one.settle(delivered(first, PartState.PENDING)));
    await(one.moveLane(lease, "old", "new", SessionKey.DEFAULT, time.instant()));

    accept(two, "old", "o3");
    accept(two, "new", "n2");
    accept(one, "old", "o4"); // the owner: behind what was accepted elsewhere
    accept(one, "new", "n3");
    assertThat(await(one.cluster().orElseThrow().takeIn(lease, time.instant(), 2))).isEqualTo(2);
    await(one.cluster().orElseThrow().takeIn(lease, time.instant(), 9));

    assertThat(drain()).containsExactly("n1", "o2", "o3", "n2", "o4", "n3");
  }

  private List<String> drain() {
    List<String> texts = new ArrayList<>();
    for (List<Head> due = due(); !due.isEmpty(); due = due()) {
      assertThat(due).hasSize(1);
      StoredMessage sending = reserve(due.getFirst().row());
      assertThat(sending.message().to()).isEqualTo("new");
      texts.add(sending.message().text());
      await(one.settle(delivered(sending, PartState.PENDING)));
    }
    return texts;
  }

  @Test
  void many_who_ask_at_once_for_an_account_that_another_node_has_made_are_answered() {
    accept(one, "ann", "hello");
    List<CompletableFuture<List<Head>>> asked = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      asked.add(two.due("bot", Priority.LIVE, time.instant().plusSeconds(1), null, 9));
    }

    asked.forEach(answer -> assertThat(await(answer)).hasSize(1));
  }

  private List<Head> due() {
    return await(one.due("bot", Priority.LIVE, time.instant().plusSeconds(1), null, 9));
  }
}
