package dev.postrider.sqlite;

import dev.postrider.jdbc.Codec;
import dev.postrider.jdbc.ContentCipher.Column;
import dev.postrider.jdbc.Mirror;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.Message;
import dev.postrider.store.Mirrored;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Conversations: which of their events may be handed out, and what was said in them. To be called
 * inside the committer's transaction; belongs to the writer's thread.
 *
 * <p>Lane rule: of a session's active events the one with the lowest row, and only that one, has
 * {@code head = 1}, or 2 while the session is paused. Whoever ends it calls {@link #leave}, which
 * promotes the next in the same transaction.
 */
final class Sessions {
  private static final int BEHIND = 0;
  private static final int HEAD = 1;
  private static final int HELD_HEAD = 2;

  private record Lane(int waiting, boolean paused) {
    int head() {
      return paused ? HELD_HEAD : HEAD;
    }
  }

  private final Session session;
  private final Accounts accounts;

  Sessions(Session session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  // ---- lanes

  /** An event joins; gives what it is in its lane. */
  int join(String name, int account, String chat, @Nullable String thread, long at)
      throws SQLException {
    Lane lane = touch(name, account, chat, thread, 1, at);
    return lane.waiting == 1 ? lane.head() : BEHIND;
  }

  /** An event that has its row already joins. */
  void join(String name, long row) throws SQLException {
    Lane lane = wait(name, 1);
    if (lane.waiting == 1) {
      session.update(InboundSql.SET_HEAD, lane.head(), row, BEHIND);
    }
  }

  /** The head has ended: the next one is it, and has been due since then. */
  void leave(String name, Instant now) throws SQLException {
    Lane lane = wait(name, -1);
    Long next = first(name);
    if (next != null) {
      session.update(InboundSql.PROMOTE_EVENT, lane.head(), Values.micros(now), next);
    }
  }

  /** False if there is no such session. */
  boolean pause(String name, String reason, Instant now) throws SQLException {
    if (session.update(DeskSql.PAUSE_SESSION, reason, Values.micros(now), name) > 0) {
      flip(name, HEAD, HELD_HEAD);
      return true;
    }
    return session.one(DeskSql.SESSION_BY_NAME, _ -> true, name) != null;
  }

  boolean resume(String name) throws SQLException {
    boolean applied = session.update(DeskSql.RESUME_SESSION, name) > 0;
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
            DeskSql.ADD_WAITING, row -> new Lane(row.getInt(1), row.getBoolean(2)), more, name);
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
            DeskSql.TOUCH_SESSION,
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
  void mirror(Mirrored said) throws SQLException {
    Message message = said.message();
    int account = accounts.idOrNew(session, message.account());
    touch(said.sessionId(), account, message.to(), message.threadId(), 0, Values.micros(said.at()));
    add(said);
  }

  /** Adds what is not there yet; its session is. */
  void add(Mirrored said) throws SQLException {
    Message message = said.message();
    session.update(
        DeskSql.ADD_MIRRORED,
        said.sessionId(),
        Values.micros(said.at()),
        Rows.uid(said.id()),
        accounts.idOrNew(session, message.account()),
        message.to(),
        accounts.cipher().seal(Column.MESSAGE, said.id().value(), Codec.content(message)),
        Mirror.receipts(said.receipts()));
  }

  /** Forgets what was said, then sessions in which nothing is left. */
  int prune(long before, int limit) throws SQLException {
    int said = session.update(DeskSql.DELETE_MIRRORED, before, limit);
    return said + session.update(DeskSql.DELETE_SESSIONS, before, limit - said);
  }
}
