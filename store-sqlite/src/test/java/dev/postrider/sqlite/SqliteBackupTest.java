package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.sqlite.backup.SqliteBackup;
import dev.postrider.store.Store;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.StoreBackup.Contents;
import dev.postrider.store.StoreBackup.Result;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in one file: taken while others work on it, and brought back. */
class SqliteBackupTest {
  private static final StoreBackup.Progress NOBODY = (_, _, _) -> {};

  @TempDir Path folder;
  private final SystemScheduler time = new SystemScheduler();
  private Path file;
  private Path elsewhere;
  private Path backup;

  @BeforeEach
  void nameTheFiles() throws IOException {
    file = Files.createDirectory(folder.resolve("data")).resolve("postrider.db");
    elsewhere = folder.resolve("new/postrider.db");
    backup = Files.createDirectory(folder.resolve("backups")).resolve("backup.zip");
  }

  @AfterEach
  void stopTime() {
    time.close();
  }

  // ---- acting and looking

  private Store open(Path path) {
    return open(path, EncryptionKeys.OFF);
  }

  private Store open(Path path, EncryptionKeys keys) {
    return new SqliteStoreProvider().open("sqlite:" + path, ClusterSettings.of("test"), keys, time);
  }

  private static StoreBackup backups(Path of) {
    return new SqliteStoreProvider().backup("sqlite:" + of).orElseThrow();
  }

  private Contents back() {
    return backups(file).write(backup, NOBODY);
  }

  private Result restore(Path to) {
    return backups(to).restore(backup, EncryptionKeys.OFF, false, false, time, NOBODY);
  }

  private MessageId accept(Store store, String text) {
    NewMessage message = Plain.message("ann", text);
    time.await(store.accept(message));
    return message.id();
  }

