package dev.postrider.bench;

import dev.postrider.config.ClusterSettings;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.time.SystemScheduler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteConfig;

/**
 * The ceiling: what SQLite itself does with the same table, the same rows and the same two writes
 * per message, from one thread that does nothing else, a hundred messages per commit, {@code
 * synchronous=FULL}.
 */
public final class RawSqlite {
  private static final int PER_COMMIT = 100;

  private RawSqlite() {}

  public static double run(Path file, int messages, int chats) throws SQLException {
    makeTables(file);
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setCacheSize(-65_536);
    try (Connection connection = config.createConnection("jdbc:sqlite:" + file)) {
      execute(connection, "PRAGMA journal_mode = WAL");
      execute(connection, "PRAGMA wal_autocheckpoint = 10000");
      return write(connection, messages, chats);
    }
  }

  private static void makeTables(Path file) {
    String url = "sqlite:" + file;
    new SqliteStoreProvider()
        .open(url, ClusterSettings.of("raw"), new SystemScheduler())
        .close(Duration.ZERO);
  }

  private static double write(Connection connection, int messages, int chats) throws SQLException {
    byte[] content = ("{\"text\":\"" + "x".repeat(160) + "\"}").getBytes(StandardCharsets.UTF_8);
    byte[] receipt = "[{\"delivered\":\"n\"}]".getBytes(StandardCharsets.UTF_8);
    long start = System.nanoTime();
    try (PreparedStatement begin = connection.prepareStatement("BEGIN IMMEDIATE");
        PreparedStatement commit = connection.prepareStatement("COMMIT");
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO message (id, uid, account, chat, seq, head, status, active,"
                    + " priority, attempts, reservation,"
                    + " flags, created, due, expires, tried, content)"
                    + " VALUES (?, ?, 1, ?, 1, 1, 1, 1, 0, 1, 1, 0, ?, ?, ?, ?, ?)");
        PreparedStatement update =
            connection.prepareStatement(
                "UPDATE message SET status = 2, active = 0, ended = ?, progress = ?"
                    + " WHERE id = ? AND status = 1"
                    + " AND reservation = 1")) {
      for (int first = 0; first < messages; first += PER_COMMIT) {
        begin.executeUpdate();
        for (int n = first; n < first + PER_COMMIT; n++) {
          long now = 1_800_000_000_000_000L + n;
          insert.setLong(1, n + 1);
          insert.setBytes(
              2, ByteBuffer.allocate(16).putLong(now).putLong(n * 0x9E3779B97F4A7C15L).array());
          insert.setString(3, "chat-" + n % chats);
          for (int i = 4; i <= 7; i++) {
            insert.setLong(i, now);
          }
          insert.setBytes(8, content);
          insert.executeUpdate();
        }
        commit.executeUpdate();
        begin.executeUpdate();
        for (int n = first; n < first + PER_COMMIT; n++) {
          update.setLong(1, 1_800_000_000_000_000L + n);
          update.setBytes(2, receipt);
          update.setLong(3, n + 1);
          update.executeUpdate();
        }
        commit.executeUpdate();
      }
    }
    return messages / ((System.nanoTime() - start) / 1e9);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
