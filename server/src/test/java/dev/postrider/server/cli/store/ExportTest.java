package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Remembered;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.server.cli.Main;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.ImportReceipt;
import dev.postrider.store.ImportedEntry;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.history.AuditEntry;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.PausedLane;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with everything in it is written to a file, and comes back from it unchanged. */
class ExportTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String PLAIN = "";
  private static final String KEY = EncryptionKeys.random();

  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final StringWriter out = new StringWriter();

  @TempDir Path folder;
  private String sqlite = "";

  @BeforeEach
  void fill() throws IOException {
    sqlite = "sqlite:" + folder.resolve("from.db");
    try (SystemScheduler time = new SystemScheduler();
        Store store = new SqliteStoreProvider().open(sqlite, ClusterSettings.of("test"), time)) {
      Restoration restoration =
          store.restoration(NOW.minusSeconds(9), NOW.minusSeconds(5), false).orElseThrow();
      assertThat(Stream.generate(restoration::next).anyMatch(Restored::finished)).isTrue();
      new StoreCopyTurnsTest().fill(store);
      new StoreCopyInboundTest().fill(store);
      new StoreCopyRunsTest().fill(store);
      new StoreCopyTest().fill(store);
      time.await(store.pauseAccount("bot", "by \"hand\"\n", NOW));
      time.await(store.save(List.of(new Budget("account:bot", 7, NOW, "1 2 3"))));
      time.await(store.pauseLane(new PausedLane("bot", "ann", "ä 😀", NOW)));
      time.await(store.pauseLane(new PausedLane("other", "ﬀ", "after U+1F600?", NOW)));
      time.await(store.pauseLane(new PausedLane("other", "😀", "before U+FB00?", NOW)));
      time.await(store.remember("bot", null, Remembered.of(null, "refresh", "ä 😀"), NOW));
      List<Alias> names = List.of(new Alias("ann@lid", "ann"));
      time.await(store.receive("bot", List.of(), null, List.of(), names, SessionKey.DEFAULT));
      Remembered window = Remembered.until(NOW.plusSeconds(9), "ann", "window", "open");
      time.await(store.remember("bot", null, window, NOW));
      time.await(store.receive("bot", List.of(withFiles()), null));
      UUID id = UUID.fromString("0199a1b2-0000-7000-8000-000000000001");
      time.await(
          store
              .inboundStore()
              .record(new AuditEntry(NOW, id, "ops", "accounts pause", "bot", "done")));
      ImportReceipt receipt = new ImportReceipt("openclaw/ä 😀", 7, "00ff", NOW);
      store.export().orElseThrow().addImported(List.of(new ImportedEntry(receipt, List.of())));
    }
  }

  private static NewInbound withFiles() {
    InboundMessage.File file = new InboundMessage.File("document", "f", null, null, null, null);
    InboundMessage arrival =
        new InboundMessage(
            "with files",
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            null,
            List.of(file, file),
            null,
            null,
            null,
            null,
            Map.of());
    InboundId id = new InboundId(UUID.fromString("0199a1b2-0000-7000-8000-000000000002"));
    return new NewInbound(id, arrival, "s", NOW, true);
  }

  @AfterEach
  void drop() {
    server.drop(postgres);
  }

  private int run(String store, String keys, String... arguments) {
    out.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(out, true);
    Map<String, String> environment = new HashMap<>(Map.of("POSTRIDER_STORE", store));
    if (!keys.equals(PLAIN)) {
      environment.put("POSTRIDER_STORAGE_ENCRYPTION_KEY", keys);
    }
    return Main.run(
        new Terminal(environment, InputStream.nullInputStream(), writer, writer, false), arguments);
  }

  private Path export(String store, String keys, String name) {
    Path file = folder.resolve(name);
    assertThat(run(store, keys, "export", file.toString())).as(out.toString()).isZero();
    return file;
  }

  private void read(Path file, String store, String keys) {
    assertThat(run(store, keys, "import", "jsonl", file.toString())).as(out.toString()).isZero();
  }

  @Test
  void everything_comes_back_byte_by_byte_from_every_kind_of_store() throws IOException {
    Path first = export(sqlite, PLAIN, "first");
    for (Kind kind : Kind.values()) {
      assertThat(Files.readString(first)).contains("{\"kind\":\"" + kind.label() + "\",");
    }

    read(first, postgres, PLAIN);
    Path second = export(postgres, PLAIN, "second");
    assertThat(second).hasSameTextualContentAs(first);

    String back = "sqlite:" + folder.resolve("back.db");
    read(second, back, KEY);
    assertThat(export(back, KEY, "third")).hasSameTextualContentAs(first);
  }

  @Test
  void without_a_file_it_goes_to_the_output() throws IOException {
    Path file = export(sqlite, PLAIN, "first");

    assertThat(run(sqlite, PLAIN, "export")).isZero();

    assertThat(out).hasToString(Files.readString(file));
  }

  @Test
  void a_line_without_a_field_that_it_needs_is_refused_by_its_kind() throws IOException {
    Path file = export(sqlite, PLAIN, "first");
    String cut =
        Files.readString(file)
            .replaceFirst("(\"kind\":\"runTarget\".*?),\"status\":\"\\w+\"", "$1");
    assertThat(cut).isNotEqualTo(Files.readString(file));
    Files.writeString(file, cut);
    for (String store : List.of("sqlite:" + folder.resolve("cut.db"), postgres)) {
      assertThat(run(store, PLAIN, "import", "jsonl", file.toString())).isNotZero();
      assertThat(out.toString()).contains("runTarget", "a field is missing");
    }
  }

  @Test
  void an_import_can_be_repeated() {
    Path file = export(sqlite, PLAIN, "first");
    read(file, postgres, PLAIN);

    read(file, postgres, PLAIN);

    // An account and a pause are written again as they are.
    assertThat(out.toString()).contains(" and 0 files added.");
    assertThat(export(postgres, PLAIN, "again")).hasSameTextualContentAs(file);
  }

  @Test
  void an_export_that_is_not_whole_is_noticed() throws IOException {
    List<String> lines = Files.readAllLines(export(sqlite, PLAIN, "first"));
    Path cut = Files.write(folder.resolve("cut"), lines.subList(0, lines.size() - 1));
    Path hole = folder.resolve("hole");
    Files.write(hole, lines.stream().filter(line -> !line.contains("\"budget\"")).toList());
    Path other = Files.writeString(folder.resolve("other"), "{\"text\":\"hello\"}\n");

    assertThat(run(postgres, PLAIN, "import", "jsonl", cut.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("Line " + lines.size() + ": the export is not whole.");
    assertThat(run(postgres, PLAIN, "import", "jsonl", hole.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("lines are missing");
    assertThat(run(postgres, PLAIN, "import", "jsonl", other.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("Line 1: it does not begin as an export does.");
  }

  @Test
  void a_line_that_is_none_is_refused() throws IOException {
    List<String> lines =
        Files.readAllLines(export(sqlite, PLAIN, "first")).stream()
            .map(line -> line.replace("\"status\":\"queued\"", "\"status\":\"lost\""))
            .toList();
    Path file = Files.write(folder.resolve("wrong"), lines);

    assertThat(run(postgres, PLAIN, "import", "jsonl", file.toString())).isEqualTo(1);

    assertThat(out.toString()).contains("'lost' is none of [queued, sending, ");
  }

  @Test
  void a_file_that_is_there_is_not_written_over() throws IOException {
    Path file = Files.writeString(folder.resolve("precious"), "mine");

    assertThat(run(sqlite, PLAIN, "export", file.toString())).isEqualTo(1);

    assertThat(out.toString()).contains("is there already");
    assertThat(file).hasContent("mine");
  }

  @Test
  void a_store_that_is_not_there_is_not_made() {
    Path none = folder.resolve("none.db");

    assertThat(run("sqlite:" + none, PLAIN, "export")).isEqualTo(1);

    assertThat(out.toString()).contains("There is no " + none + " to export.");
    assertThat(none).doesNotExist();
  }
}
