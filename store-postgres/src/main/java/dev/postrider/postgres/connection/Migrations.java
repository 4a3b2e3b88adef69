package dev.postrider.postgres.connection;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.failure.StoreRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Brings a database up to date: numbered scripts, each applied once, in a transaction of its own.
 * Nodes that start together take turns.
 */
public final class Migrations {
  private static final int OLDEST_SERVER = 13;
  private static final List<String> SCRIPTS =
      List.of(
          "001-messages.sql",
          "002-media.sql",
          "003-inbound.sql",
          "004-desk.sql",
          "005-reminders.sql",
          "006-instances.sql",
          "007-chat-alias.sql",
          "008-paused-since.sql",
          "009-search.sql",
          "010-oldest-waiting.sql",
          "011-reports.sql",
          "012-paused-heads.sql",
          "013-audit.sql",
          "014-encryption.sql",
          "015-memory.sql",
          "016-run-reports.sql",
          "017-told-alias.sql",
          "018-receipt-retries.sql",
          "019-inbound-files.sql",
          "020-run-resumed.sql",
          "021-import-receipts.sql",
          "022-joined-sessions.sql",
          "023-permanent-failures.sql",
          "024-run-lists.sql",
          "025-restore.sql");
  private static final long LOCK = 0x706f737472696465L; // "postride"

  private Migrations() {}

  public static void apply(Connection connection, String shown) throws SQLException {
    apply(connection, shown, SCRIPTS.size());
  }

  /**
   * @param last the format to stop at
   */
  public static void apply(Connection connection, String shown, int last) throws SQLException {
    int server = connection.getMetaData().getDatabaseMajorVersion();
    if (server < OLDEST_SERVER) {
      throw new StoreRefused(
          shown
              + " is PostgreSQL "
              + server
              + "; version "
              + OLDEST_SERVER
              + " or newer is needed");
    }
    connection.setAutoCommit(false);
    JdbcSession session = new JdbcSession(connection);
    session.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
    session.execute("CREATE TABLE IF NOT EXISTS postrider_format (version integer NOT NULL)");
    Integer version =
        session.one("SELECT max(version) FROM postrider_format", row -> row.getInt(1));
    int current = version == null ? 0 : version;
    if (current > SCRIPTS.size()) {
      throw new StoreRefused(
          shown
              + " was written by a newer version of Postrider (format "
              + current
              + ", this one knows "
              + SCRIPTS.size()
              + "); run the newer version, or use another database");
    }
    for (int next = current; next < last; next++) {
      session.execute(script(SCRIPTS.get(next)));
      session.execute("INSERT INTO postrider_format VALUES (" + (next + 1) + ")");
    }
    connection.commit();
  }

  private static String script(String name) {
    try (InputStream in = Migrations.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
