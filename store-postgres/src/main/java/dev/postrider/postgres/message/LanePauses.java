package dev.postrider.postgres.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.message.PausedLane;
import java.sql.SQLException;

/**
 * The lanes that are paused, and with each of them its heads: they have {@code head = 2} while it
 * is paused, and 1 otherwise. The note and the heads change in one transaction, and whoever makes a
 * head looks at the note, all under the lock of the account: so nothing that waits is forgotten
 * when the lane is resumed.
 */
final class LanePauses {
  /** The values of {@code head}. */
  static final int BEHIND = 0;

  static final int HEAD = 1;
  static final int PAUSED_HEAD = 2;

  private LanePauses() {}

  static void pause(JdbcSession session, int account, String chat, PausedLane lane)
      throws SQLException {
    session.update(
        MessageSql.PAUSE_LANE,
        account,
        chat,
        Rows.clean(lane.reason()),
        Values.micros(lane.since()));
    change(session, account, chat, HEAD, PAUSED_HEAD);
  }

  /** False if it was not paused. */
  static boolean resume(JdbcSession session, int account, String chat) throws SQLException {
    change(session, account, chat, PAUSED_HEAD, HEAD);
    return session.update(MessageSql.RESUME_LANE, account, chat) > 0;
  }

  /** What waited for {@code from} waits for {@code to} by now; a pause goes along. */
  static void move(JdbcSession session, int account, String from, String to) throws SQLException {
    session.update(MessageSql.COPY_PAUSE, to, account, from);
    resume(session, account, from);
    if (session.one(MessageSql.IS_PAUSED, row -> row.getBoolean(1), account, to) != null) {
      change(session, account, to, HEAD, PAUSED_HEAD);
    }
  }

  private static void change(JdbcSession session, int account, String chat, int from, int to)
      throws SQLException {
    session.update(MessageSql.CHANGE_HEADS, to, account, chat, account, chat, from);
  }
}
