package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.crash.KillHarness;
import dev.postrider.testkit.internal.peers.NostrRelay;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server is killed with SIGKILL after a relay has stored what it sent and before it has heard so.
 * The relay is somebody else's, and its own database is the record: nothing is lost, nothing is out
 * of order, and nothing is there twice.
 */
@Timeout(600)
class NostrKillTest {
  private static final String BOB =
      "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d";

  @TempDir Path folder;

  private Path record() {
    return folder.resolve("relay.db");
  }

  /** What the relay has stored, oldest first. */
  private List<String> stored(String column, String where) throws SQLException {
    String sql = "select " + column + " from events where " + where + " order by created_at";
    try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + record());
        Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      while (rows.next()) {
        all.add(rows.getString(1));
      }
      return all;
    }
  }

  private List<String> notes() throws SQLException {
    return stored("content", "kind = 1");
  }

  private List<String> wrapsFor(String person) throws SQLException {
    return stored("id", "kind = 1059 and tags like '%" + person + "%'");
  }

  @Test
  void what_a_relay_has_stored_unheard_is_there_once_after_a_kill() throws Exception {
    try (NostrRelay relay = NostrRelay.start(record(), null);
        Cable cable = Cable.to(relay.port());
        KillHarness.Life life =
            new KillHarness(folder)
                .begin(
                    "  - { id: nos, channel: nostr, privateKey: '%s', relays: 'ws://127.0.0.1:%d',"
                            .formatted("0".repeat(63) + "7", cable.port())
                        + " sendWithoutInbox: true, timeout: 10s,"
                        + " delivery: { backoff: [50ms] } }")) {
      // So that Bob's inbox is known: what is looked up could not be heard either.
      assertThat(life.ended(life.send("nos", BOB, "zero")).path("status").asString())
          .isEqualTo("delivered");
      List<String> before = wrapsFor(BOB);
      assertThat(before).hasSize(1);
      cable.loseAnswers();
      List<String> ids = new ArrayList<>();
      for (String text : List.of("first", "second", "third")) {
        ids.add(life.send("nos", "notes", text));
        ids.add(life.send("nos", BOB, text));
      }
      while (notes().isEmpty() || wrapsFor(BOB).size() < 2) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
      List<String> unheard = wrapsFor(BOB);
      life.kill();
      cable.heal();
      life.startAgain();

      for (String id : ids) {
        assertThat(life.ended(id).path("status").asString()).isEqualTo("delivered");
        assertThat(life.ended(id).path("possibleDuplicate").asBoolean()).isFalse();
      }
      assertThat(notes()).containsExactly("first", "second", "third");
      assertThat(wrapsFor(BOB)).as("one each, and none anew").hasSize(4).containsAll(unheard);
    }
  }
}
