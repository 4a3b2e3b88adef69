package dev.postrider.sqlite.backup;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.NewerFormat;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.file.NativeLibrary;
import dev.postrider.sqlite.file.OwnersOnly;
import dev.postrider.store.Store;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Backups of a database and the files beside it.
 *
 * <p><b>Beside the server.</b> A backup reads the database through a connection of its own, on one
 * snapshot: the log keeps growing meanwhile, and nobody waits. Nothing goes through the server, and
 * the server need not run.
 *
 * <p><b>All or nothing.</b> The database is copied to {@code FILE.part-db} and checked, then put
 * into {@code FILE.part} with the files; that is synced and read back, and gets its name last.
 */
public final class SqliteBackup implements StoreBackup {
  private static final String PART = ".part";
  private static final String PART_DATABASE = ".part-db";

  private static final int FIRST_WITH_FILES = 2; // of the formats

  private static final String COPY = "VACUUM INTO ?"; // every table, whole
  private static final String COUNT =
      "SELECT count(*), coalesce(sum(active), 0) FROM message"; // every row, once
  private static final String FILES = "SELECT hash FROM blob ORDER BY hash"; // primary key

  /** Opens the store in a file. */
  @FunctionalInterface
  public interface Opener {
    Store open(Path file, EncryptionKeys keys, Scheduler time);
  }

  private final Path database;
  private final Opener opener;

  public SqliteBackup(Path database, Opener opener) {
    this.database = database;
    this.opener = opener;
  }

