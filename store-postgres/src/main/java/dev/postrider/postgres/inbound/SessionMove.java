package dev.postrider.postgres.inbound;

import dev.postrider.config.SessionKey;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.sql.TurnSql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Joins the sessions of a chat that gets another name to those that are named after it, under the
 * locks of all of them. The account is locked: its chats get their names one after the other.
 */
public final class SessionMove {
  private record Old(String name, @Nullable String thread, Instant last) {}

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;

  public SessionMove(JdbcSession session, BatchColumns columns, Accounts accounts) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
  }

  /** Each, unless the key did not name it after its chat. */
  public void move(int account, String from, String to, SessionKey key) throws SQLException {
    List<Old> olds =
        session.all(
            SessionSql.SESSIONS_OF_CHAT,
            row -> new Old(row.getString(1), row.getString(2), Values.instant(row.getLong(3))),
            account,
            from);
    Map<String, String> moves = new TreeMap<>();
    SessionRows rows = new SessionRows(session, columns);
    for (Old old : olds) {
      String moved = key.moved(old.name, accounts.name(account), from, to, old.thread);
      if (moved != null) {
        String now = Rows.asStored(moved);
        moves.put(old.name, now);
        rows.expect(old.name);
        rows.expect(now, account, to, old.thread, old.last);
        session
            .all(SessionSql.FORMER_SESSIONS, row -> row.getString(1), old.name)
            .forEach(rows::expect);
      }
    }
    rows.lock();
    for (Map.Entry<String, String> move : moves.entrySet()) {
      SessionRows.Lane old = rows.find(move.getKey());
      SessionRows.Lane now = rows.of(move.getValue());
      if (old != null && old != now) {
        join(old, now);
      }
    }
    rows.save();
  }

  private void join(SessionRows.Lane old, SessionRows.Lane now) throws SQLException {
    now.take(old);
    session.update(SessionSql.MOVE_PAUSE, now.name(), old.name());
    session.update(SessionSql.MOVE_SESSION, now.name(), old.name());
    session.update(SessionSql.MOVE_FORMER_SESSIONS, now.name(), old.name());
    session.update(SessionSql.MOVE_MIRRORED, now.name(), old.name());
    session.update(SessionSql.MOVE_EVENTS, now.name(), old.name());
    session.update(
        TurnSql.MOVE_INBOX, now.name(), columns.texts(List.of(old, now), SessionRows.Lane::name));
    session.update(
        TurnSql.PROMOTE_IF_ALONE,
        columns.texts(List.of(now), SessionRows.Lane::name),
        columns.ints(List.of(now), SessionRows.Lane::head),
        columns.longs(List.of(now), _ -> 0L));
  }
}
