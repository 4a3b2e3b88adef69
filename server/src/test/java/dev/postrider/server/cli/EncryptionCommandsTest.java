package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.PostriderConfig;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Making keys, changing them, and taking encrypted contents to another store. */
class EncryptionCommandsTest {
  private static final String ONE = EncryptionKeys.random();
  private static final String OTHER = EncryptionKeys.random();

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();

  private int run(String keys, String... arguments) {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    Map<String, String> environment =
        Map.of(
            "POSTRIDER_STORE", store(), "POSTRIDER_STORAGE_ENCRYPTION_KEY", keys, "HOME", "/none");
    return Main.run(
        new Terminal(environment, InputStream.nullInputStream(), writer, writer, false), arguments);
  }

  private String store() {
    return "sqlite:" + folder.resolve("a.db");
  }

  private static String name(String key) {
    return EncryptionKeys.name(EncryptionKeys.id(EncryptionKeys.of(key).secrets().getFirst()));
  }

  private static Postrider open(String store, String... keys) {
    return Postrider.open(
        PostriderConfig.store(store)
            .encryptionKeys(EncryptionKeys.of(keys))
            .cluster(ClusterSettings.of("test"))
            .account(AccountConfig.of("a", "sandbox")));
  }

  private static MessageId sendLater(String store, String... keys) {
    try (Postrider postrider = open(store, keys)) {
      return postrider
          .send(
              Message.to("a", "ann")
                  .text("quite secret")
                  .sendAt(Instant.now().plusSeconds(3600))
                  .build())
          .id();
    }
  }

  private static String text(String store, MessageId id, String... keys) {
    try (Postrider postrider = open(store, keys)) {
      return String.valueOf(postrider.find(id).orElseThrow().message().text());
    }
  }

  @Test
  void a_key_that_was_made_is_taken() {
    assertThat(run("", "key")).isZero();
    String key = out.toString().lines().findFirst().orElseThrow().split(": ")[1].strip();
    assertThat(out.toString()).contains(name(key));
    sendLater(store(), key);
  }

  @Test
  void reencrypt_lets_the_old_key_go_and_says_what_is_under_which() throws Exception {
    MessageId id = sendLater(store(), ONE);
    assertThat(run(OTHER + "," + ONE, "reencrypt", "--check")).isZero();
    assertThat(out.toString()).contains("under key " + name(ONE)).doesNotContain(name(OTHER));
    assertThat(run(OTHER + "," + ONE, "reencrypt")).isZero();
    assertThat(out.toString()).contains("under key " + name(OTHER)).doesNotContain(name(ONE));
    assertThat(text(store(), id, OTHER)).isEqualTo("quite secret");
    assertThat(run("none," + OTHER, "reencrypt")).isZero();
    assertThat(out.toString()).contains("not encrypted: ");
    assertThat(text(store(), id)).isEqualTo("quite secret");
    assertThat(new String(Files.readAllBytes(folder.resolve("a.db")), StandardCharsets.ISO_8859_1))
        .contains("quite secret");
  }

  @Test
  void a_missing_key_is_named_and_no_key_is_ever_shown() {
    sendLater(store(), ONE);
    assertThat(run(OTHER, "reencrypt")).isNotZero();
    assertThat(out.toString())
        .contains("encrypted under key " + name(ONE), "storage.encryptionKey")
        .doesNotContain(ONE, OTHER);
  }

  @Test
  void a_message_that_cannot_be_read_is_not_moved_as_something_else() throws Exception {
    MessageId id = sendLater(store(), ONE);
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
        var damage = connection.createStatement()) {
      damage.execute("UPDATE message SET content = substr(content, 1, length(content) - 1)");
    }
    String target = "sqlite:" + folder.resolve("b.db");
    assertThat(run(ONE, "migrate-store", "--from", store(), "--to", target)).isNotZero();
    assertThat(out.toString())
        .contains("message " + id + " cannot be exported", "does not decrypt");
  }

  @Test
  void migrate_store_decrypts_the_source_and_encrypts_the_target() {
    PostgresServer server = PostgresServer.shared();
    String postgres = server.newSchema();
    try {
      MessageId id = sendLater(store(), ONE);
      assertThat(run(OTHER + "," + ONE, "migrate-store", "--from", store(), "--to", postgres))
          .as(out.toString())
          .isZero();
      assertThat(text(postgres, id, OTHER)).isEqualTo("quite secret");
      assertThat(text(store(), id, ONE)).as("the source stays as it was").isEqualTo("quite secret");
    } finally {
      server.drop(postgres);
    }
  }
}
