package dev.postrider.jdbc.session;

import dev.postrider.store.message.Page;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A connection with its prepared statements. Used by one thread at a time.
 *
 * <p>Where the database is a network away, a statement whose result is not needed yet can be put
 * off ({@link #later}): it goes with the next one whose result is, in one round trip. Statements
 * run in the order in which they were handed in.
 *
 * <p>All of them are sent before the first result is read. A database whose results are not read
 * stops reading, too; so behind a query only so much is put off as fits the buffers in between.
 */
public final class JdbcSession implements AutoCloseable {
  private static final int LARGEST_BATCH = 1_000;
  private static final int MOST_BEHIND_A_QUERY = 32_768; // bytes; the buffers of a socket hold more

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final List<Pending<?>> pending = new ArrayList<>();
  private long behindQuery =
      -1; // how many bytes are put off behind the first query; negative: none is

  public JdbcSession(Connection connection) {
    this.connection = connection;
  }

  /** For what only the driver can do. */
  public Connection connection() {
    return connection;
  }

  /** Reads one row into a value. */
  @FunctionalInterface
  public interface Mapper<T> {
    @Nullable T map(ResultSet row) throws SQLException;
  }

  /** The values of one of many rows. */
  @FunctionalInterface
  public interface Line<T> {
    @Nullable Object[] of(int n, T item) throws SQLException;
  }

  /** A statement that may not have run yet. */
  public final class Pending<T> {
    private final String sql;
    private final @Nullable Mapper<T> mapper;
    private final @Nullable Object[] values;
    private final List<T> rows = new ArrayList<>();
    private int changed;

    private Pending(String sql, @Nullable Mapper<T> mapper, @Nullable Object[] values) {
      this.sql = sql;
      this.mapper = mapper;
      this.values = values;
    }

    /** Every row, less those that map to null; runs what waits, if it has not run yet. */
    public List<T> rows() throws SQLException {
      flush();
      return rows;
    }

    private void read(PreparedStatement from) throws SQLException {
      if (mapper == null) {
        changed = from.getUpdateCount();
        return;
      }
      try (ResultSet found = from.getResultSet()) {
        collect(found, mapper, rows);
      }
    }
  }

  /** Runs a query with the next statement whose result is needed. */
  public <T> Pending<T> later(String sql, Mapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    return putOff(new Pending<>(sql, mapper, values));
  }

  /** Runs a statement without a result with the next one whose result is needed. */
  public void updateLater(String sql, @Nullable Object... values) throws SQLException {
    putOff(new Pending<Object>(sql, null, values));
  }

  private <T> Pending<T> putOff(Pending<T> statement) throws SQLException {
    long bytes = 0;
    for (Object value : statement.values) {
      bytes += value instanceof BatchColumn column ? column.bytes() : 0;
    }
    if (behindQuery >= 0 && behindQuery + bytes > MOST_BEHIND_A_QUERY) {
      flush();
    }
    if (behindQuery >= 0) {
      behindQuery += bytes;
    } else if (statement.mapper != null) {
      behindQuery = 0;
    }
    pending.add(statement);
    return statement;
  }

  /** Runs what was put off, in one round trip. */
  public void flush() throws SQLException {
    if (pending.isEmpty()) {
      return;
    }
    List<Pending<?>> waiting = List.copyOf(pending);
    dropPending();
    StringJoiner sql = new StringJoiner(";");
    List<@Nullable Object> values = new ArrayList<>();
    for (Pending<?> one : waiting) {
      sql.add(one.sql);
      Collections.addAll(values, one.values);
    }
    try {
      PreparedStatement all = bind(sql.toString(), values.toArray());
      all.execute();
      for (Pending<?> one : waiting) {
        one.read(all);
        all.getMoreResults();
      }
    } catch (SQLException e) {
      throw forget(sql.toString(), e);
    }
  }

  /** Never runs what was put off. */
  public void dropPending() {
    pending.clear();
    behindQuery = -1;
  }

  /** Runs a statement without a result; gives the number of rows changed. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
    if (!pending.isEmpty()) {
      Pending<Object> last = putOff(new Pending<>(sql, null, values));
      flush();
      return last.changed;
    }
    try {
      return bind(sql, values).executeUpdate();
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /**
   * Runs a statement once for each of many items, which are counted from 0; gives the number of
   * rows that each has changed.
   */
  public <T> int[] updateAll(String sql, List<T> items, Line<T> line) throws SQLException {
    flush();
    int[] counts = new int[items.size()];
    try {
      for (int n = 0; n < items.size(); n++) {
        PreparedStatement statement = bind(sql, line.of(n, items.get(n)));
        statement.addBatch();
        if ((n + 1) % LARGEST_BATCH == 0 || n + 1 == items.size()) {
          int[] some = statement.executeBatch();
          System.arraycopy(some, 0, counts, n + 1 - some.length, some.length);
        }
      }
      return counts;
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /** The first row, or null. */
  public <T> @Nullable T one(String sql, Mapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    flush();
    try (ResultSet rows = bind(sql, values).executeQuery()) {
      return rows.next() ? mapper.map(rows) : null;
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /** Every row, less those that map to null. */
  public <T> List<T> all(String sql, Mapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    if (!pending.isEmpty()) {
      return later(sql, mapper, values).rows();
    }
    try (ResultSet rows = bind(sql, values).executeQuery()) {
      List<T> all = new ArrayList<>();
      collect(rows, mapper, all);
      return all;
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  private static <T> void collect(ResultSet rows, Mapper<T> mapper, List<T> into)
      throws SQLException {
    while (rows.next()) {
      T value = mapper.map(rows);
      if (value != null) {
        into.add(value);
      }
    }
  }

  /** Rows, less those that map to null, up to the bytes of a page; at least one if there is any. */
  public <T> PagePortion<T> portion(
      String sql, Mapper<T> mapper, PagePortion.Columns large, @Nullable Object... values)
      throws SQLException {
    flush();
    try (ResultSet rows = bind(sql, values).executeQuery()) {
      List<PagePortion.Sized<T>> portion = new ArrayList<>();
      long bytes = 0;
      while (bytes < Page.MOST_BYTES && rows.next()) {
        T value = mapper.map(rows);
        if (value != null) {
          long size = large.bytes(rows);
          portion.add(new PagePortion.Sized<>(value, size));
          bytes += size;
        }
      }
      return new PagePortion<>(portion, bytes >= Page.MOST_BYTES);
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /** Runs statements that are not worth preparing. */
  public void execute(String sql) throws SQLException {
    flush();
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Closes the prepared statements, which are prepared again when they are used. */
  public void release() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  private PreparedStatement bind(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      switch (values[i]) {
        case null -> statement.setNull(i + 1, java.sql.Types.NULL);
        case Long value -> statement.setLong(i + 1, value);
        case Integer value -> statement.setInt(i + 1, value);
        case String value -> statement.setString(i + 1, value);
        case byte[] value -> statement.setBytes(i + 1, value);
        case BatchColumn value -> statement.setArray(i + 1, value.array());
        default -> statement.setObject(i + 1, values[i]);
      }
    }
    return statement;
  }

  /** The driver finalizes a statement that fails; the next time it must be prepared anew. */
  private SQLException forget(String sql, SQLException failure) {
    PreparedStatement failed = statements.remove(sql);
    if (failed != null) {
      try {
        failed.close();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
    return failure;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("closing the database failed", e);
    }
  }
}
