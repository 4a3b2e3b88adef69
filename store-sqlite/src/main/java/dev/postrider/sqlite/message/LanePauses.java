package dev.postrider.sqlite.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.message.PausedLane;
import java.sql.SQLException;

/**
 * The lanes that are paused, and with each of them its heads: they have {@code head = 2} while it
 * is paused, and 1 otherwise. The note and the heads change in one transaction, and whoever makes a
 * head asks here first, so nothing that waits is forgotten when the lane is resumed.
 *
 * <p>To be called inside the committer's transaction; belongs to the writer's thread.
 */
public final class LanePauses {
  /** The values of {@code head}. */
  static final int BEHIND = 0;

  static final int HEAD = 1;
  static final int PAUSED_HEAD = 2;

  private final JdbcSession session;
  private final Accounts accounts;
  private boolean any; // whether a lane may be paused: mostly none is

  public LanePauses(JdbcSession session, Accounts accounts) throws SQLException {
    this.session = session;
    this.accounts = accounts;
    this.any = session.one(MessageSql.ANY_PAUSE, row -> row.getString(1)) != null;
  }

  /** A pause was noted by somebody else. */
  public void noted() {
    any = true;
  }

  boolean isPaused(int account, String chat) throws SQLException {
    return any
        && session.one(MessageSql.LANE_PAUSE, row -> row.getString(1), accounts.name(account), chat)
            != null;
  }

  /** What whoever becomes a head of this lane has for {@code head}. */
  int head(int account, String chat) throws SQLException {
    return isPaused(account, chat) ? PAUSED_HEAD : HEAD;
  }

  public void pause(PausedLane lane, int account, String chat) throws SQLException {
    any = true;
    session.update(
        MessageSql.PAUSE_LANE, lane.account(), chat, lane.reason(), Values.micros(lane.since()));
    change(account, chat, HEAD, PAUSED_HEAD);
  }

  /** False if it was not paused. */
  public boolean resume(int account, String chat) throws SQLException {
    change(account, chat, PAUSED_HEAD, HEAD);
    return session.update(MessageSql.RESUME_LANE, accounts.name(account), chat) > 0;
  }

  /** What waited for {@code from} waits for {@code to} by now; a pause goes along. */
  void move(int account, String from, String to) throws SQLException {
    session.update(MessageSql.COPY_PAUSE, to, accounts.name(account), from);
    resume(account, from);
    if (isPaused(account, to)) {
      change(account, to, HEAD, PAUSED_HEAD);
    }
  }

  private void change(int account, String chat, int from, int to) throws SQLException {
    session.update(MessageSql.CHANGE_HEADS, to, account, chat, account, chat, from);
  }
}
