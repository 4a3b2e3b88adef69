package dev.postrider.bench;

import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * The ceiling: the least that a durable queue with idempotency keys must write. One table with a
 * primary key and a unique key; a row of the same size is inserted, and changed once when it is
 * done. One connection that does nothing else, five hundred rows per statement and per commit.
 */
public final class RawPostgres {
  private static final int PER_COMMIT = 500;

  private RawPostgres() {}

  /** Rows per second, each inserted and done. */
  public static double run(String url, int rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE raw (id bigint PRIMARY KEY, uid uuid NOT NULL, chat text NOT"
                + " NULL, status smallint NOT NULL,"
                + " created bigint NOT NULL, expires bigint NOT NULL, ended bigint,"
                + " idem_key text UNIQUE,"
                + " content_hash bytea, content bytea NOT NULL) WITH (fillfactor = 70)");
      }
      connection.setAutoCommit(false);
      return write(connection, rows);
    }
  }

  private static double write(Connection connection, int rows) throws SQLException {
    byte[] content = ("{\"text\":\"" + EndToEnd.TEXT + "\"}").getBytes(StandardCharsets.UTF_8);
    byte[] hash = new byte[32];
    long now = 1_800_000_000_000_000L;
    long start = System.nanoTime();
    try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO raw (id, uid, chat, status, created, expires, idem_key,"
                    + " content_hash, content)"
                    + " SELECT id, uid, chat, 0, created, expires, key, hash, content FROM"
                    + " unnest(?::bigint[],"
                    + " ?::uuid[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],"
                    + " ?::bytea[], ?::bytea[])"
                    + " AS n(id, uid, chat, created, expires, key, hash, content)");
        PreparedStatement end =
            connection.prepareStatement(
                "UPDATE raw SET status = 2, ended = d.at FROM unnest(?::bigint[],"
                    + " ?::bigint[]) AS d(id, at)"
                    + " WHERE raw.id = d.id AND raw.status = 0")) {
      for (int first = 0; first < rows; first += PER_COMMIT) {
        int from = first;
        Array ids = array(connection, "int8", i -> (long) from + i);
        Array times = array(connection, "int8", i -> now + from + i);
        insert.setArray(1, ids);
        insert.setArray(2, array(connection, "uuid", _ -> UUID.randomUUID()));
        insert.setArray(3, array(connection, "text", i -> "chat-" + (from + i) % 10_000));
        insert.setArray(4, times);
        insert.setArray(5, times);
        insert.setArray(6, array(connection, "text", i -> "order-" + (from + i)));
        insert.setArray(7, bytes(connection, hash));
        insert.setArray(8, bytes(connection, content));
        insert.executeUpdate();
        connection.commit();
        end.setArray(1, ids);
        end.setArray(2, times);
        if (end.executeUpdate() != PER_COMMIT) {
          throw new IllegalStateException("rows are missing");
        }
        connection.commit();
      }
    }
    return rows / ((System.nanoTime() - start) / 1e9);
  }

  private static Array array(Connection connection, String type, IntFunction<Object> value)
      throws SQLException {
    Object[] values = new Object[PER_COMMIT];
    for (int i = 0; i < PER_COMMIT; i++) {
      values[i] = value.apply(i);
    }
    return connection.createArrayOf(type, values);
  }

  private static Array bytes(Connection connection, byte[] value) throws SQLException {
    byte[][] values = new byte[PER_COMMIT][];
    Arrays.fill(values, value);
    return connection.createArrayOf("bytea", values);
  }
}
