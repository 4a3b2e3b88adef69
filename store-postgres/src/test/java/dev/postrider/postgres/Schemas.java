package dev.postrider.postgres;

import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Schemas for tests on the shared server. One that is given back is emptied and used again: making
 * one takes much longer. All of that is done on one connection, since a new one has to learn anew
 * what tables there are.
 */
final class Schemas {
  private static final int KEPT = 4;

  /** Whether there is a table of 8 MiB, which would stay slow; nothing if there is no table. */
  private static final String LARGE =
      """
      SELECT max(pg_table_size(oid)) > 8 << 20
      FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind = 'r'
      """;

  /** As it is right after the migrations. */
  private static final String EMPTY =
      """
      DO $$
      DECLARE
        name text;
        begins bigint;
      BEGIN
        FOR name IN
          SELECT tablename FROM pg_tables
          WHERE schemaname = current_schema AND tablename <> 'postrider_format'
        LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
        FOR name, begins IN
          SELECT sequencename, start_value FROM pg_sequences
          WHERE schemaname = current_schema AND last_value IS NOT NULL
        LOOP
          PERFORM setval(format('%I', name), begins, false);
        END LOOP;
        INSERT INTO account (name) VALUES ('');
        -- What the planner remembers of a table that is empty now leads it astray.
        DELETE FROM pg_statistic WHERE starelid IN (
          SELECT oid FROM pg_class WHERE relnamespace = current_schema::regnamespace);
        UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
        WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'i')
          AND (relpages, reltuples, relallvisible) <> (0, -1, 0);
      END $$
      """;

  private static final Map<Path, String> URLS = new LinkedHashMap<>();
  private static final Deque<String> SPARE = new ArrayDeque<>();
  private static @Nullable Connection connection;

  private Schemas() {}

  /** The folder's schema. The last few are kept, for reopening. */
  static synchronized String of(Path folder) {
    String url = URLS.get(folder);
    if (url == null) {
      if (URLS.size() > KEPT) {
        giveBack(URLS.remove(URLS.keySet().iterator().next()));
      }
      url = take();
      URLS.put(folder, url);
    }
    return url;
  }

  /** A schema that nobody else uses, empty. */
  static synchronized String take() {
    if (!SPARE.isEmpty()) {
      return SPARE.pop();
    }
    String url = PostgresServer.shared().newSchema();
    WarmConnections.keep(url);
    return url;
  }

  static synchronized void giveBack(String url) {
    try (Statement statement = connection().createStatement()) {
      statement.execute("SET search_path = " + url.substring(url.lastIndexOf('=') + 1));
      if (isMade(statement)) {
        statement.execute(EMPTY);
        SPARE.push(url);
        return;
      }
      WarmConnections.forget(url);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    PostgresServer.shared().drop(url);
  }

  /** Whether it has tables, and none that is large. */
  private static boolean isMade(Statement statement) throws SQLException {
    try (ResultSet found = statement.executeQuery(LARGE)) {
      found.next();
      boolean large = found.getBoolean(1);
      return !large && !found.wasNull();
    }
  }

  private static Connection connection() throws SQLException {
    if (connection == null) {
      connection = DriverManager.getConnection(PostgresServer.shared().url());
    }
    return connection;
  }
}
