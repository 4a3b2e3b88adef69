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
import java.sql.ResultSet;
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
 *
 * <p>Sessions may be {@linkplain SessionMove joined} while somebody has messages of both. As long
 * as somebody has another one than the first, there is no head; whoever gives one back that is no
 * head looks whether there can be one again.
 */
public final class SessionWriter {
  public static final int BEHIND = 0;
  private static final int HEAD = 1;
  private static final int HELD_HEAD = 2;

  /** A session: how many of its inbound messages are active. */
  record Lane(int waiting, boolean paused) {
    static Lane of(ResultSet row) throws SQLException {
      return new Lane(row.getInt(1), row.getBoolean(2));
    }

    int head() {
      return paused ? HELD_HEAD : HEAD;
    }
  }

  private final JdbcSession session;
  private final Accounts accounts;
  private boolean anyMoved; // in most houses none ever has

  public SessionWriter(JdbcSession session, Accounts accounts) throws SQLException {
    this.session = session;
    this.accounts = accounts;
    this.anyMoved = session.one(TurnSql.ANY_MOVED_SESSION, row -> row.getString(1)) != null;
  }

  /** The session that is meant: the one that this one was joined to, if it was. */
  public String now(String name) throws SQLException {
    String moved =
        anyMoved ? session.one(TurnSql.SESSION_NOW, row -> row.getString(1), name) : null;
    return moved == null ? name : moved;
  }

  // ---- lanes

  /** An inbound message joins; gives what it is in its lane. */
  public int join(String name, int account, String chat, @Nullable String thread, long at)
      throws SQLException {
    Lane lane = touch(name, account, chat, thread, 1, at);
    return lane.waiting == 1 ? lane.head() : BEHIND;
  }

  /**
   * An inbound message has ended that somebody had: the next one is the head, and has been due
   * since then.
   *
   * @param wasHead false if others of its session may be handed out, too
   */
  public void leave(String name, boolean wasHead, Instant now) throws SQLException {
    Lane lane = wait(name, -1);
    Long next = first(name);
    if (next != null) {
      session.update(
          wasHead ? InboundSql.PROMOTE_EVENT : InboundSql.PROMOTE_IF_ALONE,
          lane.head(),
          Values.micros(now),
          next);
    }
  }

  /** An inbound message waits again that somebody had, though it was not the head. */
  public void waitAgain(String name, Instant now) throws SQLException {
    promoteIfAlone(name, wait(name, 0), Values.micros(now));
  }

  /** What was heard in one session belongs to another from now on. */
  void join(String from, String to, Lane lane) throws SQLException {
    anyMoved = true;
    session.update(InboundSql.MOVE_EVENTS, to, from);
    session.update(InboundSql.ALL_BEHIND, to);
    promoteIfAlone(to, lane, 0);
  }

  private void promoteIfAlone(String name, Lane lane, long at) throws SQLException {
    Long first = first(name);
    if (first != null) {
      session.update(InboundSql.PROMOTE_IF_ALONE, lane.head(), at, first);
    }
  }

  /** False if there is no such session. */
  public boolean pause(String id, String reason, Instant now) throws SQLException {
    String name = now(id);
    if (session.update(TurnSql.PAUSE_SESSION, reason, Values.micros(now), name) > 0) {
      flip(name, HEAD, HELD_HEAD);
      return true;
    }
    return session.one(TurnSql.SESSION_BY_NAME, _ -> true, name) != null;
  }

  public boolean resume(String id) throws SQLException {
    String name = now(id);
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
    Lane lane = session.one(TurnSql.ADD_WAITING, Lane::of, more, name);
    if (lane == null) {
      throw new IllegalStateException("an event's session is not there");
    }
    return lane;
  }

  private Lane touch(
      String name, int account, String chat, @Nullable String thread, int more, long at)
      throws SQLException {
    Lane lane = session.one(TurnSql.TOUCH_SESSION, Lane::of, name, account, chat, thread, more, at);
    if (lane == null) {
      throw new IllegalStateException("a session was not written");
    }
    return lane;
  }

  // ---- what was said

  /** Adds a delivered message to its session's history, if it is not there yet. */
  public void mirror(SessionReply said) throws SQLException {
    Message message = said.message();
    String name = now(said.sessionId());
    int account = accounts.idOrNew(session, message.account());
    touch(name, account, message.to(), message.threadId(), 0, Values.micros(said.at()));
    session.update(
        TurnSql.ADD_MIRRORED,
        name,
        Values.micros(said.at()),
        Rows.uid(said.id()),
        account,
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
