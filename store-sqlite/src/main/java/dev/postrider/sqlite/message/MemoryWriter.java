package dev.postrider.sqlite.message;

import dev.postrider.channel.Remembered;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.sql.MemorySql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what channels want to know again, of a chat under the name it has now. To be called
 * inside the committer's transaction; belongs to the writer's thread.
 */
public final class MemoryWriter {
  private final JdbcSession session;
  private final Accounts accounts;
  private final ChatAliases aliases;

  public MemoryWriter(JdbcSession session, Accounts accounts, ChatAliases aliases) {
    this.session = session;
    this.accounts = accounts;
    this.aliases = aliases;
  }

  public void write(String name, List<MemoryRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    int account = accounts.idOrNew(session, name);
    for (MemoryRow row : rows) {
      String chat = aliases.chat(account, row.chat());
      if (row.value() == null) {
        session.update(MemorySql.FORGET, account, chat, row.key());
      } else {
        session.update(MemorySql.REMEMBER, account, chat, row.key(), row.value(), row.expiresAt());
      }
    }
  }

  /** Whether the value was the expected one, and is this now. */
  public boolean replace(String name, @Nullable String expected, Remembered by, Instant now)
      throws SQLException {
    int account = accounts.idOrNew(session, name);
    String chat = MemoryRow.chat(by.chat());
    String known =
        session.one(
            MemorySql.MEMORY,
            row -> MemoryRow.open(accounts.cipher(), name, by.key(), row.getBytes(1)),
            account,
            account,
            chat,
            chat,
            by.key(),
            Values.micros(now));
    boolean same = Objects.equals(known, expected);
    if (same) {
      write(name, List.of(MemoryRow.of(name, by, accounts.cipher())));
    }
    return same;
  }

  /** A chat has a new name. */
  void move(int account, String from, String to) throws SQLException {
    session.update(MemorySql.MOVE_MEMORY, to, account, from);
    session.update(MemorySql.FORGET_CHAT, account, from);
  }

  public int prune(Instant now, int limit) throws SQLException {
    return session.update(MemorySql.PRUNE_MEMORY, Values.micros(now), limit);
  }
}
