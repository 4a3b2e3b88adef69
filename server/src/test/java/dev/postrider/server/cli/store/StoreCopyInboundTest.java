package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.testkit.store.Exports;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events, how far streams were read, and delivery reports move with the messages. */
class StoreCopyInboundTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final DeliveryReport READ =
      new DeliveryReport("r", DeliveryReport.State.READ, NOW, null);
  private static final DeliveryReport FAILED =
      new DeliveryReport("lost", DeliveryReport.State.FAILED, NOW, "why", true);

  private final Ids ids = new Ids(InstantSource.fixed(NOW), new SplittableRandom(3));
  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final SystemScheduler time = new SystemScheduler();
  private final MessageId message = ids.nextMessageId();

  @TempDir Path folder;
  private String sqlite = "";

  @BeforeEach
  void fill() {
    sqlite = "sqlite:" + folder.resolve("from.db");
    try (Store store = open(sqlite)) {
      fill(store);
    }
  }

  void fill(Store store) {
    for (int i = 0; i < 120; i++) {
      String account = i % 3 == 0 ? "bot" : "other";
      time.await(store.receive(account, List.of(event("e" + i, "s" + i % 2)), "cursor " + i));
    }
    Lease lease = time.await(store.acquire("bot", "test")).orElseThrow();
    NewMessage entry = hello(new Reservation(lease, NOW, List.of()));
    var sending = (AcceptResult.Stored) time.await(store.accept(entry));
    Progress accepted = new Progress(List.of(PartState.PENDING.delivered(new Receipt("r", true))));
    time.await(store.progress(sending.message(), lease, accepted, null));
    time.await(store.report("bot", List.of(READ, FAILED), OnReceiptFailed.RECORD, NOW));
    time.await(store.report("elsewhere", List.of(FAILED), OnReceiptFailed.RECORD, NOW));
  }

  @AfterEach
  void drop() {
    time.close();
    server.drop(postgres);
  }

  private Store open(String url) {
    StoreProvider provider =
        url.startsWith("sqlite:") ? new SqliteStoreProvider() : new PostgresStoreProvider();
    return provider.open(url, ClusterSettings.of("test"), time);
  }

  private NewInbound event(String platformId, String session) {
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
            Map.of("n", 0.1));
    return new NewInbound(new InboundId(ids.next()), arrival, session, NOW);
  }

  private NewMessage hello(Reservation reservation) {
    return new NewMessage(
        message,
        Message.to("bot", "ann").text("hello").build(),
        new Plan(message, List.of(Part.plain("hello"))),
        Progress.none(1),
        NOW,
        NOW,
        NOW.plusSeconds(600),
        null,
        1000,
        reservation,
        null,
        false);
  }

  private StoreCopy.Result move(String from, String to) {
    try (Store source = open(from);
        Store target = open(to)) {
      return new StoreCopy(
              new StoreCopy.Side(source, source.export().orElseThrow()),
              new StoreCopy.Side(target, target.export().orElseThrow()))
          .run(_ -> {}, _ -> {});
    }
  }

  private void assertWhole(String url) {
    try (Store store = open(url)) {
      List<StoredInbound> events = store.inbound(InboundFilter.ALL, null, 1_000).items();
      assertThat(events).hasSize(120);
      for (int i = 0; i < 120; i++) {
        assertThat(events.get(i).arrival().platformId()).isEqualTo("e" + (119 - i));
      }
      assertThat(store.cursor("bot")).contains("cursor 117");
      assertThat(store.cursor("other")).contains("cursor 119");
      assertThat(store.receipts(message)).containsExactly(new ReceiptState(0, "r", READ));
      assertThat(
              time.await(store.report("elsewhere", List.of(FAILED), OnReceiptFailed.RECORD, NOW)))
          .containsExactly(new ReportResult(FAILED, false, null, -1));
      assertThat(time.await(store.pruneInbound(NOW.plusSeconds(1), 1_000)))
          .as("word that nobody has claimed")
          .isEqualTo(2);
    }
  }

  @Test
  void what_came_from_platforms_moves_to_postgres_and_back() {
    StoreCopy.Result there = move(sqlite, postgres);
    assertThat(there.right()).as(there.toString()).isTrue();

    String back = "sqlite:" + folder.resolve("back.db");
    StoreCopy.Result again = move(postgres, back);
    assertThat(again.right()).as(again.toString()).isTrue();
    assertThat(move(sqlite, postgres).right()).as("repeated").isTrue();

    assertWhole(postgres);
    assertWhole(back);
  }

  @Test
  void what_differs_is_named() {
    move(sqlite, postgres);
    DeliveryReport read = new DeliveryReport("lost", DeliveryReport.State.READ, NOW, null);
    InboundId newest;
    try (Store store = open(postgres)) {
      time.await(store.report("elsewhere", List.of(read), OnReceiptFailed.RECORD, NOW));
      time.await(store.receive("bot", List.of(), "further"));
    }
    try (Store store = open(sqlite)) {
      NewInbound one = event("again", "s");
      NewInbound other = event("again", "another session");
      time.await(store.receive("bot", List.of(one), null));
      newest = one.id();
      try (Store target = open(postgres)) {
        time.await(target.receive("bot", List.of(other), null));
      }
    }

    StoreCopy.Result result = move(sqlite, postgres);

    assertThat(result.wrong()).containsExactlyInAnyOrder("elsewhere/lost", newest.toString(), "s");
    assertThat(result.notes()).isFalse();
    try (Store store = open(postgres)) {
      assertThat(store.cursor("bot")).contains("further");
    }
  }

  @Test
  void an_inbound_message_that_comes_earlier_there_is_named() {
    try (Store from = open(sqlite);
        Store to = open(postgres)) {
      StoreExport target = to.export().orElseThrow();
      target.add(Kind.SESSION, Exports.lines(from, Kind.SESSION));
      target.add(Kind.INBOUND, List.of(Exports.lines(from, Kind.INBOUND).getLast()));
    }
    InboundId last;
    try (Store store = open(sqlite)) {
      last = store.inbound(InboundFilter.ALL, null, 1).items().getFirst().id();
    }

    StoreCopy.Result result = move(sqlite, postgres);

    assertThat(result.wrong()).containsExactly(last.toString());
  }
}
