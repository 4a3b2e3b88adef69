package dev.postrider.postgres.batch;

import dev.postrider.jdbc.session.BatchColumn;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.sql.MessageSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Columns of a batch as arrays, and what else a connection is needed for. */
public final class BatchColumns {
  private static final long BYTES_OF_A_VALUE = 20; // with its length; a UUID is the longest

  private final Connection connection;
  private final String channel;
  private final String node;

  /**
   * @param channel where nodes call each other
   */
  public BatchColumns(Connection connection, String channel, String node) {
    this.connection = connection;
    this.channel = channel;
    this.node = node;
  }

  String node() {
    return node;
  }

  public <E> BatchColumn longs(List<E> rows, ToLongFunction<E> column) throws SQLException {
    Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    return column("int8", values, 0);
  }

  public <E> BatchColumn nullableLongs(List<E> rows, Function<E, @Nullable Long> column)
      throws SQLException {
    return column("int8", values(rows, column), 0);
  }

  public <E> BatchColumn ints(List<E> rows, ToIntFunction<E> column) throws SQLException {
    Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(rows.get(i));
    }
    return column("int4", values, 0);
  }

  public <E> BatchColumn flags(List<E> rows, Function<E, Boolean> column) throws SQLException {
    return column("bool", values(rows, column), 0);
  }

  public <E> BatchColumn texts(List<E> rows, Function<E, @Nullable String> column)
      throws SQLException {
    @Nullable Object[] values = values(rows, column);
    long bytes = 0;
    for (Object value : values) {
      bytes += value instanceof String text ? 3L * text.length() : 0;
    }
    return column("text", values, bytes);
  }

  public <E> BatchColumn uuids(List<E> rows, Function<E, ? extends @Nullable Object> column)
      throws SQLException {
    return column("uuid", values(rows, column), 0);
  }

  public <E> BatchColumn bytes(List<E> rows, Function<E, byte @Nullable []> column)
      throws SQLException {
    byte[] @Nullable [] values = new byte[rows.size()][];
    long bytes = 0;
    for (int i = 0; i < values.length; i++) {
      byte[] value = column.apply(rows.get(i));
      values[i] = value;
      bytes += value == null ? 0 : value.length;
    }
    return column("bytea", values, bytes);
  }

  /**
   * @param bytes of values whose sizes differ
   */
  private BatchColumn column(String type, @Nullable Object[] values, long bytes)
      throws SQLException {
    return new BatchColumn(
        connection.createArrayOf(type, values), bytes + values.length * BYTES_OF_A_VALUE);
  }

  private static <E> @Nullable Object[] values(
      List<E> rows, Function<E, ? extends @Nullable Object> column) {
    @Nullable Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return values;
  }

  public void call(JdbcSession session, Collection<String> calls) throws SQLException {
    callLater(session, calls);
    session.flush();
  }

  /** With the next statement of the transaction. */
  void callLater(JdbcSession session, Collection<String> calls) throws SQLException {
    session.later(
        MessageSql.NOTIFY,
        _ -> null,
        channel,
        texts(List.copyOf(calls), call -> call + " " + node));
  }
}
