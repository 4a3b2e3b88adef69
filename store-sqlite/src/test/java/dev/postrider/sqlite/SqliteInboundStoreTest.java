package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

/** What only SQLite does with events: older files are brought up to date, and nothing is left. */
class SqliteInboundStoreTest {
  private static final Instant NOON = Plain.NOW;

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  Path folder;

  private final SystemScheduler time = new SystemScheduler();

  private Path file() {
    return folder.resolve("test.db");
  }

  private Store open() {
    return new SqliteStoreProvider().open("sqlite:" + file(), ClusterSettings.of("test"), time);
  }

  @AfterEach
  void stop() {
    time.close();
  }

  private static InboundMessage arrival(String name, @Nullable String thread) {
    return new InboundMessage(
        name,
        InboundMessage.Kind.MESSAGE,
        "chat \"ä\" \u0000",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("7", null),
        "hello",
        List.of(),
        null,
        null,
        thread,
        null,
        Map.of());
  }

  private static InboundId id(int n) {
    return new InboundId(new UUID(7, n));
  }

  /** An event of the time before. */
  private static void add(JdbcSession session, int row, String conversation, long second)
      throws SQLException {
    session.update(
        "INSERT INTO inbound (id, uid, account, name, session, status, received, content)"
            + " VALUES (?, ?, 1, ?, ?, 0, ?, ?)",
        row,
        Rows.bytes(id(row).value()),
        Rows.bytes(Fingerprint.of("e" + row)),
        conversation,
        Values.micros(NOON.plusSeconds(second)),
        InboundCodec.arrival(arrival("e" + row, row == 4 ? "t" : null)));
  }

  @Test
  void events_of_the_time_before_are_handed_out_session_by_session() throws Exception {
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file())) {
      JdbcSession session = new JdbcSession(connection);
      Migrations.apply(session, "test", 3);
      session.update("INSERT INTO account (id, name) VALUES (1, 'bot')");
      add(session, 3, "s", 3);
      add(session, 4, "t", 1);
      add(session, 5, "s", 2);
      add(session, 9, "s", 0);
      session.update("DELETE FROM inbound WHERE id = 9"); // pruned
    }

    try (Store store = open()) {
      StoredInbound first = store.inbound(id(3)).orElseThrow();
      assertThat(first)
          .isEqualTo(
              new StoredInbound(
                  3,
                  id(3),
                  "bot",
                  "s",
                  arrival("e3", null),
                  NOON.plusSeconds(3),
                  InboundStatus.PENDING,
                  HandlingState.waiting(NOON.plusSeconds(3)),
                  null,
                  null));
      assertThat(store.inboundStore().sessions(null, null, 9).items())
          .containsExactly(view("s", null, 2, 3), view("t", "t", 1, 1));
      assertThat(handOut(store)).extracting(StoredInbound::id).containsExactly(id(4), id(3));
      NewInbound known = new NewInbound(id(99), arrival("e5", null), "s", NOON);
      assertThat(time.await(store.receive("bot", List.of(known), null)))
          .containsExactly(new ReceiveResult(id(5), false));
      NewInbound fresh = new NewInbound(id(10), arrival("new", null), "u", NOON);
      time.await(store.receive("bot", List.of(fresh), null));
      assertThat(store.inbound(id(10)).orElseThrow().row()).isEqualTo(10);
    }
  }

  @Test
  void what_went_wrong_is_deleted_with_its_event() throws Exception {
    try (Store store = open()) {
      NewInbound event = new NewInbound(id(1), arrival("e", null), "s", NOON);
      time.await(store.receive("bot", List.of(event), null));
      StoredInbound given = handOut(store).getFirst();
      InboundNote note = new InboundNote(NOON, 1, "no", null);
      Completion completion =
          new Completion(
              given, new UUID(1, 1), InboundStatus.FAILED, NOON, NOON, false, note, List.of());
      assertThat(time.await(store.inboundStore().complete(completion)).applied()).isTrue();
      assertThat(notes()).isEqualTo(1);

      time.await(store.pruneInbound(NOON.plusSeconds(1), 9));

      assertThat(notes()).isZero();
    }
  }

  private int notes() throws SQLException {
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file())) {
      Integer count =
          new JdbcSession(connection)
              .one("SELECT count(*) FROM inbound_note", row -> row.getInt(1));
      return count == null ? -1 : count;
    }
  }

  private static SessionView view(
      String id, @Nullable String thread, int waiting, long lastSecond) {
    return new SessionView(
        id, "bot", "chat \"ä\" \u0000", thread, waiting, NOON.plusSeconds(lastSecond), null, null);
  }

  private List<StoredInbound> handOut(Store store) {
    List<UUID> leases = List.of(new UUID(1, 1), new UUID(1, 2), new UUID(1, 3));
    Instant now = NOON.plusSeconds(10);
    return time.await(
        store
            .inboundStore()
            .lease(new LeaseRequest(Set.of("bot"), leases, now, now.plusSeconds(30), null)));
  }
}
