package dev.postrider.server.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes fixtures of a version's stores, for later versions to bring up to date; {@code
 * dev/store-fixture} runs it. Each is a script of SQL, and what the version said of it.
 */
@EnabledIfSystemProperty(named = "postrider.fixture.jar", matches = ".+")
class StoreFixtures {
  /**
   * For tables that no traffic fills, so that each has a row; only what a format has is used.
   * {@code :account} is one that there is.
   */
  private static final Map<String, String> MORE = more();

  @TempDir Path folder;
  private final Path jar = Path.of(System.getProperty("postrider.fixture.jar", ""));

  private static Map<String, String> more() {
    Map<String, String> more = new TreeMap<>();
    more.put("touch", "INSERT INTO touch (id, at) VALUES (1, 1)");
    more.put(
        "inbound_cursor", "INSERT INTO inbound_cursor (account, cursor) VALUES (:account, 'c1')");
    more.put(
        "chat_alias",
        "INSERT INTO chat_alias (account, former, chat) VALUES (:account, 'was', 'is')");
    more.put(
        "told_alias",
        "INSERT INTO told_alias (account, former, chat) VALUES (:account, 'a@b', 'a')");
    more.put(
        "minute",
        "INSERT INTO minute (at, node, in_taken, in_done, in_errors, out_taken, out_done,"
            + " out_errors) VALUES (60000000, 'n', 1, 2, 3, 4, 5, 6)");
    more.put(
        "audit",
        "INSERT INTO audit (at, id, operator, action, target, outcome) VALUES (1, %s, 'ops',"
            + " 'lanes pause', 'tg 300', 'done')");
    more.put(
        "memory", "INSERT INTO memory (account, chat, key, value) VALUES (:account, '', 'k', %s)");
    more.put(
        "run_report", "INSERT INTO run_report (message, account, changes) VALUES (1, :account, 1)");
    more.put(
        "import_receipt",
        "INSERT INTO import_receipt (name, size, hash, at) VALUES ('q/1', 7, '00ff', 1)");
    more.put(
        "inbound_file",
        "INSERT INTO inbound_file (uid, n, state, attempts, next_at, error) VALUES (%s, 0, 2, 1,"
            + " 1, 'gone')");
    more.put(
        "restore",
        "INSERT INTO restore (at, taken, finished, messages, scheduled, inbound, runs) VALUES (2,"
            + " 1, 2, 0, 0, 0, 0)");
    more.put(
        "takeover",
        "INSERT INTO takeover (at, account, previous, taker, died, gap) VALUES (1, 'tg', 'a', 'b',"
            + " true, 1)");
    return more;
  }

  /**
   * What stays empty: it would be used up at once, needs a key that a test would need too, or is
   * filled behind the writer.
   */
  private static final List<String> EMPTY =
      List.of(
          "receipt_retry",
          "encryption_key",
          "upload",
          "receipt",
          "message_receipt",
          "chat_index",
          "account_index",
          "minute_index");

  @Test
  void sqlite() throws Exception {
    Path file = folder.resolve("data/postrider.db");
    List<String> said = live("sqlite:" + file);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      int format = number(connection, "PRAGMA user_version");
      List<String> tables =
          texts(
              connection,
              "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                  + " ORDER BY name");
      fillEmpty(connection, tables, "x'0199a1b200007000800000000000aaaa'", "x'6d'");
      write("store-sqlite", format, SqliteDump.of(connection, format), said);
    }
  }

  @Test
  void postgresql() throws Exception {
    PostgresServer server = PostgresServer.shared();
    String database = "fixture_" + ProcessHandle.current().pid();
    server.execute("CREATE DATABASE " + database);
    String url = server.url().replace("/postgres?", "/" + database + "?");
    List<String> said = live(url);
    try (Connection connection = DriverManager.getConnection(url)) {
      int format = number(connection, "SELECT max(version) FROM postrider_format");
      List<String> tables =
          texts(
              connection,
              "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename");
      fillEmpty(connection, tables, "'0199a1b2-0000-7000-8000-00000000aaaa'", "'\\x6d'");
      write("store-postgres", format, PostgresTools.dump(server, database), said);
    }
  }

  /** Lets the version work on a new store, kills it, and gives what it said. */
  private List<String> live(String store) throws IOException, InterruptedException {
    try (FixtureTraffic traffic = new FixtureTraffic();
        OldServer server = start(traffic.configs(store))) {
      traffic.run(server);
      List<String> said = FixtureTraffic.said(server);
      server.kill();
      return said;
    }
  }

  private OldServer start(List<String> configs) throws IOException {
    IOException last = new IOException("no configuration");
    for (String config : configs) {
      try {
        return OldServer.start(jar, folder, "old", config);
      } catch (IOException e) {
        last = e; // it does not know all of that yet
      }
    }
    throw last;
  }

  private static void fillEmpty(Connection connection, List<String> tables, String id, String bytes)
      throws SQLException {
    List<String> empty = new ArrayList<>();
    for (String table : tables) {
      String insert = MORE.get(table);
      if (number(connection, "SELECT count(*) FROM " + table) == 0) {
        if (insert == null) {
          empty.add(table);
          continue;
        }
        try (Statement statement = connection.createStatement()) {
          statement.execute(
              insert
                  .formatted(table.equals("memory") ? bytes : id)
                  .replace(":account", "(SELECT min(id) FROM account WHERE name <> '')"));
        }
      }
    }
    assertThat(EMPTY).as("tables without a row").containsAll(empty);
  }

  private static int number(Connection connection, String sql) throws SQLException {
    return Integer.parseInt(texts(connection, sql).getFirst());
  }

  static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static void write(String module, int format, String sql, List<String> said)
      throws IOException {
    assertThat(said).as("what the version says").hasSizeGreaterThan(15);
    Path home = Files.createDirectories(Path.of("..", module, "src/test/resources/formats"));
    Files.writeString(home.resolve("%03d.sql".formatted(format)), sql);
    Files.writeString(home.resolve("%03d.said".formatted(format)), String.join("\n", said) + "\n");
  }
}
