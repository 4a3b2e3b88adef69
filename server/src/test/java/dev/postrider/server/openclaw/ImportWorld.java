package dev.postrider.server.openclaw;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.store.Exports;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A queue that is imported into a store, some minutes after its last entry was written. */
final class ImportWorld implements AutoCloseable {
  /** When the queues of the resources were written, and a minute. */
  static final Instant NOW = Instant.parse("2026-11-15T06:56:00Z");

  static final Duration DAYS = Duration.ofHours(72);
  private static final Path RESOURCES = Path.of("src/test/resources/dev/postrider/server/openclaw");

  final SystemScheduler time = new SystemScheduler();
  private final SplittableRandom random = new SplittableRandom(1);
  final String url;
  final Path folder;
  PostriderConfig config;
  Instant now = NOW;
  Duration maxAge = DAYS;
  boolean dryRun;
  boolean resendUnknown;
  Map<String, String> accounts = Map.of();
  UnaryOperator<EntryQueue> broken = queue -> queue;

  ImportWorld(String url, Path folder) {
    this.url = url;
    this.folder = folder;
    this.config = PostriderConfig.store(url);
  }

  /** A copy of what a release wrote. */
  void queueOf(String release) throws IOException {
    Path from = RESOURCES.resolve(release).resolve("delivery-queue");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = folder.resolve(from.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
  }

  void put(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  void account(String id, String channel) {
    config = config.account(AccountConfig.of(id, channel));
  }

  ImportReport run() throws IOException {
    try (Store store = open()) {
      return run(store);
    }
  }

  ImportReport run(Store store) throws IOException {
    try (EntryQueue queue = OpenclawImport.queueAt(folder)) {
      return new OpenclawImport(
              broken.apply(queue),
              store,
              store.blobs(),
              config,
              new OpenclawImport.Wishes(dryRun, maxAge, resendUnknown, accounts),
              InstantSource.fixed(now),
              random)
          .run();
    }
  }

  Store open() {
    StoreProvider provider =
        url.startsWith("sqlite:") ? new SqliteStoreProvider() : new PostgresStoreProvider();
    return provider.open(url, ClusterSettings.of("test"), time);
  }

  /** Every message there is, as it is stored. */
  List<StoredMessage> messages() {
    try (Store store = open()) {
      return lines(store, Kind.MESSAGE).stream()
          .map(line -> store.find(MessageId.parse(line.path("id").asString())).orElseThrow())
          .toList();
    }
  }

  List<JsonNode> lines(Kind kind) {
    try (Store store = open()) {
      return lines(store, kind);
    }
  }

  private static List<JsonNode> lines(Store store, Kind kind) {
    JsonMapper json = new JsonMapper();
    return Exports.lines(store, kind).stream().map(json::readTree).toList();
  }

  /** Everything in the store. */
  List<String> everything() {
    try (Store store = open()) {
      return Exports.lines(store);
    }
  }

  /** The files there are, with their bytes as text. */
  Map<String, String> files() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return all;
  }

  @Override
  public void close() {
    time.close();
  }
}
