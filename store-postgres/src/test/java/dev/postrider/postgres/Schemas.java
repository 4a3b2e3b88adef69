package dev.postrider.postgres;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A schema per test folder, on the shared server; the last few are kept, for reopening. An older
 * one is emptied and used again: making one takes much longer.
 */
final class Schemas {
  private static final int KEPT = 4;
  private static final long LARGE = 8 << 20; // bytes; what held so much would stay slow

  private static final String SIZE =
      """
      SELECT coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, \
      tablename)::regclass)), 0)
      FROM pg_tables WHERE schemaname = current_schema
      """;

  /** As it is right after the migrations. */
  private static final String EMPTY =
      """
      DO $$
      DECLARE
        name text;
      BEGIN
        FOR name IN
          SELECT tablename FROM pg_tables
          WHERE schemaname = current_schema AND tablename <> 'postrider_format'
        LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
        FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema LOOP
          EXECUTE format('ALTER SEQUENCE %I RESTART', name);
        END LOOP;
        INSERT INTO account (name) VALUES ('');
        -- What the planner remembers of a table that is empty now leads it astray.
        DELETE FROM pg_statistic WHERE starelid IN (
          SELECT oid FROM pg_class WHERE relnamespace = current_schema::regnamespace);
        UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
        WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'i');
      END $$
      """;

  private static final Map<Path, String> URLS = new LinkedHashMap<>();
  private static final Deque<String> SPARE = new ArrayDeque<>();

  private Schemas() {}

  static synchronized String of(Path folder) {
    String url = URLS.get(folder);
    if (url == null) {
      if (URLS.size() > KEPT) {
        letGo(URLS.remove(URLS.keySet().iterator().next()));
      }
      url = SPARE.isEmpty() ? PostgresServer.shared().newSchema() : SPARE.pop();
      URLS.put(folder, url);
    }
    return url;
  }

  private static void letGo(String url) {
    try (Connection connection = DriverManager.getConnection(url)) {
      JdbcSession session = new JdbcSession(connection);
      Long size = session.one(SIZE, row -> row.getLong(1));
      if (size == null || size == 0 || size > LARGE) {
        PostgresServer.shared().drop(url);
      } else {
        session.execute(EMPTY);
        SPARE.push(url);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
