package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files beside the database: where they are, who may read them, what a crash leaves. */
class SqliteMediaTest {
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path folder;
  private final SystemScheduler time = new SystemScheduler();
  private Path file;
  private Path media;

  @BeforeEach
  void nameTheFiles() {
    file = folder.resolve("test.db");
    media = folder.resolve("test.db-media");
  }

  @AfterEach
  void stopTime() {
    time.close();
  }

  private SqliteStore open() {
    return (SqliteStore)
        new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time);
  }

  private static Blob take(Store store, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return store.blobs().take(new ByteArrayInputStream(bytes), "text/plain", 100, Plain.NOW);
  }

  private List<String> files() throws IOException {
    if (!Files.exists(media)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(media)) {
      return all.filter(Files::isRegularFile)
          .map(one -> media.relativize(one).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void there_is_no_folder_until_there_is_a_file() throws Exception {
    try (Store store = open()) {
      assertThat(media).doesNotExist();

      take(store, "hello");
    }
    assertThat(files()).containsExactly("2c/" + HELLO);
  }

  @Test
  void a_link_to_the_database_leads_to_its_files() throws Exception {
    try (Store store = open()) {
      take(store, "hello");
    }
    file = Files.createSymbolicLink(folder.resolve("link.db"), file);

    try (Store store = open()) {
      assertThat(store.blobs().open(HELLO)).hasContent("hello");
    }
  }

  @Test
  void only_their_owner_may_read_them() throws Exception {
    assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
    try (Store store = open()) {
      take(store, "hello");
    }

    for (Path one : List.of(media, media.resolve("tmp"), media.resolve("2c"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
          .isEqualTo("rwx------");
    }
    Path hello = media.resolve("2c").resolve(HELLO);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(hello)))
        .isEqualTo("rw-------");
  }

  @Test
  void what_a_crash_has_left_goes_when_the_store_opens_and_nothing_else() throws Exception {
    try (Store store = open()) {
      take(store, "hello");
    }
    String withoutRow = HELLO.replace('c', 'd');
    Files.createDirectories(media.resolve("2d"));
    Files.writeString(media.resolve("2d").resolve(withoutRow), "not in the database");
    Files.writeString(media.resolve("tmp/half"), "half of a fi");
    Files.writeString(media.resolve("2d/notes.txt"), "somebody's own");

    try (Store store = open()) {
      assertThat(files()).containsExactly("2c/" + HELLO, "2d/notes.txt");
      assertThat(store.blobs().open(HELLO)).hasContent("hello");
    }
  }

  @Test
  void a_file_that_is_swept_leaves_nothing() throws Exception {
    try (Store store = open()) {
      take(store, "hello");
      time.await(store.sweep(Plain.NOW, Duration.ofHours(1), 10));
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_written_is_refused_by_name() throws Exception {
    Files.writeString(media, "not a folder");
    try (Store store = open()) {
      assertThatThrownBy(() -> take(store, "hello"))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(media.toString());
    }
  }

  @Test
  void a_file_whose_row_cannot_be_written_is_refused_and_goes_again() throws Exception {
    try (SqliteStore store = open()) {
      String pages = time.await(store.pragma("page_count"));
      time.await(store.pragma("max_page_count = " + pages));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  take(store, "file " + i);
                }
              })
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("disk is full");

      time.await(store.pragma("max_page_count = 1000000"));
      for (String left : files()) {
        if (!left.startsWith("tmp/")) { // on its way out
          assertThat(store.blobs().find(left.substring(3))).isPresent();
        }
      }
    }
  }

  @Test
  void a_store_in_memory_takes_its_files_with_it() throws Exception {
    String before = System.setProperty("java.io.tmpdir", folder.toString());
    try (Store store = new SqliteStoreProvider().openInMemory(time)) {
      take(store, "hello");
      assertThat(folder).isNotEmptyDirectory();
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
    assertThat(folder).isEmptyDirectory();
  }
}
