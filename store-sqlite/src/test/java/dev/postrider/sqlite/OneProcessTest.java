package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is worked by one process at a time, and a dead process holds nothing. */
class OneProcessTest {
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

  private Store open(Path path) {
    return new SqliteStoreProvider().open("sqlite:" + path, ClusterSettings.of("test"), time);
  }

  @Test
  void a_second_process_is_refused_and_told_who_holds_the_file() throws Exception {
    try (Store _ = open(file);
        Holder second = Holder.of(file)) {
      assertThat(second.says())
          .startsWith("refused: " + file)
          .contains("another process")
          .contains("pid " + ProcessHandle.current().pid());
    }
  }

  @Test
  void a_file_is_free_the_moment_its_holder_is_killed_and_holds_what_was_accepted()
      throws Exception {
    try (Holder holder = Holder.of(file)) {
      MessageId accepted = MessageId.parse(holder.says());
      assertThatThrownBy(() -> open(file))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("another process (pid " + holder.pid() + ")");

      holder.kill();

      try (Store store = open(file)) {
        assertThat(store.find(accepted)).isPresent();
      }
    }
  }

  @Test
  void a_process_is_refused_a_file_it_holds_already_and_goes_on_holding_it() throws Exception {
    try (Store _ = open(file)) {
      assertThatThrownBy(() -> open(file))
          .isInstanceOf(StoreRefused.class)
          .hasMessageContaining("this process");

      try (Holder second = Holder.of(file)) {
        assertThat(second.says()).startsWith("refused: ");
      }
    }
  }

  @Test
  void a_file_is_held_by_whatever_name_it_is_called() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    try (Store _ = open(file)) {
      Path link = Files.createSymbolicLink(elsewhere.resolve("link.db"), file);
      Path sameFolder = Files.createSymbolicLink(folder.resolve("folder"), folder);

      assertThatThrownBy(() -> open(link)).isInstanceOf(StoreRefused.class);
      assertThatThrownBy(() -> open(sameFolder.resolve("test.db")))
          .isInstanceOf(StoreRefused.class);
    }
  }

  @Test
  void a_closed_file_can_be_opened_again_by_the_same_process() {
    open(file).close();
    open(file).close();
  }

  @Test
  void two_files_in_one_folder_do_not_mind_each_other() {
    try (Store _ = open(file);
        Store other = open(folder.resolve("other.db"))) {
      assertThat(other.durable()).isTrue();
    }
  }

  @Test
  void a_killed_process_leaves_no_library_in_the_temporary_folder() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    try (Holder holder = Holder.of(file, temporary)) {
      MessageId.parse(holder.says()); // it works with its library

      holder.kill();
    }

    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void what_earlier_processes_left_in_the_temporary_folder_is_removed_at_start() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    String copy = "sqlite-3.50.3.0-6e5c1b8e-8c8e-4e52-9d7c-0a3d6f0f5c11-libsqlitejdbc.so";
    Path old = Files.writeString(temporary.resolve(copy), "x");
    Path mark = Files.writeString(temporary.resolve(copy + ".lck"), "x");
    Path ours = Files.createDirectory(temporary.resolve("postrider-sqlite-123"));
    Path inside = Files.writeString(ours.resolve(copy), "x");
    Path others = Files.writeString(temporary.resolve("sqlite-notes.txt"), "x");
    Path young = Files.writeString(temporary.resolve(copy.replace("6e5c", "0000")), "x");
    FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
    for (Path each : List.of(old, mark, inside, ours, others)) {
      Files.setLastModifiedTime(each, yesterday);
    }

    try (Holder holder = Holder.of(file, temporary)) {
      MessageId.parse(holder.says());

      assertThat(temporary.toFile().list())
          .containsExactlyInAnyOrder(
              others.getFileName().toString(), young.getFileName().toString());
    }
  }
}
