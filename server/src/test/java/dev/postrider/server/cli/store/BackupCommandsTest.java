package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the commands backup, restore and hold say, and how they end. */
class BackupCommandsTest {
  private static final MessageId ID =
      new MessageId(UUID.fromString("0199a1b2-0000-7000-8000-000000000001"));

  private final Map<String, String> environment = new HashMap<>();
  private String out = "";
  private String err = "";

  @TempDir Path folder;
  private Path data;
  private Path backup;

  @BeforeEach
  void fill() {
    data = folder.resolve("data");
    backup = folder.resolve("backup.zip");
    try (SystemScheduler time = new SystemScheduler();
        Store store = open(time)) {
      time.await(store.accept(waiting()));
    }
  }

  private Store open(SystemScheduler time) {
    String url = "sqlite:" + data.resolve("postrider.db");
    return new SqliteStoreProvider().open(url, ClusterSettings.of("test"), time);
  }

  private static NewMessage waiting() {
    Instant now = Instant.now();
    return new NewMessage(
        ID,
        Message.to("sandbox", "ann").text("hello").build(),
        new Plan(ID, List.of(Part.plain("hello"))),
        Progress.none(1),
        now,
        now,
        now.plus(Duration.ofDays(1)),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }

  private Status status() {
    try (SystemScheduler time = new SystemScheduler();
        Store store = open(time)) {
      return store.find(ID).orElseThrow().status();
    }
  }

  private int run(String... args) {
    StringWriter outWriter = new StringWriter();
    StringWriter errWriter = new StringWriter();
    int code =
        Main.run(
            new Terminal(
                environment,
                InputStream.nullInputStream(),
                new PrintWriter(outWriter),
                new PrintWriter(errWriter),
                false),
            args);
    out = outWriter.toString();
    err = errWriter.toString();
    return code;
  }

  private int onData(String... args) {
    return run(
        Stream.concat(Stream.of(args), Stream.of("--data", data.toString()))
            .toArray(String[]::new));
  }

  private JsonNode json() {
    return new JsonMapper().readTree(out);
  }

  @Test
  void a_backup_is_written_and_comes_back() {
    assertThat(onData("backup", backup.toString())).isZero();
    assertThat(out)
        .startsWith("Backed up to " + backup)
        .contains("1 messages, 1 of them waiting, and 0 files");

    assertThat(onData("restore", backup.toString())).isEqualTo(1);
    assertThat(err).startsWith("Nothing was restored: ").contains("--move-aside");
    assertThat(status()).isEqualTo(Status.QUEUED);

    assertThat(onData("restore", backup.toString(), "--move-aside")).isZero();
    assertThat(out)
        .contains("1 messages may have been sent since, and are held.")
        .contains("postrider dead-letters replay --reason restored")
        .contains("The store that was there is now " + data.resolve("postrider.db.before-"));
    assertThat(status()).isEqualTo(Status.HELD);
  }

  @Test
  void both_say_it_in_json_too() {
    assertThat(onData("backup", backup.toString(), "--json")).isZero();
    assertThat(json().path("file").asString()).isEqualTo(backup.toString());
    assertThat(json().path("waiting").asInt()).isOne();

    assertThat(onData("restore", backup.toString(), "--move-aside", "--json")).isZero();
    assertThat(json().path("held").asInt()).isOne();
    assertThat(json().path("oldStore").asString()).contains("postrider.db.before-");
  }

  @Test
  void in_a_folder_a_backup_is_named_after_the_time() throws IOException {
    Path backups = Files.createDirectory(folder.resolve("backups"));

    assertThat(onData("backup", backups.toString())).isZero();

    try (Stream<Path> files = Files.list(backups)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .singleElement()
          .asString()
          .matches("postrider-\\d{8}-\\d{6}\\.zip");
    }
  }

  @Test
  void a_backup_can_be_checked_without_a_store() {
    onData("backup", backup.toString());

    assertThat(run("restore", backup.toString(), "--dry-run", "--data", folder + "/new")).isZero();

    assertThat(out).startsWith("The backup was taken at ").contains("1 messages");
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void what_is_not_there_is_said() {
    assertThat(run("backup", backup.toString(), "--data", folder + "/none")).isEqualTo(1);
    assertThat(err).startsWith("No backup was written: there is no ").contains("to back up");
    assertThat(onData("restore", folder + "/none.zip")).isEqualTo(2);
    assertThat(run("restore", folder + "/none.zip", "--data", folder + "/new")).isEqualTo(2);
    assertThat(err).contains("none.zip' does not exist");
    assertThat(run("backup")).isEqualTo(2);
    assertThat(err).contains("FILE");
  }

  @Test
  void a_key_is_needed_only_to_bring_it_back() throws IOException {
    Path config = folder.resolve("postrider.yaml");
    String store = "store: \"sqlite:%s/postrider.db\"\n".formatted(folder.resolve("secret"));
    String key = "storage: { encryptionKey: \"%s\" }\n".formatted(EncryptionKeys.random());
    Files.writeString(config, store + key);
    onData("export", folder.resolve("all.jsonl").toString());
    run("import", "jsonl", folder.resolve("all.jsonl").toString(), "--config", "" + config);
    Files.writeString(config, store);

    assertThat(run("backup", backup.toString(), "--config", "" + config)).as(err).isZero();
    String[] restore = {"restore", "" + backup, "--move-aside", "--config", "" + config};
    assertThat(run(restore)).isEqualTo(1);
    assertThat(err).contains("storage.encryptionKey does not list");

    Files.writeString(config, store + key);
    assertThat(run(restore)).as(err).isZero();
  }

  @Test
  void postgresql_has_tools_of_its_own() throws IOException {
    environment.put("POSTRIDER_STORE", "jdbc:postgresql://127.0.0.1:1/postrider");
    Path there = Files.createFile(folder.resolve("there.zip"));
    for (Path file : List.of(backup, there)) {
      assertThat(run(file.equals(there) ? "restore" : "backup", file.toString())).isEqualTo(1);
      assertThat(err).contains("pg_dump").contains("postrider hold");
    }
  }

  @Test
  void hold_does_the_same_for_other_ways_to_restore() {
    assertThat(onData("hold", "--taken", "6h")).isZero();

    assertThat(out).contains("1 messages may have been sent since, and are held.");
    assertThat(status()).isEqualTo(Status.HELD);
    assertThat(onData("hold", "--taken", "6h", "--json")).isZero();
    assertThat(json().path("held").asInt()).isZero();
  }

  @Test
  void hold_wants_to_know_when_and_a_store_that_nobody_uses() {
    assertThat(onData("hold")).isEqualTo(2);
    for (String wrong : List.of("yesterday", "", "2026-11-20", "9999-01-01T00:00:00Z")) {
      assertThat(onData("hold", "--taken", wrong)).as(wrong).isEqualTo(2);
      assertThat(err).contains("--taken");
    }
    try (SystemScheduler time = new SystemScheduler();
        Store _ = open(time)) {
      assertThat(onData("hold", "--taken", "6h")).isEqualTo(1);
      assertThat(err).contains("is in use by");
    }
    assertThat(run("hold", "--taken", "6h", "--data", folder + "/none")).isEqualTo(1);
    assertThat(status()).isEqualTo(Status.QUEUED);
  }
}
