package dev.postrider.sqlite.inbound;

import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.TurnSql;
import dev.postrider.store.inbound.SessionReply;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Conversations: which of their inbound messages may be handed out, and what was said in them. To
 * be called inside the committer's transaction; belongs to the writer's thread.
 *
 * <p>Lane rule: of a session's active inbound messages the one with the lowest row, and only that
 * one, has {@code head = 1}, or 2 while the session is paused. Whoever ends it calls {@link
 * #leave}, which promotes the next in the same transaction.
 */
public final class SessionWriter {
  private static final int BEHIND = 0;
  private static final int HEAD = 1;
  private static final int HELD_HEAD = 2;

  private record Lane(int waiting, boolean paused) {
    int head() {
      return paused ? HELD_HEAD : HEAD;
    }
  }

  private final JdbcSession session;
  private final Accounts accounts;

  public SessionWriter(JdbcSession session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  // ---- lanes

  /** An inbound message joins; gives what it is in its lane. */
  public int join(String name, int account, String chat, @Nullable String thread, long at)
      throws SQLException {
    Lane lane = touch(name, account, chat, thread, 1, at);
    return lane.waiting == 1 ? lane.head() : BEHIND;
  }

  /** The head has ended: the next one is it, and has been due since then. */
  public void leave(String name, Instant now) throws SQLException {
    Lane lane = wait(name, -1);
    Long next = first(name);
    if (next != null) {
      session.update(InboundSql.PROMOTE_EVENT, lane.head(), Values.micros(now), next);
    }
  }

  /** False if there is no such session. */
  public boolean pause(String name, String reason, Instant now) throws SQLException {
    if (session.update(TurnSql.PAUSE_SESSION, reason, Values.micros(now), name) > 0) {
      flip(name, HEAD, HELD_HEAD);
      return true;
    }
    return session.one(TurnSql.SESSION_BY_NAME, _ -> true, name) != null;
  }

  public boolean resume(String name) throws SQLException {
    boolean applied = session.update(TurnSql.RESUME_SESSION, name) > 0;
    if (applied) {
      flip(name, HELD_HEAD, HEAD);
    }
    return applied;
  }

  private void flip(String name, int from, int to) throws SQLException {
    Long first = first(name);
    if (first != null) {
      session.update(InboundSql.SET_HEAD, to, first, from);
    }
  }

  private @Nullable Long first(String name) throws SQLException {
    return session.one(InboundSql.FIRST_OF_SESSION, row -> row.getLong(1), name);
  }

  private Lane wait(String name, int more) throws SQLException {
    Lane lane =
        session.one(
            TurnSql.ADD_WAITING, row -> new Lane(row.getInt(1), row.getBoolean(2)), more, name);
    if (lane == null) {
      throw new IllegalStateException("an event's session is not there");
    }
    return lane;
  }

  private Lane touch(
      String name, int account, String chat, @Nullable String thread, int more, long at)
      throws SQLException {
    Lane lane =
        session.one(
            TurnSql.TOUCH_SESSION,
            row -> new Lane(row.getInt(1), row.getBoolean(2)),
            name,
            account,
            chat,
            thread,
            more,
            at);
    if (lane == null) {
      throw new IllegalStateException("a session was not written");
    }
    return lane;
  }

  // ---- what was said

  /** Adds a delivered message to its session's history. */
  public void mirror(SessionReply said) throws SQLException {
    Message message = said.message();
    int account = accounts.idOrNew(session, message.account());
    touch(said.sessionId(), account, message.to(), message.threadId(), 0, Values.micros(said.at()));
    add(said);
  }

  /** Adds what is not there yet; its session is. */
  void add(SessionReply said) throws SQLException {
    Message message = said.message();
    session.update(
        TurnSql.ADD_MIRRORED,
        said.sessionId(),
        Values.micros(said.at()),
        Rows.uid(said.id()),
        accounts.idOrNew(session, message.account()),
        message.to(),
        accounts.cipher().seal(Column.MESSAGE, said.id().value(), MessageCodec.content(message)),
        SessionMirror.receipts(said.receipts()));
  }

  /** Forgets what was said, then sessions in which nothing is left. */
  int prune(long before, int limit) throws SQLException {
    int said = session.update(TurnSql.DELETE_MIRRORED, before, limit);
    return said + session.update(TurnSql.DELETE_SESSIONS, before, limit - said);
  }
}
