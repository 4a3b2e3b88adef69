package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.Store;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that were taken in before anybody could be handed them are handed out. */
class InboundMigrationTest {
  private static final Instant THEN = InboundFixture.NOW.minusSeconds(60);

  private final InboundFixture fixture = InboundFixture.withoutTables();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** With what PostgreSQL does not take out of JSON, and what looks like it. */
  private static InboundMessage arrival(String name, @Nullable String thread) {
    return new InboundMessage(
        name,
        InboundMessage.Kind.MESSAGE,
        "chat \"ä\"",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("7", null),
        "a NUL: \u0000, and none: \\u0000",
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
        "INSERT INTO inbound (id, uid, account, name, session, status, received,"
            + " content) OVERRIDING SYSTEM VALUE"
            + " VALUES (?, ?, (SELECT id FROM account WHERE name = 'bot'), ?, ?, 0, ?, ?)",
        row,
        id(row).value(),
        Fingerprint.of("e" + row),
        conversation,
        Values.micros(THEN.plusSeconds(second)),
        InboundCodec.arrival(arrival("e" + row, row == 4 ? "t" : null)));
  }

  private static SessionView view(String id, @Nullable String thread, int waiting, long second) {
    return new SessionView(
        id, "bot", "chat \"ä\"", thread, waiting, THEN.plusSeconds(second), null, null);
  }

  @Test
  void events_of_the_time_before_are_handed_out_session_by_session() throws SQLException {
    try (Connection connection = DriverManager.getConnection(fixture.url)) {
      Migrations.OURS.upTo(3).apply(connection, "the test's");
      connection.setAutoCommit(true);
      JdbcSession session = new JdbcSession(connection);
      session.update("INSERT INTO account (name) VALUES ('bot')");
      add(session, 3, "s", 3);
      add(session, 4, "t", 1);
      add(session, 5, "s", 2);
    }

    try (Store store = fixture.open("one")) {
      assertThat(fixture.wrong()).isEmpty();
      assertThat(store.inbound(id(3)))
          .contains(
              new StoredInbound(
                  3,
                  id(3),
                  "bot",
                  "s",
                  arrival("e3", null),
                  THEN.plusSeconds(3),
                  InboundStatus.PENDING,
                  HandlingState.waiting(THEN.plusSeconds(3)),
                  null,
                  null));
      assertThat(store.inboundStore().sessions(null, null, 9).items())
          .containsExactly(view("s", null, 2, 3), view("t", "t", 1, 1));
      assertThat(fixture.await(store.depths())).containsExactly(new QueueDepth("bot", 0, 0, 3, 0));
      assertThat(fixture.await(store.inboundStore().lease(fixture.wish(9))))
          .extracting(StoredInbound::id)
          .containsExactly(id(4), id(3));
      NewInbound known = new NewInbound(id(99), arrival("e5", null), "s", InboundFixture.NOW);
      assertThat(fixture.await(store.receive("bot", List.of(known), null)))
          .containsExactly(new ReceiveResult(id(5), false));
    }
  }
}
