package dev.postrider.postgres.batch;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.sql.MessageSql;
import java.sql.Array;
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

  public <E> Array longs(List<E> rows, ToLongFunction<E> column) throws SQLException {
    Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsLong(rows.get(i));
    }
    return connection.createArrayOf("int8", values);
  }

  public <E> Array nullableLongs(List<E> rows, Function<E, @Nullable Long> column)
      throws SQLException {
    return connection.createArrayOf("int8", values(rows, column));
  }

  public <E> Array ints(List<E> rows, ToIntFunction<E> column) throws SQLException {
    Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.applyAsInt(rows.get(i));
    }
    return connection.createArrayOf("int4", values);
  }

  public <E> Array flags(List<E> rows, Function<E, Boolean> column) throws SQLException {
    return connection.createArrayOf("bool", values(rows, column));
  }

  public <E> Array texts(List<E> rows, Function<E, @Nullable String> column) throws SQLException {
    return connection.createArrayOf("text", values(rows, column));
  }

  public <E> Array uuids(List<E> rows, Function<E, ? extends @Nullable Object> column)
      throws SQLException {
    return connection.createArrayOf("uuid", values(rows, column));
  }

  public <E> Array bytes(List<E> rows, Function<E, byte @Nullable []> column) throws SQLException {
    byte[] @Nullable [] values = new byte[rows.size()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    return connection.createArrayOf("bytea", values);
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
    session.all(
        MessageSql.NOTIFY,
        _ -> null,
        channel,
        texts(List.copyOf(calls), call -> call + " " + node));
  }
}
