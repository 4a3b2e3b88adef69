package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteConfig;

/** The file: made, kept, refused, damaged, full. */
class SqliteFileTest {
  @TempDir Path folder;
  private final SystemScheduler time = new SystemScheduler();
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("test.db");
  }

  @AfterEach
  void stopTime() {
    time.close();
  }

  private SqliteStore open(Path path) {
    return (SqliteStore)
        new SqliteStoreProvider().open("sqlite:" + path, ClusterSettings.of("test"), time);
  }

  private NewMessage accept(Store store, String text) {
    NewMessage message = Plain.message("ann", text);
    time.await(store.accept(message));
    return message;
  }

  /** What the statement gives, asked beside the store. */
  private List<String> ask(String sql) throws SQLException {
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      List<String> rows = new ArrayList<>();
      if (statement.execute(sql)) {
        var found = statement.getResultSet();
        while (found.next()) {
          rows.add(found.getString(1));
        }
      }
      return rows;
    }
  }

  // ---- taken away

  @ParameterizedTest
  @ValueSource(strings = {"", "-wal", ".lock"})
  void nothing_is_acknowledged_that_a_restart_would_not_find(String suffix) throws Exception {
    Path taken = folder.resolve("test.db" + suffix);
    Path aside = folder.resolve("aside");
    try (SqliteStore store = open(file)) {
      NewMessage before = accept(store, "before");

      Files.move(taken, aside);

      assertThatThrownBy(() -> accept(store, "lost"))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(taken + " is not there any more")
          .hasMessageContaining("put the very file back");
      assertThat(store.find(before.id())).as("reads go on").isPresent();

      Files.copy(aside, taken);
      assertThatThrownBy(() -> accept(store, "lost"))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(taken + " was replaced");

      Files.move(aside, taken, StandardCopyOption.REPLACE_EXISTING);
      NewMessage after = accept(store, "after");

      store.close();
      try (SqliteStore restarted = open(file)) {
        assertThat(restarted.find(before.id())).isPresent();
        assertThat(restarted.find(after.id())).isPresent();
      }
    }
  }

  // ---- opening

  @Test
  void the_store_is_found_by_its_url() {
    List<StoreProvider> found =
        ServiceLoader.load(StoreProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.accepts("sqlite:some/file.db"))
            .toList();

    assertThat(found).hasOnlyElementsOfType(SqliteStoreProvider.class).hasSize(1);
    assertThat(found.getFirst().accepts("postgresql://host/db")).isFalse();
  }

  @Test
  void a_fresh_file_is_made_with_its_folders() {
    Path deep = folder.resolve("some/deep folder/ä.db");

    open(deep).close();

    assertThat(deep).isRegularFile();
  }

  @Test
  void a_commit_is_a_synchronous_write_to_the_log() {
    try (SqliteStore store = open(file)) {
      assertThat(time.await(store.pragma("journal_mode"))).isEqualTo("wal");
      assertThat(time.await(store.pragma("synchronous"))).as("FULL").isEqualTo("2");
    }
  }

  @Test
  void an_existing_file_opens_unchanged() throws Exception {
    NewMessage message;
    try (Store store = open(file)) {
      message = accept(store, "hello");
    }
    List<String> schema = ask("SELECT sql FROM sqlite_schema ORDER BY name");
    assertThat(ask("PRAGMA user_version")).containsExactly(Integer.toString(Migrations.latest()));

    try (Store store = open(file)) {
      assertThat(store.find(message.id())).isPresent();
    }

    assertThat(ask("PRAGMA user_version")).containsExactly(Integer.toString(Migrations.latest()));
    assertThat(ask("SELECT sql FROM sqlite_schema ORDER BY name")).isEqualTo(schema);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void a_file_of_an_older_version_is_brought_up_to_date(int version) throws Exception {
    MessageId id = MessageId.parse("0199aaaa-0000-7000-8000-000000000001");
    try (JdbcSession old = new JdbcSession(DriverManager.getConnection("jdbc:sqlite:" + file))) {
      Migrations.apply(old, file.toString(), version);
      old.update("INSERT INTO account (name) VALUES ('bot')");
      old.update(
          "INSERT INTO message (uid, account, chat, head, status, active, priority, attempts,"
              + " reservation, flags, created, due, expires, ended, reason, idem_key, content)"
              + " VALUES (?, 1, 'ann', 1, 3, 0, 0, 1, 1, 0, 1000000, 1000000, 2000000, 1500000,"
              + " 'why', 'run:r1:0:0:0', ?)",
          Rows.uid(id),
          "{\"text\":\"hello\",\"session\":\"s1\",\"metadata\":{\"run\":\"r1\"}}"
              .getBytes(StandardCharsets.UTF_8));
    }

    try (Store store = open(file)) {
      assertThat(store.find(id)).isPresent();
      for (MessageFilter filter :
          List.of(
              new MessageFilter.Builder().chat("ann").build(),
              new MessageFilter.Builder().sessionId("s1").build(),
              new MessageFilter.Builder().runId("r1").build(),
              new MessageFilter.Builder().reason("why").build(),
              new MessageFilter.Builder().account("bot").build())) {
        assertThat(store.list(filter, null, 10).items()).as(filter.toString()).hasSize(1);
      }
    }

    List<String> schema = ask("SELECT sql FROM sqlite_schema ORDER BY name");
    Files.delete(file);
    open(file).close();
    assertThat(schema).isEqualTo(ask("SELECT sql FROM sqlite_schema ORDER BY name"));
  }

  @Test
  void what_waited_in_paused_lanes_in_an_older_file_waits_on_and_is_due_when_resumed()
      throws Exception {
    try (JdbcSession old = new JdbcSession(DriverManager.getConnection("jdbc:sqlite:" + file))) {
      Migrations.apply(old, file.toString(), 9);
      old.update("INSERT INTO account (name) VALUES ('bot')");
      old.update(
          "INSERT INTO paused_lane (account, chat, reason, since) VALUES ('bot', 'ann', 'why', 1)");
      String message =
          "INSERT INTO message (id, uid, account, chat, seq, head, status, active,"
              + " priority, attempts,"
              + " reservation, flags, created, due, expires, content) VALUES (?1, 'uid' || ?1, 1,"
              + " ?2, ?3, ?4, ?5, 1, 0, 0, 0, ?6, 1, ?1, 2000000000000000, x'00')";
      old.update(message, 1, "ann", 1, 1, 0, 0);
      old.update(message, 2, "ann", 2, 0, 0, 0);
      old.update(message, 3, "ann", null, 1, 0, Values.UNORDERED);
      old.update(message, 4, "ann", null, 1, 0, Values.SCHEDULED);
      old.update(message, 5, "ann", null, 1, 1, Values.UNORDERED); // under way
      old.update(message, 6, "ben", 1, 1, 0, 0);
    }

    try (SqliteStore store = open(file)) {
      assertThat(due(store)).containsExactly(4L, 6L);
      assertThat(ask("SELECT id FROM message WHERE head = 2")).containsExactly("1", "3", "5");
      time.await(store.resumeLane("bot", "ann"));
      assertThat(due(store)).containsExactly(1L, 3L, 4L, 6L);
      assertThat(ask("SELECT id FROM message WHERE head = 2")).isEmpty();
    }
  }

  private List<Long> due(Store store) {
    return time.await(store.due("bot", Priority.LIVE, Instant.now(), null, 9)).stream()
        .map(Head::row)
        .toList();
  }

  @Test
  void a_file_of_a_newer_version_is_refused_and_left_untouched() throws Exception {
    ask("CREATE TABLE message (whatever TEXT)");
    ask("PRAGMA user_version = 99");
    byte[] before = Files.readAllBytes(file);

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("was written by a newer version of Postrider (format 99)")
        .hasMessageContaining("knows formats up to " + Migrations.latest())
        .hasMessageContaining("Run the version that wrote it or a newer one");

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(folder.resolve("test.db-wal")).doesNotExist();
  }

  @Test
  void a_file_of_a_newer_version_says_which_one() throws Exception {
    open(file).close();
    ask("INSERT INTO format (number, postrider, at) VALUES (99, '7.8.9', 1)");
    ask("PRAGMA user_version = 99");

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("was written by Postrider 7.8.9 (format 99);")
        .hasMessageContaining("this is Postrider " + BuildVersion.NAME);
  }

  @Test
  void what_is_no_database_is_called_damaged_by_name_and_not_held() throws Exception {
    Files.writeString(file, "this is a letter, not a database ".repeat(1_000));
    assertDamaged();

    Files.delete(file);
    open(file).close();
  }

  @Test
  void a_database_with_damaged_pages_is_called_damaged() throws Exception {
    try (Store store = open(file)) {
      accept(store, "hello");
    }
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4_096, bytes.length, (byte) 0xAA);
    Files.write(file, bytes);

    assertDamaged();
  }

  private void assertDamaged() {
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("damaged");
  }

  @Test
  void a_folder_that_cannot_be_made_is_named() throws Exception {
    Path regular = Files.writeString(folder.resolve("regular"), "a file");
    Path impossible = regular.resolve("sub/test.db");

    assertThatThrownBy(() -> open(impossible))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("cannot create " + impossible.getParent());
  }

  @Test
  void a_folder_is_no_database_file() throws Exception {
    Files.createDirectory(file);

    assertThatThrownBy(() -> open(file))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(file.toString());
  }

  // ---- a full disk

  @Test
  void on_a_full_disk_writes_fail_by_name_nothing_is_lost_and_it_goes_on_by_itself() {
    NewMessage before;
    NewMessage refused = Plain.message("ann", "x".repeat(500_000));
    NewMessage after;
    try (SqliteStore store = open(file)) {
      before = accept(store, "before");
      String pages = time.await(store.pragma("page_count"));
      time.await(store.pragma("max_page_count = " + pages));

      assertThatThrownBy(() -> time.await(store.accept(refused)))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("disk is full");
      assertThat(store.find(refused.id())).isEmpty();
      assertThat(store.find(before.id())).isPresent();

      time.await(store.pragma("max_page_count = 1000000"));
      after = accept(store, "y".repeat(500_000));
    }
    try (Store store = open(file)) {
      assertThat(store.find(before.id())).isPresent();
      assertThat(store.find(refused.id())).isEmpty();
      assertThat(store.find(after.id())).isPresent();
    }
  }
}
