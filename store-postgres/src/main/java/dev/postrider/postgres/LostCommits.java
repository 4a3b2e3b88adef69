package dev.postrider.postgres;

import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.RestoreSql;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Commits that were answered and are not there any more: a standby took over that had not got them
 * yet, or a backup was brought back underneath a server. Such a database says of messages that they
 * wait, though they were sent: nothing of it may go on before that is held.
 */
final class LostCommits {
  private LostCommits() {}

  private record Past(Instant state, Instant now) {}

  /**
   * Compares what a process knows with what there is. If something is lost it begins a restoration,
   * to be committed by the caller: until that is done no server starts, and none takes over.
   *
   * <p>A process without its row cannot tell: it was away for so long that others forgot it.
   *
   * @param known the number of the process's last transaction
   * @return what to tell people; null if everything is there
   */
  static @Nullable String find(JdbcSession session, String mark, long known) throws SQLException {
    Long there = session.one(MessageSql.STORED_MARK, row -> row.getLong(1), mark);
    if (there == null || there >= known) {
      return null;
    }
    Past past =
        session.one(
            RestoreSql.GONE_BACK_TO,
            row -> new Past(Values.instant(row.getLong(1)), Values.instant(row.getLong(2))));
    if (past == null) {
      throw new IllegalStateException("a select without a table gives a row");
    }
    SqlRestoration.begin(session, past.state, past.now);
    Instant shown = past.state.truncatedTo(ChronoUnit.SECONDS);
    return ("the database has gone back to an earlier state (of %s): this server's last %,d"
            + " transactions are not in it. Nothing is sent, or it might be sent twice. Stop all"
            + " servers, run 'postrider hold --taken %s', and start them again")
        .formatted(shown, known - there, shown);
  }
}
