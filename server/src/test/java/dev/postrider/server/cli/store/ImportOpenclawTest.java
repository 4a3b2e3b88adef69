package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.testkit.internal.fuzz.Fuzzing;
import dev.postrider.testkit.internal.fuzz.Noise;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code import openclaw}, as people run it. */
class ImportOpenclawTest {
  private static final Path GENUINE =
      Path.of("src/test/resources/dev/postrider/server/openclaw/2026.5.12/delivery-queue");

  private final StringWriter out = new StringWriter();

  @TempDir Path folder;

  private int run(String store, String... arguments) {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    Map<String, String> environment = Map.of("POSTRIDER_STORE", store);
    return Main.run(
        new Terminal(environment, InputStream.nullInputStream(), writer, writer, false), arguments);
  }

  private String sqlite() {
    return "sqlite:" + folder.resolve("postrider.db");
  }

  private Path queue() throws IOException {
    Path queue = folder.resolve("state/delivery-queue");
    try (Stream<Path> files = Files.walk(GENUINE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = queue.resolve(GENUINE.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
    return queue;
  }

  private static Map<String, String> files(Path below) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(below.relativize(file).toString(), Files.readString(file));
      }
    }
    return all;
  }

  @Test
  void it_says_what_became_of_the_entries_and_what_waits_for_an_account() throws IOException {
    Path queue = queue();
    Files.writeString(queue.resolve("empty.json"), "");

    int code =
        run(sqlite(), "import", "openclaw", queue.getParent().toString(), "--max-age", "30000d");

    assertThat(code).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "Imported 9 entries, which are 10 messages:",
            "3 queued",
            "2 dead letters (held)",
            "1 dead letters (failed): they had failed before",
            "2 dead letters (failed), in whole or in part",
            "1 delivered before",
            "5cf8291e-b2db-4467-9980-18e993832e1e.json: media[0].url: names no file that is there",
            "Left where they are, 1:",
            "empty.json: it is empty",
            "Account 'telegram' is not configured: 1 messages wait for it.");
  }

  @Test
  void the_report_as_json_has_the_same() throws IOException {
    int code =
        run(
            sqlite(),
            "import",
            "openclaw",
            queue().toString(),
            "--max-age",
            "30000d",
            "--json",
            "--map",
            "telegram:default=sandbox");

    assertThat(code).isZero();
    JsonNode report = new JsonMapper().readTree(out.toString());
    assertThat(report.path("dryRun").asBoolean()).isFalse();
    assertThat(report.path("messages").asInt()).isEqualTo(10);
    assertThat(report.path("entries"))
        .hasToString("{\"queued\":3,\"held\":2,\"failed\":1,\"unsendable\":2,\"delivered\":1}");
    assertThat(report.path("notConfigured").has("telegram")).isFalse();
  }

  @Test
  void a_dry_run_makes_no_store_and_renames_nothing() throws IOException {
    Path queue = queue();
    Map<String, String> before = files(folder);

    assertThat(run(sqlite(), "import", "openclaw", queue.toString(), "--dry-run")).isZero();

    assertThat(out.toString()).contains("Would import 9 entries", "nothing was changed");
    assertThat(files(folder)).isEqualTo(before);
  }

  @Test
  void a_store_that_a_server_works_on_is_refused_and_files_stay() throws IOException {
    Path queue = queue();
    Map<String, String> before = files(queue);
    PostgresServer server = PostgresServer.shared();
    String schema = server.newSchema();
    for (String url : List.of(sqlite(), schema)) {
      try (SystemScheduler time = new SystemScheduler();
          Store busy = Stores.open(url, "store", "busy", EncryptionKeys.OFF, time)) {
        time.await(busy.acquire("bot", "busy"));

        assertThat(run(url, "import", "openclaw", queue.toString())).isEqualTo(1);

        assertThat(out.toString())
            .contains(url.equals(schema) ? "servers work on it: busy" : "postrider.db is in use");
      }
    }
    server.drop(schema);
    assertThat(files(queue)).isEqualTo(before);
  }

  @Test
  void a_store_in_memory_is_refused() throws IOException {
    try (SystemScheduler time = new SystemScheduler();
        Store memory = Stores.openInMemory("sqlite:x", "store", time)) {
      assertThatThrownBy(() -> Stores.requireDurable(memory))
          .hasMessageContaining("in memory and would forget everything");
    }
    Path queue = queue();
    Map<String, String> before = files(queue);
    Path noFolder = Files.writeString(folder.resolve("file"), "");

    int code = run("sqlite:" + noFolder.resolve("db"), "import", "openclaw", queue.toString());

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).contains("cannot create");
    assertThat(files(queue)).isEqualTo(before);
  }

  @Test
  void a_path_without_a_queue_is_named() throws IOException {
    Path sessions = Files.createDirectories(folder.resolve("session-delivery-queue"));

    assertThat(run(sqlite(), "import", "openclaw", folder.resolve("gone").toString())).isOne();
    assertThat(out.toString()).contains("There is no " + folder.resolve("gone"));
    assertThat(run(sqlite(), "import", "openclaw", sessions.toString())).isOne();
    assertThat(out.toString()).contains("no queue of messages");
    assertThat(run(sqlite(), "import", "openclaw", ".", "--max-age", "long")).isEqualTo(2);
    assertThat(out.toString()).contains("--max-age", "is not a duration");
  }

  // ---- the SQLite file of a later version

  private static final String TABLE =
      """
      CREATE TABLE delivery_queue_entries (queue_name TEXT NOT NULL, id TEXT NOT NULL,
        status TEXT NOT NULL, entry_kind TEXT, session_key TEXT, channel TEXT, target TEXT,
        account_id TEXT, retry_count INTEGER NOT NULL DEFAULT 0, last_attempt_at INTEGER,
        last_error TEXT, recovery_state TEXT, platform_send_started_at INTEGER,
        entry_json TEXT NOT NULL, enqueued_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        failed_at INTEGER, PRIMARY KEY (queue_name, id)) STRICT""";

  private Path database(Path genuine) throws Exception {
    Path file = folder.resolve("openclaw.sqlite");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute(TABLE);
      for (Map.Entry<String, String> one : files(genuine).entrySet()) {
        String name = one.getKey();
        String status =
            name.startsWith("failed/")
                ? "failed"
                : name.endsWith(".delivered") ? "completed" : "pending";
        add(connection, "outbound", status, one.getValue());
        add(connection, "session", "pending", one.getValue());
      }
      add(connection, "outbound", "pending", "{\"id\": \"cut");
    }
    return file;
  }

  private static void add(Connection connection, String queue, String status, String json)
      throws SQLException {
    try (PreparedStatement row =
        connection.prepareStatement(
            "INSERT INTO delivery_queue_entries (queue_name, id, status, entry_json, enqueued_at,"
                + " updated_at) VALUES (?, ?, ?, ?, 1, 1)")) {
      row.setString(1, queue);
      row.setString(2, json.replaceAll("(?s).*?\"id\": \"([^\"]*).*", "$1"));
      row.setString(3, status);
      row.setString(4, json);
      row.executeUpdate();
    }
  }

  @Test
  void a_later_versions_database_is_taken_over_once_and_stays_as_it_is() throws Exception {
    Path database = database(GENUINE);
    byte[] before = Files.readAllBytes(database);

    assertThat(
            run(
                sqlite(),
                "import",
                "openclaw",
                database.toString(),
                "--max-age",
                "30000d",
                "--json"))
        .isOne();

    assertThat(new JsonMapper().readTree(out.toString()).path("entries"))
        .hasToString("{\"queued\":3,\"held\":2,\"failed\":1,\"unsendable\":2,\"delivered\":1}");
    assertThat(out.toString()).contains("outbound/cut");
    assertThat(
            run(
                sqlite(),
                "import",
                "openclaw",
                database.toString(),
                "--max-age",
                "30000d",
                "--json"))
        .isOne();
    assertThat(new JsonMapper().readTree(out.toString()).path("entries"))
        .hasToString("{\"delivered\":1,\"importedBefore\":8}");
    assertThat(Files.readAllBytes(database)).isEqualTo(before);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("openclaw.sqlite-"));
    }
    Path other = Files.writeString(folder.resolve("other"), "no database");
    assertThat(run(sqlite(), "import", "openclaw", other.toString())).isOne();
    assertThat(out.toString()).contains("it has no table delivery_queue_entries to read");
  }

  // ---- odd input

  @Test
  void any_entry_is_taken_over_or_left_with_a_reason_and_its_bytes_stay() throws Exception {
    List<String> genuine = List.copyOf(files(GENUINE).values());
    AtomicInteger number = new AtomicInteger();
    Fuzzing.run(
        "queue entry",
        25,
        noise -> {
          Path queue = Files.createDirectories(folder.resolve("q" + number.incrementAndGet()));
          Files.createDirectories(queue.resolve("failed"));
          for (int i = 0; i < 5; i++) {
            String name = (noise.oneIn(4) ? "failed/" : "") + i + ".json";
            String content = broken(noise.of(genuine), noise);
            Files.write(queue.resolve(name), content.getBytes(StandardCharsets.UTF_8));
          }
          Map<String, String> before = bytes(queue);
          String store = "sqlite:" + folder.resolve("s" + number.get());

          run(store, "import", "openclaw", queue.toString(), "--max-age", "30000d");

          String said = out.toString();
          assertThat(said).doesNotContainPattern("Exception|should not have|(?m)^\\s+at ");
          int list = said.indexOf("Left where they are");
          String named = list < 0 ? "" : said.substring(list);
          Map<String, String> after = bytes(queue);
          assertThat(after).hasSameSizeAs(before);
          before.forEach(
              (name, content) -> {
                boolean left = after.containsKey(name);
                assertThat(after.get(left ? name : name + ".migrated")).isEqualTo(content);
                assertThat(left).isEqualTo(named.contains("  " + name + ": "));
              });
          assertThat(run(store, "export")).as("%s", out).isZero();
          try (SystemScheduler time = new SystemScheduler();
              Store open =
                  new SqliteStoreProvider().open(store, ClusterSettings.of("test"), time)) {
            assertThat(open.export().orElseThrow().messages()).isNotNegative();
          }
        });
  }

  private static String broken(String entry, Noise noise) {
    return switch (noise.below(4)) {
      case 0 -> entry;
      case 1 -> entry.substring(0, noise.below(entry.length()));
      case 2 -> noise.mutated(entry);
      default -> noise.mutated(noise.mutated(entry));
    };
  }

  private static Map<String, String> bytes(Path below) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(
            below.relativize(file).toString(),
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return all;
  }
}