  private static Blob take(Store store, String text, Instant keep) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return store.blobs().take(new ByteArrayInputStream(bytes), "text/plain", 100, keep);
  }

  private static String text(Store store, Blob blob) throws IOException {
    return new String(store.blobs().open(blob.hash()).readAllBytes(), StandardCharsets.UTF_8);
  }

  private static List<String> names(Path of) throws IOException {
    if (!Files.exists(of)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(of)) {
      return all.filter(Files::isRegularFile).map(one -> of.relativize(one).toString()).toList();
    }
  }

  // ---- taking one

  @Test
  void a_backup_of_an_open_store_holds_what_was_accepted_before_it() throws Exception {
    try (Store store = open(file)) {
      MessageId before = accept(store, "before");
      Contents contents = back();
      MessageId after = accept(store, "after");

      Result result = restore(elsewhere);

      assertThat(contents.messages()).isOne();
      assertThat(contents.waiting()).isOne();
      assertThat(contents.bytes()).isEqualTo(Files.size(backup));
      assertThat(result.contents()).isEqualTo(contents);
      assertThat(result.restored().held()).isOne();
      try (Store copy = open(elsewhere)) {
        assertThat(copy.find(before).orElseThrow().status()).isEqualTo(Status.HELD);
        assertThat(copy.find(after)).isEmpty();
        assertThat(copy.restored()).contains(result.restored());
      }
      assertThat(store.find(before).orElseThrow().status()).isEqualTo(Status.QUEUED);
    }
  }

  @Test
  void a_store_that_nobody_has_open_is_backed_up_too_and_left_as_it_is() throws Exception {
    try (Store store = open(file)) {
      accept(store, "one");
    }
    List<String> before = names(file.getParent());

    assertThat(back().messages()).isOne();

    assertThat(names(file.getParent())).containsExactlyInAnyOrderElementsOf(before);
    try (Store store = open(file)) {
      assertThat(store.list(MessageFilter.status(Status.QUEUED), null, 9).items()).hasSize(1);
    }
  }

  @Test
  void writers_go_on_while_a_backup_is_taken_and_none_of_their_batches_is_torn() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    List<CompletableFuture<?>> accepted = new ArrayList<>();
    try (Store store = open(file)) {
      accept(store, "the first");
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!enough.get()) {
                      accepted.add(store.accept(Plain.message("ann", "more")));
                      if (accepted.size() % 100 == 0) {
                        time.await(accepted.getLast());
                      }
                    }
                  });
      Contents contents = back();
      enough.set(true);
      writer.join();
      accepted.forEach(time::await);

      restore(elsewhere);
      try (Store copy = open(elsewhere)) {
        long held = copy.export().orElseThrow().messages();
        assertThat(held).isEqualTo(contents.messages()).isLessThanOrEqualTo(accepted.size() + 1);
      }
    }
  }

  @Test
  void files_are_in_it_also_one_that_is_removed_meanwhile() throws Exception {
    try (Store store = open(file)) {
      Blob stays = take(store, "stays", Instant.now().plus(Duration.ofDays(1)));
      Blob goes = take(store, "goes", Plain.NOW);
      StoreBackup.Progress sweeps =
          (step, done, _) -> {
            if (step.equals("written") && done < 10_000) {
              time.await(store.sweep(Instant.now(), Duration.ofHours(1), 99));
            }
          };

      Contents contents = backups(file).write(backup, sweeps);

      assertThat(store.blobs().find(goes.hash())).as("it was removed").isEmpty();
      assertThat(contents.files()).isEqualTo(2);
      assertThat(contents.missing()).isEmpty();
      restore(elsewhere);
      try (Store copy = open(elsewhere)) {
        assertThat(text(copy, stays)).isEqualTo("stays");
        assertThat(text(copy, goes)).isEqualTo("goes");
      }
      assertThat(names(file.getParent()))
          .as("no second names")
          .noneMatch(n -> n.contains("backup"));
    }
  }

  @Test
  void a_file_that_was_lost_before_is_named() throws Exception {
    try (Store store = open(file)) {
      Blob lost = take(store, "lost", Instant.now().plus(Duration.ofDays(1)));
      Path media = file.resolveSibling("postrider.db-media");
      Files.delete(media.resolve(lost.hash().substring(0, 2)).resolve(lost.hash()));

      assertThat(back().missing()).containsExactly(lost.hash());

      assertThat(restore(elsewhere).contents().missing()).containsExactly(lost.hash());
    }
  }

  @Test
  void contents_stay_encrypted_and_come_back_under_their_key_only() throws Exception {
    EncryptionKeys keys = EncryptionKeys.of(EncryptionKeys.random());
    Blob blob;
    MessageId id;
    try (Store store = open(file, keys)) {
      id = accept(store, "a secret word");
      blob = take(store, "a secret file", Instant.now().plus(Duration.ofDays(1)));
      back();
    }
    assertThat(everything(backup)).doesNotContain("a secret");

    assertThatThrownBy(() -> restore(elsewhere))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("storage.encryptionKey does not list");
    assertThat(names(elsewhere.getParent())).containsExactly("postrider.db.lock");

    backups(elsewhere).restore(backup, keys, false, false, time, NOBODY);
    try (Store copy = open(elsewhere, keys)) {
      assertThat(copy.find(id).orElseThrow().message().text()).isEqualTo("a secret word");
      assertThat(text(copy, blob)).isEqualTo("a secret file");
    }
  }

  /** The bytes of all entries, as they are. */
  private static String everything(Path zip) throws IOException {
    StringBuilder all = new StringBuilder();
    try (ZipFile entries = new ZipFile(zip.toFile())) {
      for (ZipEntry entry : entries.stream().<ZipEntry>map(one -> one).toList()) {
        byte[] bytes = entries.getInputStream(entry).readAllBytes();
        all.append(new String(bytes, StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void only_its_owner_may_read_it() throws Exception {
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    open(file).close();

    back();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_file_that_is_there_is_not_overwritten() throws Exception {
    open(file).close();
    Files.writeString(backup, "precious");

    assertThatThrownBy(this::back)
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("is there already");

    assertThat(backup).hasContent("precious");
  }

  @Test
  void what_a_killed_backup_left_is_not_in_the_way() throws Exception {
    open(file).close();
    Files.writeString(backup.resolveSibling("backup.zip.part"), "half of it");
    Files.writeString(backup.resolveSibling("backup.zip.part-db"), "half of it");
    Files.writeString(backup.resolveSibling("backup.zip.part-db-journal"), "half of it");

    back();

    assertThat(names(backup.getParent())).containsExactly("backup.zip");
  }

  @Test
  void two_at_once_do_not_write_the_same_file() throws Exception {
    open(file).close();
    List<Throwable> refused = new ArrayList<>();
    StoreBackup.Progress another =
        (_, _, _) -> {
          try {
            back();
          } catch (StoreRefused e) {
            refused.add(e);
          }
        };

    backups(file).write(backup, another);

    assertThat(refused).isNotEmpty().allMatch(e -> e.getMessage().contains("another backup"));
    assertThat(backups(file).check(backup, NOBODY).messages()).isZero();
  }

  @Test
  void nothing_is_left_where_it_could_not_be_written() throws Exception {
    open(file).close();
    StoreBackup.Progress full =
        (_, _, _) -> {
          throw new java.io.UncheckedIOException(new IOException("No space left on device"));
        };

    assertThatThrownBy(() -> backups(file).write(backup, full))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("No space left on device");

    assertThat(names(backup.getParent())).isEmpty();
  }

  @Test
  void what_is_no_store_is_refused() throws Exception {
    assertThatThrownBy(this::back)
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("there is");
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE something (id INTEGER)");
    }
    assertThatThrownBy(this::back)
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("is no store of Postrider's");
    assertThat(names(backup.getParent())).isEmpty();
  }

  // ---- bringing one back

  @Test
  void a_store_that_is_there_stays_and_moves_aside_if_that_is_wished() throws Exception {
    MessageId old;
    Blob blob;
    try (Store store = open(file)) {
      back();
      old = accept(store, "after the backup");
      blob = take(store, "after it", Instant.now().plus(Duration.ofDays(1)));
    }

    assertThatThrownBy(() -> restore(file))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("is there already")
        .hasMessageContaining("--move-aside");
    try (Store store = open(file)) {
      assertThat(store.find(old)).isPresent();
    }

    Result result = backups(file).restore(backup, EncryptionKeys.OFF, true, false, time, NOBODY);

    try (Store store = open(file);
        Store aside = open(result.aside())) {
      assertThat(store.find(old)).isEmpty();
      assertThat(aside.find(old)).isPresent();
      assertThat(text(aside, blob)).isEqualTo("after it");
    }
  }

  @Test
  void a_store_in_use_is_refused() throws Exception {
    try (Store store = open(file)) {
      accept(store, "one");
      back();
      for (boolean aside : List.of(false, true)) {
        assertThatThrownBy(
                () -> backups(file).restore(backup, EncryptionKeys.OFF, aside, false, time, NOBODY))
            .isInstanceOf(StoreRefused.class)
            .hasMessageContaining("is in use by");
      }
      assertThat(store.list(MessageFilter.status(Status.QUEUED), null, 9).items()).hasSize(1);
    }
  }

  @Test
  void a_log_that_belongs_to_another_database_is_not_taken_for_its_own() throws Exception {
    open(file).close();
    back();
    Files.createDirectories(elsewhere.getParent());
    Files.writeString(elsewhere.resolveSibling("postrider.db-wal"), "of a database that is gone");

    assertThatThrownBy(() -> restore(elsewhere))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("postrider.db-wal is there already");
  }

  @Test
  void one_that_is_damaged_or_cut_off_changes_nothing() throws Exception {
    try (Store store = open(file)) {
      accept(store, "one");
      back();
    }
    byte[] whole = Files.readAllBytes(backup);
    int[] places = {whole.length / 3, whole.length / 2, whole.length * 2 / 3};
    for (int place : places) {
      Files.write(backup, whole);
      try (RandomAccessFile bytes = new RandomAccessFile(backup.toFile(), "rw")) {
        bytes.seek(place);
        bytes.write(~whole[place]);
      }
      assertRefused("is damaged");
    }
    Files.write(backup, java.util.Arrays.copyOf(whole, whole.length - 100));
    assertRefused("is damaged");
    Files.writeString(backup, "no zip at all");
    assertRefused("is damaged");
  }

  private void assertRefused(String because) throws IOException {
    assertThatThrownBy(() -> restore(elsewhere))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining(because);
    assertThatThrownBy(() -> backups(file).check(backup, NOBODY)).isInstanceOf(StoreRefused.class);
    assertThat(names(elsewhere.getParent())).containsExactly("postrider.db.lock");
  }

  @Test
  void one_of_a_newer_version_is_refused_and_names_it() throws Exception {
    open(file).close();
    back();
    rewrite("format=\\d+", "format=99");

    assertRefused("knows formats up to");
  }

  @Test
  void names_that_lead_elsewhere_are_passed_by() throws Exception {
    open(file).close();
    back();
    addEntry("../stranger");

    restore(elsewhere);

    assertThat(names(folder)).noneMatch(name -> name.contains("stranger"));
  }

  /** Changes what the backup says of itself. */
  private void rewrite(String from, String to) throws IOException {
    Path changed = folder.resolve("changed.zip");
    try (ZipFile zip = new ZipFile(backup.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(changed))) {
      for (ZipEntry entry : zip.stream().<ZipEntry>map(one -> one).toList()) {
        byte[] bytes = zip.getInputStream(entry).readAllBytes();
        out.putNextEntry(new ZipEntry(entry.getName()));
        out.write(
            entry.getName().endsWith(".properties")
                ? new String(bytes, StandardCharsets.UTF_8)
                    .replaceAll(from, to)
                    .getBytes(StandardCharsets.UTF_8)
                : bytes);
      }
    }
    Files.delete(backup);
    Files.move(changed, backup);
  }

  private void addEntry(String name) throws IOException {
    Path changed = folder.resolve("changed.zip");
    try (ZipFile zip = new ZipFile(backup.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(changed))) {
      for (ZipEntry entry : zip.stream().<ZipEntry>map(one -> one).toList()) {
        out.putNextEntry(new ZipEntry(entry.getName()));
        zip.getInputStream(entry).transferTo(out);
      }
      out.putNextEntry(new ZipEntry(name));
      out.write(1);
    }
    Files.delete(backup);
    Files.move(changed, backup);
  }

  @Test
  void one_that_was_stopped_in_the_middle_is_begun_again() throws Exception {
    try (Store store = open(file)) {
      accept(store, "one");
      back();
    }
    SqliteBackup stopped =
        new SqliteBackup(
            elsewhere,
            (_, _, _) -> {
              throw new StoreUnavailable("the power is gone");
            });
    assertThatThrownBy(
            () -> stopped.restore(backup, EncryptionKeys.OFF, false, false, time, NOBODY))
        .hasMessageContaining("the power is gone");
    Files.writeString(elsewhere.resolveSibling("postrider.db.restoring"), "left by a kill");

    restore(elsewhere);

    assertThat(names(elsewhere.getParent()))
        .containsExactlyInAnyOrder("postrider.db", "postrider.db.lock");
  }

  @Test
  void an_older_format_is_backed_up_as_it_is_and_brought_up_to_date_when_it_comes_back()
      throws Exception {
    MessageId id;
    try (Store store = open(file)) {
      id = accept(store, "one");
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute("DROP TABLE restore");
      statement.execute("DROP TABLE format");
      statement.execute("PRAGMA user_version = 22");
    }

    assertThat(back().format()).isEqualTo(22);
    restore(elsewhere);

    try (Store copy = open(elsewhere)) {
      assertThat(copy.find(id).orElseThrow().status()).isEqualTo(Status.HELD);
    }
  }
}
