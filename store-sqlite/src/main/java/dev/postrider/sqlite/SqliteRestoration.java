package dev.postrider.sqlite;

import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.sql.RestoreSql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** The restoration of a file. */
final class SqliteRestoration extends SqlRestoration {
  /** A message without a place, and its lane. */
  private record Loose(int account, String chat, long row) {}

  private final JdbcSession writer;
  private final StoreAccess access;
  private Loose last = new Loose(0, "", 0); // that was looked at

  SqliteRestoration(
      JdbcSession writer, StoreAccess access, Instant takenAt, Instant now, boolean everything) {
    super(takenAt, now, everything);
    this.writer = writer;
    this.access = access;
  }

  @Override
  protected <T> T write(Work<T> work) {
    return access.await(access.write(() -> work.run(writer)));
  }

  @Override
  protected List<Long> placed(JdbcSession session, int limit) throws SQLException {
    return session.all(RestoreSql.PLACED, row -> row.getLong(1), limit);
  }

  @Override
  protected List<Long> loose(JdbcSession session, long due, int limit) throws SQLException {
    List<Loose> loose =
        session.all(
            RestoreSql.LOOSE,
            row -> new Loose(row.getInt(1), row.getString(2), row.getLong(3)),
            due,
            last.account,
            last.account,
            last.chat,
            last.row,
            limit);
    last = loose.isEmpty() ? last : loose.getLast();
    return loose.stream().map(Loose::row).toList();
  }

  @Override
  protected void hold(JdbcSession session, List<Long> rows, long firstEnd, String error)
      throws SQLException {
    session.updateAll(
        RestoreSql.HOLD, rows, (n, row) -> new Object[] {firstEnd + n, REASON, error, row});
  }

  @Override
  protected int holdInbound(JdbcSession session, long now, String error, int limit)
      throws SQLException {
    record Active(long row, String session) {}
    List<Active> active =
        session.all(
            RestoreSql.ACTIVE_INBOUND, row -> new Active(row.getLong(1), row.getString(2)), limit);
    session.updateAll(
        RestoreSql.HOLD_INBOUND, active, (_, one) -> new Object[] {now, error, one.row});
    List<String> sessions = active.stream().map(Active::session).distinct().toList();
    session.updateAll(RestoreSql.COUNT_WAITING, sessions, (_, name) -> new Object[] {name});
    return active.size();
  }

  @Override
  protected long countActive(JdbcSession session) throws SQLException {
    Long active = session.one(RestoreSql.COUNT_ACTIVE, row -> row.getLong(1));
    return active == null ? 0 : active;
  }
}
