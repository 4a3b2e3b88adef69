package dev.postrider.sqlite.backup;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.OwnersOnly;
import dev.postrider.sqlite.file.ProcessLock;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.Store;
import dev.postrider.store.StoreBackup.Contents;
import dev.postrider.store.StoreBackup.Progress;
import dev.postrider.store.StoreBackup.Result;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings a backup back. Everything happens beside the store's place first, in {@code
 * postrider.db.restoring}: the files are written and synced, the database is checked, brought up to
 * date, and what may have been sent is held. Then the old store moves away, if there is one, and
 * the new one to its place, the database last. Whoever is stopped before has changed nothing that
 * counts, and begins again.
 */
final class BackupRestore {
  private static final String STAGING = ".restoring";
  private static final List<String> PARTS =
      List.of("", "-wal", "-shm", "-journal", OwnersOnly.MEDIA);
  private static final Pattern MEDIA_FILE =
      Pattern.compile("media/(\\w\\w)/(\\1\\w{62}(?:\\.enc)?)");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Path database;
  private final SqliteBackup.Opener opener;
  private final Scheduler time;
  private final Path staging;

  BackupRestore(Path named, SqliteBackup.Opener opener, Scheduler time) {
    this.database = real(named);
    this.opener = opener;
    this.time = time;
    this.staging = SqliteBackup.beside(database, STAGING);
  }

  /** By whatever link it was named. */
  private static Path real(Path named) {
    try {
      return Files.exists(named) ? named.toRealPath() : named;
    } catch (IOException e) {
      throw new StoreUnavailable("cannot look at " + named + ": " + e.getMessage(), e);
    }
  }

  Result run(Path file, EncryptionKeys keys, boolean aside, boolean everything, Progress progress) {
    try {
      Files.createDirectories(database.resolveSibling(""), OwnersOnly.FOLDER);
    } catch (IOException e) {
      throw new StoreUnavailable(
          "cannot create " + database.getParent() + ": " + e.getMessage(), e);
    }
    try (ProcessLock _ = ProcessLock.take(database)) { // nobody uses it, nor begins to
      if (!aside) {
        requireNothingThere();
      }
      Result result;
      try {
        Contents contents = extract(file, progress);
        Restored restored = hold(contents, keys, everything);
        requireLogWritten();
        result = new Result(contents, restored, aside ? moveAside() : null);
        moveIn();
      } finally {
        removeStaging();
      }
      return result;
    } catch (IOException | UncheckedIOException e) {
      throw new StoreUnavailable("cannot restore " + database + ": " + SqliteBackup.said(e), e);
    } catch (SQLException e) {
      throw new StoreUnavailable("cannot restore " + database + ": " + e.getMessage(), e);
    }
  }

  private void requireNothingThere() {
    for (String part : PARTS) {
      Path there = SqliteBackup.beside(database, part);
      if (Files.exists(there)) {
        throw new StoreRefused(
            there
                + " is there already, and nothing was changed; with --move-aside it is kept under"
                + " another name");
      }
    }
  }

  // ---- beside its place

  private Contents extract(Path file, Progress progress) throws IOException, SQLException {
    removeStaging();
    SqliteBackup.requireKnown(BackupFile.contents(file), file);
    Contents contents = BackupFile.read(file, this::take, progress);
    syncFolders(SqliteBackup.beside(staging, OwnersOnly.MEDIA));
    try (JdbcSession session = SqliteBackup.open(staging)) {
      SqliteBackup.requireWhole(session, "the database in " + file);
    }
    return contents;
  }

  /** What has another name than ours is passed by: a name could lead anywhere. */
  private void take(String name, InputStream bytes) throws IOException {
    var media = MEDIA_FILE.matcher(name);
    if (name.equals(BackupFile.DATABASE)) {
      write(staging, bytes);
    } else if (media.matches()) {
      Path home = SqliteBackup.beside(staging, OwnersOnly.MEDIA).resolve(media.group(1));
      Files.createDirectories(home, OwnersOnly.FOLDER);
      write(home.resolve(media.group(2)), bytes);
    }
  }

  private static void write(Path file, InputStream bytes) throws IOException {
    try (FileChannel channel = BackupFile.create(file)) {
      bytes.transferTo(Channels.newOutputStream(channel));
      channel.force(true);
    }
  }

  private static void syncFolders(Path media) throws IOException {
    if (Files.exists(media)) {
      try (Stream<Path> homes = Files.list(media)) {
        for (Path home : homes.toList()) {
          SqliteBackup.syncFolder(home);
        }
      }
      SqliteBackup.syncFolder(media);
    }
  }

  private Restored hold(Contents contents, EncryptionKeys keys, boolean everything) {
    try (Store store = opener.open(staging, keys, time)) {
      Restoration restoration =
          store.restoration(contents.takenAt(), time.instant(), everything).orElseThrow();
      Restored restored = restoration.next();
      while (!restored.finished()) {
        restored = restoration.next();
      }
      return restored;
    }
  }

  // ---- to its place

  /** Gives where the old database is now; null if there was nothing. */
  private @Nullable Path moveAside() throws IOException {
    Path aside = SqliteBackup.beside(database, ".before-" + STAMP.format(Instant.now()));
    boolean any = false;
    for (String part : PARTS) {
      Path there = SqliteBackup.beside(database, part);
      if (Files.exists(there)) {
        Files.move(there, SqliteBackup.beside(aside, part), StandardCopyOption.ATOMIC_MOVE);
        any = true;
      }
    }
    return any ? aside : null;
  }

  /** The database alone has all of it; closing it has seen to that. */
  private void requireLogWritten() throws IOException {
    if (Files.exists(SqliteBackup.beside(staging, "-wal"))) {
      throw new IOException("its log could not be written into it");
    }
  }

  private void moveIn() throws IOException {
    Path media = SqliteBackup.beside(staging, OwnersOnly.MEDIA);
    if (Files.exists(media)) {
      Files.move(
          media, SqliteBackup.beside(database, OwnersOnly.MEDIA), StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(staging, database, StandardCopyOption.ATOMIC_MOVE);
    SqliteBackup.syncFolder(database.resolveSibling(""));
  }

  private void removeStaging() throws IOException {
    for (String part : PARTS) {
      remove(SqliteBackup.beside(staging, part));
    }
    remove(SqliteBackup.beside(staging, ".lock"));
  }

  private static void remove(Path what) throws IOException {
    if (!Files.exists(what)) {
      return;
    }
    try (Stream<Path> files = Files.walk(what)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
