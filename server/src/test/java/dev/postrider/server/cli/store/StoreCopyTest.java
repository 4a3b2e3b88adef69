package dev.postrider.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.Attachment;
import dev.postrider.message.Ids;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.NewMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files move with the messages that need them, and what platforms call them moves too. */
class StoreCopyTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Ids IDS = new Ids(InstantSource.fixed(NOW), new SplittableRandom(4));

  private final PostgresServer server = PostgresServer.shared();
  private final String postgres = server.newSchema();
  private final SystemScheduler time = new SystemScheduler();

  @TempDir Path folder;
  private String sqlite = "";
  private String waiting = "";
  private String dead = "";
  private String done = "";
  private String unused = "";
  private Upload upload = new Upload("bot", "", "", "", NOW);

  @BeforeEach
  void fill() throws IOException {
    sqlite = "sqlite:" + folder.resolve("from.db");
    try (Store store = open(sqlite)) {
      fill(store);
    }
  }

  void fill(Store store) throws IOException {
    waiting = take(store, "waiting ".repeat(200_000));
    dead = take(store, "dead");
    done = take(store, "done");
    unused = take(store, "unused");
    time.await(store.accept(with(waiting)));
    NewMessage failed = with(dead);
    time.await(store.accept(failed));
    NewMessage cancelled = with(done);
    time.await(store.accept(cancelled));
    time.await(store.cancel(cancelled.id(), NOW));
    upload = new Upload("bot", waiting, "photo", "id 1", NOW.plus(HOUR));
    time.await(store.save(upload));
    time.await(store.save(new Upload("bot", waiting, "document", "id 2", NOW.plus(HOUR))));
  }

  @AfterEach
  void drop() {
    time.close();
    server.drop(postgres);
  }

  private Store open(String url) {
    StoreProvider provider =
        url.startsWith("sqlite:") ? new SqliteStoreProvider() : new PostgresStoreProvider();
    return provider.open(url, ClusterSettings.of("test"), time);
  }

  private static String take(Store store, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return store
        .blobs()
        .take(new ByteArrayInputStream(bytes), "text/plain", bytes.length, NOW)
        .hash();
  }

  private NewMessage with(String hash) {
    MessageId id = IDS.nextMessageId();
    Attachment file =
        new Attachment(Media.held(hash).url(), MediaKind.DOCUMENT, null, null, 1, false, true);
    boolean expired = hash.equals(dead);
    return new NewMessage(
        id,
        Message.to("bot", "ann").text("see").build(),
        new Plan(id, List.of(Part.carrying(List.of(file)))),
        Progress.none(1),
        NOW,
        NOW,
        expired ? NOW.plusSeconds(1) : NOW.plus(HOUR),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }

  private StoreCopy.Result move(String from, String to) {
    try (Store source = open(from);
        Store target = open(to)) {
      return new StoreCopy(side(source), side(target)).run(_ -> {}, _ -> {});
    }
  }

  private static StoreCopy.Side side(Store store) {
    return new StoreCopy.Side(store, store.export().orElseThrow());
  }

  private void assertWhole(String url) throws IOException {
    try (Store store = open(url)) {
      assertThat(store.upload("bot", waiting, "photo")).contains(upload);
      assertThat(store.blobs().find(unused)).isPresent();
      time.await(store.expire(NOW.plusSeconds(1), 10));

      time.await(store.sweep(NOW, Duration.ZERO, 10));

      assertThat(store.blobs().open(waiting)).hasContent("waiting ".repeat(200_000));
      assertThat(store.blobs().open(dead)).hasContent("dead");
      assertThat(store.blobs().find(done)).isEmpty();
      assertThat(store.blobs().find(unused)).isEmpty();
    }
  }

  @Test
  void files_move_to_postgres_and_back() throws IOException {
    StoreCopy.Result there = move(sqlite, postgres);
    assertThat(there.right()).as(there.toString()).isTrue();
    assertThat(there.files()).isEqualTo(4);
    assertThat(there.filesAdded()).isEqualTo(4);

    String back = "sqlite:" + folder.resolve("back.db");
    StoreCopy.Result again = move(postgres, back);
    assertThat(again.right()).as(again.toString()).isTrue();
    assertThat(again.checksum()).isEqualTo(there.checksum());

    assertWhole(postgres);
    assertWhole(back);
  }

  @Test
  void it_can_be_repeated() {
    move(sqlite, postgres);

    StoreCopy.Result again = move(sqlite, postgres);

    assertThat(again.right()).as(again.toString()).isTrue();
    assertThat(again.filesAdded()).isZero();
  }

  @Test
  void a_file_that_is_missing_is_named() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("from.db-media"))) {
      for (Path file : files.filter(one -> one.endsWith(dead)).toList()) {
        Files.delete(file);
      }
    }

    StoreCopy.Result result = move(sqlite, postgres);

    assertThat(result.wrong()).containsExactly("media:" + dead);
  }

  @Test
  void a_handle_that_is_another_there_is_not_called_the_same() {
    move(sqlite, postgres);
    Upload newer = new Upload("bot", waiting, "photo", "id 3", NOW.plus(HOUR));
    try (Store store = open(postgres)) {
      time.await(store.save(newer));
    }

    assertThat(move(sqlite, postgres).right()).isFalse();

    try (Store store = open(postgres)) {
      assertThat(store.upload("bot", waiting, "photo")).contains(newer);
    }
  }
}