  @Override
  public Contents write(Path file, Progress progress) {
    Path target = file.toAbsolutePath();
    Path part = beside(target, PART);
    Path copy = beside(target, PART_DATABASE);
    if (!Files.exists(database)) {
      throw new StoreRefused("there is no " + database + " to back up");
    }
    requireAbsent(target);
    try (FileChannel channel = lock(part, target)) {
      try {
        Contents contents = write(channel, copy, progress);
        BackupFile.read(part, (_, _) -> {}, progress);
        requireAbsent(target);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(target.resolveSibling(""));
        return sized(contents, Files.size(target));
      } finally {
        deleteDatabase(copy);
        Files.deleteIfExists(part);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new StoreUnavailable("cannot write " + target + ": " + said(e), e);
    }
  }

  static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** A journal without its database would be taken for the next one's. */
  private static void deleteDatabase(Path copy) throws IOException {
    Files.deleteIfExists(beside(copy, "-journal"));
    Files.deleteIfExists(copy);
  }

  private static void requireAbsent(Path target) {
    if (Files.exists(target)) {
      throw new StoreRefused(target + " is there already; give the backup another name");
    }
  }

  /** Whoever was killed has left a part that nobody holds. */
  private static FileChannel lock(Path part, Path target) throws IOException {
    FileChannel channel =
        FileChannel.open(
            part, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnersOnly.FILE);
    if (isFree(channel)) {
      channel.truncate(0);
      return channel;
    }
    channel.close();
    throw new StoreRefused("another backup is being written to " + target);
  }

  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // this very process
    }
  }

  private Contents write(FileChannel channel, Path copy, Progress progress) throws IOException {
    try (MediaLinks media = new MediaLinks(mediaOf(database))) {
      media.linkAll(); // before the database is read: what it names is there
      Instant takenAt = Instant.now();
      Copied copied = copy(copy, media);
      Contents contents =
          new Contents(
              takenAt,
              BuildVersion.NAME,
              copied.format,
              copied.messages,
              copied.waiting,
              copied.files.size(),
              copied.missing,
              0);
      long all = Files.size(copy);
      for (String name : copied.files) {
        all += Files.size(media.path(name));
      }
      try (BackupFile.Writer out = new BackupFile.Writer(channel, contents, all, progress)) {
        add(out, BackupFile.DATABASE, copy);
        for (String name : copied.files) {
          String entry = BackupFile.MEDIA + name.substring(0, 2) + "/" + name;
          add(out, entry, media.path(name));
        }
      }
      channel.force(true);
      return contents;
    }
  }

  private static void add(BackupFile.Writer out, String entry, Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      out.add(entry, bytes);
    }
  }

  static Path mediaOf(Path database) throws IOException {
    Path real = database.toRealPath(); // by whatever link it was named
    return beside(real, OwnersOnly.MEDIA);
  }

  /** What was found in a copy of the database, and the names of the files that belong to it. */
  private record Copied(
      int format, long messages, long waiting, List<String> files, List<String> missing) {}

  private Copied copy(Path copy, MediaLinks media) throws IOException {
    deleteDatabase(copy);
    BackupFile.create(copy).close(); // SQLite would make one that others can read
    NativeLibrary.load();
    try {
      try (JdbcSession source = open(database)) {
        source.update(COPY, copy.toString());
      }
      try (JdbcSession session = open(copy)) {
        int format = requireOurs(session);
        requireWhole(session, "the copy of " + database);
        List<String> names = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        List<String> hashes =
            format < FIRST_WITH_FILES ? List.of() : session.all(FILES, row -> row.getString(1));
        for (String hash : hashes) {
          @Nullable String name = media.link(hash);
          (name == null ? missing : names).add(name == null ? hash : name);
        }
        return Objects.requireNonNull(
            session.one(
                COUNT, row -> new Copied(format, row.getLong(1), row.getLong(2), names, missing)));
      }
    } catch (SQLException e) {
      throw new IOException(said(e), e);
    }
  }

  private int requireOurs(JdbcSession session) throws SQLException {
    Integer format = session.one("PRAGMA user_version", row -> row.getInt(1));
    if (format == null || format == 0) {
      throw new StoreRefused(database + " is no store of Postrider's");
    }
    if (format > Migrations.latest()) {
      throw Migrations.newer(session, database.toString(), format);
    }
    return format;
  }

  static void requireWhole(JdbcSession session, String what) throws SQLException {
    String found = session.one("PRAGMA integrity_check(1)", row -> row.getString(1));
    if (!"ok".equals(found)) {
      throw new StoreRefused(what + " is damaged: " + found);
    }
  }

  /**
   * Only to read from. The last one who closes a database tidies its log away, and somebody who may
   * only read could not.
   */
  static JdbcSession open(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(10_000);
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    return new JdbcSession(config.createConnection("jdbc:sqlite:" + file));
  }

  private static Contents sized(Contents contents, long bytes) {
    return new Contents(
        contents.takenAt(),
        contents.version(),
        contents.format(),
        contents.messages(),
        contents.waiting(),
        contents.files(),
        contents.missing(),
        bytes);
  }

  @Override
  public Contents check(Path file, Progress progress) {
    try {
      Contents contents = BackupFile.read(file, (_, _) -> {}, progress);
      requireKnown(contents, file);
      return contents;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  static void requireKnown(Contents contents, Path file) {
    if (contents.format() > Migrations.latest()) {
      throw NewerFormat.of(
          file.toString(), contents.version(), contents.format(), Migrations.latest());
    }
  }

  static StoreUnavailable unreadable(Path file, Exception e) {
    return new StoreUnavailable("cannot read " + file + ": " + said(e), e);
  }

  static String said(Exception e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no " + missing.getFile();
      case AccessDeniedException denied -> "access to " + denied.getFile() + " was denied";
      case SQLiteException full when full.getResultCode() == SQLiteErrorCode.SQLITE_FULL ->
          "the disk is full";
      default -> String.valueOf(e.getMessage());
    };
  }

  @Override
  public Result restore(
      Path file,
      EncryptionKeys keys,
      boolean aside,
      boolean everything,
      Scheduler time,
      Progress progress) {
    return new BackupRestore(database, opener, time).run(file, keys, aside, everything, progress);
  }

  static void syncFolder(Path of) throws IOException {
    // Windows has no such thing.
    if (of.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel folder = FileChannel.open(of, StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }
}
