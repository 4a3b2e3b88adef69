package dev.postrider.jdbc.session;

import dev.postrider.store.message.Page;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements. Used by one thread at a time. */
public final class JdbcSession implements AutoCloseable {
  private static final int LARGEST_BATCH = 1_000;

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

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

  /** Runs a statement without a result; gives the number of rows changed. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
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
    try (ResultSet rows = bind(sql, values).executeQuery()) {
      return rows.next() ? mapper.map(rows) : null;
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /** Every row, less those that map to null. */
  public <T> List<T> all(String sql, Mapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = bind(sql, values).executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        T value = mapper.map(rows);
        if (value != null) {
          all.add(value);
        }
      }
      return all;
    } catch (SQLException e) {
      throw forget(sql, e);
    }
  }

  /** Rows, less those that map to null, up to the bytes of a page; at least one if there is any. */
  public <T> PagePortion<T> portion(
      String sql, Mapper<T> mapper, PagePortion.Columns large, @Nullable Object... values)
      throws SQLException {
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
