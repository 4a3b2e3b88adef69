package dev.postrider.postgres.media;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.sql.InboundFileSql;
import dev.postrider.postgres.sql.MessageSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets go of files that no message needs, beside the writer: a large file takes a while to delete.
 *
 * <p>A use is written with its message and outlives it: nothing is counted, and the end of a
 * message costs nothing. When its time has come, the uses of a file are walked from the oldest on.
 * Those whose messages are done with are removed, each once; that needs no lock, since such a
 * message never needs its file again. The first whose message still needs the file ends the walk.
 *
 * <p>A file without uses goes in a transaction of its own: its row is locked, and only then is it
 * asked, by a statement that sees everything committed until then, whether there really is no use.
 * Whoever accepts a message holds the rows of its files ({@code FOR KEY SHARE}) until it commits:
 * either its use is seen here, or it waits, and finds the file gone. Rows that somebody holds are
 * passed by until the next look, so nobody is waited for here.
 */
public final class BlobGc {
  private final DataSource database;

  public BlobGc(DataSource database) {
    this.database = database;
  }

  /**
   * @param live the first use by a message that needs the file; null if none was found
   * @param upTo uses before this one were stale; null if all were
   */
  private record Look(String hash, @Nullable Long live, @Nullable Long upTo) {
    boolean needed() {
      return live != null;
    }

    boolean free() {
      return upTo == null;
    }

    private long stale() {
      return upTo == null ? Long.MAX_VALUE : upTo;
    }
  }

  public int sweep(Instant now, Duration lookAgain, int limit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      JdbcSession session = new JdbcSession(connection);
      BatchColumns arrays = new BatchColumns(connection, "", "");
      int expired = session.update(MessageSql.DELETE_UPLOADS, Values.micros(now), limit);
      List<Look> looks =
          session.all(MessageSql.LOOK_AT_BLOBS, BlobGc::look, Values.micros(now), limit);
      if (looks.isEmpty()) {
        return expired;
      }
      session.update(
          MessageSql.DELETE_USES,
          arrays.texts(looks, Look::hash),
          arrays.longs(looks, Look::stale));
      connection.setAutoCommit(false);
      List<String> stay = new ArrayList<>();
      for (Look look : looks) {
        if (look.needed() || (look.free() && !remove(session, look.hash, now))) {
          stay.add(look.hash);
        }
        connection.commit();
      }
      session.update(
          MessageSql.LOOK_AGAIN,
          Values.micros(now.plus(lookAgain)),
          arrays.texts(stay, hash -> hash));
      connection.commit();
      boolean more = looks.stream().anyMatch(look -> !look.needed() && !look.free());
      return more ? limit : Math.max(expired, looks.size());
    }
  }

  private static Look look(ResultSet row) throws SQLException {
    return new Look(row.getString(1), row.getObject(2, Long.class), row.getObject(3, Long.class));
  }

  /** False if somebody holds it, or has come to use it. */
  private static boolean remove(JdbcSession session, String hash, Instant now) throws SQLException {
    boolean locked =
        session.one(MessageSql.LOCK_BLOB, row -> row.getString(1), hash, Values.micros(now))
            != null;
    if (!locked
        || session.one(MessageSql.ANY_USE, row -> row.getLong(1), hash) != null
        || session.one(InboundFileSql.KEPT_FILE, row -> row.getInt(1), hash) != null) {
      return false;
    }
    session.update(MessageSql.DELETE_PIECES, hash);
    session.update(MessageSql.DELETE_BLOB, hash);
    return true;
  }
}
