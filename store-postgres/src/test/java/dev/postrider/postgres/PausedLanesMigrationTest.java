package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Priority;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.store.Store;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.PausedLane;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What waited in lanes that were paused by an earlier version waits on, and is not forgotten. */
class PausedLanesMigrationTest {
  private final InboundFixture fixture = InboundFixture.withoutTables();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void queue(
      JdbcSession session,
      int row,
      String chat,
      @Nullable Long seq,
      boolean head,
      int status,
      int flags)
      throws SQLException {
    session.update(
        "INSERT INTO queue (id, account, chat, seq, head, arriving, status, priority, attempts,"
            + " reservation, flags, due, expires) VALUES (?, (SELECT id FROM account WHERE name ="
            + " 'bot'), ?, ?, ?, false, ?, 0, 0, 0, ?, ?, ?)",
        row,
        chat,
        seq,
        head,
        status,
        flags,
        Values.micros(InboundFixture.NOW) + row,
        Values.micros(InboundFixture.NOW.plusSeconds(60)));
  }

  private List<Long> due(Store store) {
    return fixture
        .await(store.due("bot", Priority.LIVE, InboundFixture.NOW.plusSeconds(9), null, 9))
        .stream()
        .map(Head::row)
        .toList();
  }

  @Test
  void what_waited_in_paused_lanes_waits_on_and_is_due_when_resumed() throws SQLException {
    try (Connection connection = DriverManager.getConnection(fixture.url)) {
      Migrations.OURS.upTo(11).apply(connection, "the test's");
      connection.setAutoCommit(true);
      JdbcSession session = new JdbcSession(connection);
      session.update("INSERT INTO account (name) VALUES ('bot')");
      session.update(
          "INSERT INTO paused_lane (account, chat, reason, since) VALUES ('bot', 'ann', 'why', 1),"
              + " ('nobody', 'ann', 'too', 2)");
      queue(session, 1, "ann", 1L, true, 0, 0);
      queue(session, 2, "ann", 2L, false, 0, 0);
      queue(session, 3, "ann", null, true, 0, Values.UNORDERED);
      queue(session, 4, "ann", null, true, 0, Values.SCHEDULED);
      queue(session, 5, "ann", null, true, 1, Values.UNORDERED); // under way
      queue(session, 6, "ben", 1L, true, 0, 0);
    }

    try (Store store = fixture.open("one")) {
      assertThat(store.pausedLanes())
          .extracting(PausedLane::account, PausedLane::chat, PausedLane::reason)
          .containsExactlyInAnyOrder(tuple("bot", "ann", "why"), tuple("nobody", "ann", "too"));
      assertThat(due(store)).containsExactly(4L, 6L);
      assertThat(paused()).containsExactly(1L, 3L, 5L);
      assertThat(fixture.await(store.resumeLane("bot", "ann"))).isTrue();
      assertThat(due(store)).containsExactly(1L, 3L, 4L, 6L);
      assertThat(paused()).isEmpty();
    }
  }

  private List<Long> paused() throws SQLException {
    try (Connection connection = DriverManager.getConnection(fixture.url)) {
      return new JdbcSession(connection)
          .all("SELECT id FROM queue WHERE head = 2 ORDER BY id", row -> row.getLong(1));
    }
  }
}
