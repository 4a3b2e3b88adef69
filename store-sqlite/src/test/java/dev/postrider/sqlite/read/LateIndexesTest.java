package dev.postrider.sqlite.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.sqlite.sql.ListSql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteConfig;

/**
 * When the indexes of chats, accounts and minutes are filled: behind the writer, and never left.
 */
class LateIndexesTest implements LateIndexes.Writes {
  private final Deque<WriteTransaction.Work<@Nullable Void>> writes = new ArrayDeque<>();
  private final Deque<Runnable> timers = new ArrayDeque<>();
  private boolean busy;
  private long lastRow;
  private JdbcSession session;
  private LateIndexes index;

  @BeforeEach
  void open() throws SQLException {
    session = new JdbcSession(new SQLiteConfig().createConnection("jdbc:sqlite::memory:"));
    Migrations.apply(session, "memory");
    index = new LateIndexes(session, () -> lastRow, this);
  }

  @AfterEach
  void close() {
    session.close();
  }

  @Override
  public boolean nobodyWaits() {
    return !busy;
  }

  @Override
  public void add(WriteTransaction.Work<@Nullable Void> work) {
    writes.add(work);
  }

  @Override
  public void later(Duration wait, Runnable look) {
    timers.add(look);
  }

  private void accept(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      lastRow++;
      session.update(
          "INSERT INTO message (id, uid, account, chat, head, status, active, priority, attempts,"
              + " reservation, flags, created, due, expires, content) VALUES (?, ?, 1, ?, 1, 0, 1,"
              + " 0, 0, 0, 0, 0, 0, 0, x'00')",
          lastRow,
          "uid " + lastRow,
          "chat-" + lastRow % 7);
    }
    index.committed();
  }

  /** Commits what the index has handed in, until it hands in nothing. */
  private void commitAll() throws SQLException {
    for (var write = writes.poll(); write != null; write = writes.poll()) {
      write.apply();
      index.committed();
    }
  }

  private long through() throws SQLException {
    Long through = session.one(ListSql.INDEXED, row -> row.getLong(1));
    return through == null ? -1 : through;
  }

  private long indexed() throws SQLException {
    Long count = session.one("SELECT count(*) FROM chat_index", row -> row.getLong(1));
    return count == null ? -1 : count;
  }

  @Test
  void a_few_messages_are_left_as_they_are() throws SQLException {
    accept(400);

    assertThat(writes).isEmpty();
    assertThat(timers).isEmpty();
  }

  @Test
  void it_is_filled_once_few_messages_come() throws SQLException {
    accept(2_500);
    assertThat(writes).isEmpty();

    timers.remove().run();
    commitAll();

    assertThat(through()).isEqualTo(2_000); // what is left is few
    assertThat(indexed()).isEqualTo(2_000);
    assertThat(session.all("SELECT count(*) FROM account_index", row -> row.getLong(1)))
        .containsExactly(2_000L);
    assertThat(
            session.all(
                "SELECT first, last FROM minute_index",
                row -> List.of(row.getLong(1), row.getLong(2))))
        .containsExactly(List.of(1L, 2_000L));
  }

  @Test
  void while_many_come_it_waits_and_looks_again() throws SQLException {
    accept(600);
    accept(600);
    timers.remove().run();

    assertThat(writes).isEmpty();
    assertThat(timers).hasSize(1);
  }

  @Test
  void while_somebody_waits_for_the_writer_it_waits_too() throws SQLException {
    accept(600);
    busy = true;
    timers.remove().run();

    assertThat(writes).isEmpty();
    assertThat(timers).hasSize(1);
  }

  @Test
  void it_catches_up_whoever_waits_when_too_many_are_not_in_it() throws SQLException {
    busy = true;
    lastRow = 200_000; // as if they had been deleted meanwhile
    accept(1);
    commitAll();

    assertThat(through()).isEqualTo(200_001);
    assertThat(indexed()).isEqualTo(1);
  }

  @Test
  void a_batch_that_was_not_committed_is_done_again() throws SQLException {
    accept(700);
    timers.remove().run();
    session.execute("BEGIN");
    writes.remove().apply();
    session.execute("ROLLBACK");
    index.rolledBack();

    accept(1);
    commitAll();

    assertThat(through()).isEqualTo(701);
    assertThat(indexed()).isEqualTo(701);
  }

  @Test
  void rows_that_are_used_again_after_a_restart_are_taken_in_again() throws SQLException {
    accept(700);
    timers.remove().run();
    commitAll();
    session.execute("DELETE FROM message");
    session.execute("DELETE FROM chat_index");
    lastRow = 0;
    index = new LateIndexes(session, () -> lastRow, this);

    accept(600);
    timers.removeLast().run();
    commitAll();

    assertThat(indexed()).isEqualTo(600);
  }

  @Test
  void what_moved_or_was_deleted_is_in_its_place() throws SQLException {
    accept(600);
    timers.remove().run();
    commitAll();

    index.moved(7, "chat-0", "new");
    index.deleted(14, 1, "chat-0");

    assertThat(session.all("SELECT message FROM chat_index WHERE name = 'new'", r -> r.getLong(1)))
        .containsExactly(7L);
    assertThat(
            session.all("SELECT message FROM chat_index WHERE name = 'chat-0'", r -> r.getLong(1)))
        .hasSize(83)
        .doesNotContain(7L, 14L);
  }
}
