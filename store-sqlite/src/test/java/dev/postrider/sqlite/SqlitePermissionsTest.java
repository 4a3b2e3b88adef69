package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Who on this machine may read the messages: whoever runs Postrider, and nobody else. */
@DisabledOnOs(OS.WINDOWS)
class SqlitePermissionsTest {
  @TempDir Path dir;
  private final SystemScheduler time = new SystemScheduler();

  @AfterEach
  void stopTime() {
    time.close();
  }

  private Store open(Path file) {
    return new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time);
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void allow(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void assertOwnersOnly(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> paths = all.toList();
      assertThat(paths)
          .extracting(path -> folder.relativize(path).toString())
          .contains("box.db", "box.db-wal", "box.db-shm", "box.db.lock", "box.db-media");
      assertThat(paths)
          .allSatisfy(
              path ->
                  assertThat(mode(path))
                      .as(path.toString())
                      .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
    }
  }

  private void store(Store store) throws IOException {
    time.await(store.accept(Plain.message("ann", "hello")));
    store
        .blobs()
        .take(new ByteArrayInputStream(new byte[] {1, 2, 3}), "text/plain", 100, Plain.NOW);
  }

  @Test
  void a_new_database_and_everything_beside_it_are_their_owners_only() throws IOException {
    Path folder = dir.resolve("new").resolve("data");
    try (Store store = open(folder.resolve("box.db"))) {
      store(store);
      assertOwnersOnly(folder);
      assertThat(mode(dir.resolve("new"))).isEqualTo("rwx------");
    }
  }

  @Test
  void what_was_open_to_others_is_closed_to_them_at_the_next_start() throws IOException {
    Path folder = dir.resolve("data");
    Path file = folder.resolve("box.db");
    try (Store store = open(file)) {
      store(store);
    }
    allow(folder, "rwxr-xr-x");
    allow(file, "rw-r--r--");
    allow(folder.resolve("box.db.lock"), "rw-rw-rw-");
    allow(folder.resolve("box.db-media"), "rwxr-xr-x");

    try (Store store = open(file)) {
      store(store);
      assertOwnersOnly(folder);
    }
  }

  @Test
  void a_log_that_a_crash_has_left_open_to_others_is_closed_to_them() throws IOException {
    Path folder = dir.resolve("data");
    Path file = folder.resolve("box.db");
    open(file).close();
    Path wal = Files.createFile(folder.resolve("box.db-wal"));
    allow(wal, "rw-r--r--");

    try (Store store = open(file)) {
      store(store);
      assertOwnersOnly(folder);
    }
  }

  @Test
  void a_folder_that_holds_other_things_too_stays_as_it_is() throws IOException {
    Path folder = Files.createDirectory(dir.resolve("shared"));
    Files.createFile(folder.resolve("somebody-elses"));
    allow(folder, "rwxrwxr-x");

    try (Store store = open(folder.resolve("box.db"))) {
      store(store);
      assertThat(mode(folder)).isEqualTo("rwxrwxr-x");
      assertThat(mode(folder.resolve("box.db"))).isEqualTo("rw-------");
      assertThat(mode(folder.resolve("box.db-wal"))).isEqualTo("rw-------");
      assertThat(mode(folder.resolve("box.db.lock"))).isEqualTo("rw-------");
      assertThat(mode(folder.resolve("box.db-media"))).isEqualTo("rwx------");
    }
  }
}
