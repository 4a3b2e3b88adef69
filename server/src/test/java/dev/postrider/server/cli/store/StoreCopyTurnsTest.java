package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import dev.postrider.message.Status;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.testkit.store.Exports;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Where each event, turn and session stands moves with it: whoever works on notices nothing. */
class StoreCopyTurnsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int SAID = 120;

  private final Ids ids = new Ids(InstantSource.fixed(NOW), new SplittableRandom(5));
  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final SystemScheduler time = new SystemScheduler();

  @TempDir Path folder;
  private String sqlite = "";
  private InboundId answered = new InboundId(ids.next());
  private InboundId dead = answered;
  private InboundId next = answered;
  private InboundId held = answered;
  private MessageId unfollowed = new MessageId(ids.next());
  private MessageId waiting = unfollowed;
  private @Nullable StoredInbound leased;

  @BeforeEach
  void fill() {
    sqlite = "sqlite:" + folder.resolve("from.db");
    try (Store store = open(sqlite)) {
      fill(store);
    }
  }

  void fill(Store store) {
    Lease lease = time.await(store.acquire("bot", "test")).orElseThrow();
    time.await(store.moveLane(lease, "former", "now", SessionKey.DEFAULT, NOW));
    joined(store);
    answered = hear(store, "s");
    StoredInbound first = lease(store);
    waiting = accept(store, lease, "s", answered).id();
    unfollowed = end(store, lease, accept(store, lease, "s", answered)).id();
    follow(store, end(store, lease, accept(store, lease, "s", answered)));
    give(store, first, InboundStatus.HANDLED, null);
    leased(store);
    failed(store);
    held = hear(store, "paused");
    time.await(store.inboundStore().pauseSession("paused", "on holiday", NOW));
    for (int i = 0; i < SAID; i++) {
      follow(store, end(store, lease, accept(store, lease, i % 2 == 0 ? "s" : "ä 😀", null)));
    }
    for (int i = 0; i < 3; i++) {
      time.await(store.inboundStore().save("node " + i % 2, minute(i), i != 1));
    }
  }

  /** A session that has another name by now. */
  private void joined(Store store) {
    hear(store, "bot/ann/thread");
    give(store, lease(store), InboundStatus.HANDLED, null);
    List<Alias> names = List.of(new Alias("ann", "anna"));
    time.await(store.receive("bot", List.of(), null, List.of(), names, SessionKey.DEFAULT));
  }

  /** A session whose head somebody has, in its second attempt, and whose next event waits. */
  private void leased(Store store) {
    hear(store, "t");
    next = hear(store, "t");
    give(store, lease(store), InboundStatus.PENDING, "not now");
    leased = lease(store);
  }

  /** Dead letters: one that was replayed and discarded, and its replay. */
  private void failed(Store store) {
    InboundId first = hear(store, "u");
    give(store, lease(store), InboundStatus.FAILED, "first");
    dead = new InboundId(ids.next());
    time.await(store.inboundStore().replay(first, dead, NOW));
    give(store, lease(store), InboundStatus.FAILED, "second");
    time.await(store.inboundStore().discard(first, NOW));
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

  private static QueueMinute minute(int n) {
    return new QueueMinute(
        NOW.plusSeconds(60L * n),
        new QueueMinute.Flow(n, 2, 3, 4, 5, 6, 7),
        new QueueMinute.Flow(7, 8, 9, 10, 11, 12, n));
  }

  // ---- acting

  private InboundId hear(Store store, String session) {
    InboundId id = new InboundId(ids.next());
    InboundMessage arrival =
        new InboundMessage(
            "platform's " + id,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            "thread",
            null,
            Map.of());
    time.await(store.receive("bot", List.of(new NewInbound(id, arrival, session, NOW)), null));
    return id;
  }

  private StoredInbound lease(Store store) {
    return lease(store, 1).getFirst();
  }

  private List<StoredInbound> lease(Store store, int most) {
    List<UUID> leases = Stream.generate(ids::next).limit(most).toList();
    LeaseRequest request =
        new LeaseRequest(Set.of("bot"), leases, NOW, NOW.plusSeconds(30), "node");
    return time.await(store.inboundStore().lease(request));
  }

  private CompletionResult give(
      Store store, StoredInbound inbound, InboundStatus status, @Nullable String error) {
    int attempt = inbound.handling().attempts();
    InboundNote note = error == null ? null : new InboundNote(NOW, attempt, error, null);
    UUID lease = Objects.requireNonNull(inbound.handling().lease());
    return time.await(
        store
            .inboundStore()
            .complete(new Completion(inbound, lease, status, NOW, NOW, false, note, List.of())));
  }

  private StoredMessage accept(Store store, Lease lease, String session, @Nullable InboundId turn) {
    MessageId id = ids.nextMessageId();
    Message message =
        Message.to("bot", "chat " + id)
            .text("hello")
            .sessionId(session)
            .turnId(turn == null ? null : turn.toString())
            .build();
    NewMessage entry =
        new NewMessage(
            id,
            message,
            new Plan(id, List.of(Part.plain("hello"))),
            Progress.none(1),
            NOW,
            NOW,
            NOW.plusSeconds(600),
            null,
            1_000,
            new Reservation(lease, NOW, List.of()),
            null,
            false);
    return ((AcceptResult.Stored) time.await(store.accept(entry))).message();
  }

  private StoredMessage end(Store store, Lease lease, StoredMessage sending) {
    Progress progress =
        new Progress(List.of(PartState.PENDING.delivered(new Receipt("receipt", false))));
    time.await(
        store.settle(
            new Settlement(
                sending,
                lease,
                Status.DELIVERED,
                NOW,
                NOW,
                true,
                progress,
                null,
                null,
                false,
                false,
                null,
                List.of(),
                null)));
    return sending;
  }

  private EndEffects follow(Store store, StoredMessage message) {
    return time.await(store.inboundStore().follow(message.id(), NOW));
  }

  private StoreCopy.Result move(String from, String to) {
    try (Store source = open(from);
        Store target = open(to)) {
      return new StoreCopy(side(source), side(target)).run(_ -> {}, _ -> {});
    }
  }

  private static StoreCopy.Side side(Store store) {
    return new StoreCopy.Side(store, store.export().orElseThrow());
  }

  // ---- looking

  /** Everything is as it was, and goes on from there. */
  private void assertWhole(String url) {
    try (Store store = open(url)) {
      InboundStore inboundStore = store.inboundStore();
      assertThat(Exports.lines(store, Kind.INBOUND))
          .map(line -> new JsonMapper().readTree(line))
          .extracting(line -> line.path("status").asString() + " " + line.path("delivered").asInt())
          .containsExactly(
              "handled 0",
              "handled 1",
              "leased 0",
              "pending 0",
              "discarded 0",
              "failed 0",
              "pending 0");
      assertThat(inboundStore.notes(dead)).containsExactly(new InboundNote(NOW, 1, "second", null));
      assertThat(inboundStore.minutes(Instant.EPOCH, 9)).extracting(QueueMinute::at).hasSize(3);
      assertThat(inboundStore.history("s", null, 500).items())
          .filteredOn(SessionEntry.Said.class::isInstance)
          .hasSize(SAID / 2 + 1);
      assertThat(inboundStore.unfollowed(null, 9).messages()).containsExactly(unfollowed);
      assertThat(lease(store, 9)).isEmpty();

      StoredInbound given = Objects.requireNonNull(leased);
      assertThat(give(store, given, InboundStatus.HANDLED, null).applied()).isTrue();
      assertThat(lease(store, 9)).extracting(StoredInbound::id).containsExactly(next);
      assertThat(time.await(inboundStore.resumeSession("paused"))).isTrue();
      assertThat(lease(store, 9)).extracting(StoredInbound::id).containsExactly(held);

      assertThat(time.await(inboundStore.follow(unfollowed, NOW)).mirrored()).isNotNull();
      Lease lease = time.await(store.acquire("bot", "test")).orElseThrow();
      StoredMessage last = end(store, lease, store.find(waiting).orElseThrow());
      assertThat(Objects.requireNonNull(follow(store, last).turn()).state())
          .isEqualTo(TurnState.DELIVERED);
    }
  }

  @Test
  void inbound_messages_move_to_postgres_and_back() {
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
  void former_names_of_chats_and_sessions_move_along() {
    String back = "sqlite:" + folder.resolve("back.db");
    move(sqlite, postgres);
    move(postgres, back);

    for (String url : List.of(postgres, back)) {
      try (Store store = open(url)) {
        assertThat(store.aliases()).containsExactly(new ChatAlias("bot", "former", "now"));
        assertThat(store.inboundStore().session("bot/ann/thread").orElseThrow().id())
            .isEqualTo("bot/anna/thread");
      }
    }
  }

  @Test
  void what_differs_is_named() {
    move(sqlite, postgres);
    StoredInbound given = Objects.requireNonNull(leased);
    try (Store store = open(postgres)) {
      give(store, given, InboundStatus.HANDLED, null); // session t has one less
      time.await(store.inboundStore().save("another", minute(2), false));
      Lease lease = time.await(store.acquire("bot", "test")).orElseThrow();
      follow(store, end(store, lease, accept(store, lease, "in the target only", null)));
    }

    StoreCopy.Result result = move(sqlite, postgres);

    assertThat(result.wrong()).containsExactlyInAnyOrder(given.id().toString(), "t");
    assertThat(result.notes()).isFalse();
  }
}
