package dev.postrider.postgres;

import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.sql.RestoreSql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** The restoration of a database. */
final class PostgresRestoration extends SqlRestoration {
  private final DataSource database;
  private long lastLoose; // row that was looked at

  PostgresRestoration(DataSource database, Instant takenAt, Instant now, boolean everything) {
    super(takenAt, now, everything);
    this.database = database;
  }

  @Override
  protected <T> T write(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      T result = work.run(new JdbcSession(connection));
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw PgErrors.failure(e);
    }
  }

  @Override
  protected List<Long> placed(JdbcSession session, int limit) throws SQLException {
    return session.all(RestoreSql.PLACED, row -> row.getLong(1), limit);
  }

  @Override
  protected List<Long> loose(JdbcSession session, long due, int limit) throws SQLException {
    List<Long> loose = session.all(RestoreSql.LOOSE, row -> row.getLong(1), lastLoose, due, limit);
    lastLoose = loose.isEmpty() ? lastLoose : loose.getLast();
    return loose;
  }

  @Override
  protected void hold(JdbcSession session, List<Long> rows, long firstEnd, String error)
      throws SQLException {
    Long[] ends = new Long[rows.size()];
    for (int n = 0; n < ends.length; n++) {
      ends[n] = firstEnd + n;
    }
    Array ids = longs(session, rows.toArray());
    session.update(RestoreSql.HOLD, ids, error, REASON, ids, longs(session, ends));
  }

  @Override
  protected int holdInbound(JdbcSession session, long now, String error, int limit)
      throws SQLException {
    List<Long> rows = session.all(RestoreSql.ACTIVE_INBOUND, row -> row.getLong(1), limit);
    if (!rows.isEmpty()) {
      session.update(RestoreSql.HOLD_INBOUND, longs(session, rows.toArray()), now, error);
    }
    return rows.size();
  }

  private static Array longs(JdbcSession session, Object[] values) throws SQLException {
    return session.connection().createArrayOf("int8", values);
  }

  @Override
  protected long countActive(JdbcSession session) throws SQLException {
    Long active = session.one(RestoreSql.COUNT_ACTIVE, row -> row.getLong(1));
    return active == null ? 0 : active;
  }
}
