package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.message.MessageId;
import dev.postrider.store.Store;
import dev.postrider.store.StoreRefused;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
