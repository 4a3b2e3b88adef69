package dev.postrider.sqlite.inbound;

import dev.postrider.config.SessionKey;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.sql.TurnSql;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins the sessions of a chat that gets another name to those that are named after it. To be
 * called inside the committer's transaction; belongs to the writer's thread.
 */
public final class SessionMove {
  private record Old(
      String name,
      @Nullable String thread,
      int waiting,
      long last,
      @Nullable String paused,
      @Nullable Long since) {}

  private final JdbcSession session;
  private final Accounts accounts;
  private final SessionWriter sessions;

  public SessionMove(JdbcSession session, Accounts accounts, SessionWriter sessions) {
    this.session = session;
    this.accounts = accounts;
    this.sessions = sessions;
  }

  /** Each, unless the key did not name it after its chat. */
  public void move(int account, String from, String to, SessionKey key) throws SQLException {
    List<Old> olds =
        session.all(
            TurnSql.SESSIONS_OF_CHAT,
            row ->
                new Old(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3),
                    row.getLong(4),
                    row.getString(5),
                    row.getObject(6) == null ? null : row.getLong(6)),
            account,
            from);
    for (Old old : olds) {
      String moved = key.moved(old.name, accounts.name(account), from, to, old.thread);
      String now = moved == null ? old.name : sessions.now(moved);
      if (!now.equals(old.name)) {
        join(old, now, account, to);
      }
    }
  }

  private void join(Old old, String to, int account, String chat) throws SQLException {
    SessionWriter.Lane lane =
        session.one(
            TurnSql.JOIN_SESSION,
            SessionWriter.Lane::of,
            to,
            account,
            chat,
            old.thread,
            old.waiting,
            old.last,
            old.paused,
            old.since);
    session.update(TurnSql.MOVE_SESSION, to, old.name);
    session.update(TurnSql.MOVE_FORMER_SESSIONS, to, old.name);
    session.update(TurnSql.MOVE_MIRRORED, to, old.name);
    sessions.join(old.name, to, Objects.requireNonNull(lane));
  }
}
