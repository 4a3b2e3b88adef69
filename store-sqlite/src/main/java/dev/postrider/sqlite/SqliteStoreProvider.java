package dev.postrider.sqlite;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.KeyCheck;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.sqlite.backup.SqliteBackup;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.FilesInPlace;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.file.NativeLibrary;
import dev.postrider.sqlite.file.OwnersOnly;
import dev.postrider.sqlite.file.ProcessLock;
import dev.postrider.sqlite.file.SqliteErrors;
import dev.postrider.sqlite.media.BlobFiles;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.store.Store;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;

/** Opens {@code sqlite:path/to/file.db}. */
public final class SqliteStoreProvider implements StoreProvider {
  private static final String PREFIX = "sqlite:";
  private static final int READERS = 3;
  private static final int WRITER_CACHE = 65_536; // KiB: it works in the indexes all the time
  private static final int READER_CACHE = 4_096;

  /**
   * Hot pages are written to the log many times; checkpointing them less often writes the file less
   * often.
   */
  private static final int CHECKPOINT_PAGES = 10_000;

  @Override
  public boolean accepts(String url) {
    return url.startsWith(PREFIX);
  }

  @Override
  public Store open(String url, ClusterSettings cluster, Scheduler time) {
    return open(url, cluster, EncryptionKeys.OFF, time);
  }

  @Override
  public Store open(String url, ClusterSettings cluster, EncryptionKeys keys, Scheduler time) {
    return open(
        path(url),
        SQLiteConfig.SynchronousMode.FULL,
        Workers.threads(READERS),
        READERS,
        keys,
        time);
  }

  private static Path path(String url) {
    return Path.of(url.substring(PREFIX.length())).toAbsolutePath();
  }

  @Override
  public int format() {
    return Migrations.latest();
  }

  @Override
  public Optional<StoreBackup> backup(String url) {
    return Optional.of(
        new SqliteBackup(
            path(url),
            (file, keys, time) -> open(PREFIX + file, ClusterSettings.of("restore"), keys, time)));
  }

  @Override
  public Store openInMemory(Scheduler time) {
    Workers threads = Workers.threads(1);
    return inMemory(new Workers(threads.writer(), threads.completer(), threads.writer()), time);
  }

  /** A store in memory: one connection, so reads take turns with the writes on its thread. */
  static Store inMemory(Workers workers, Scheduler time) {
    NativeLibrary.load();
    try {
      JdbcSession session = connect(":memory:", SQLiteConfig.SynchronousMode.OFF, READER_CACHE);
      Migrations.apply(session, "memory");
      Accounts accounts = new Accounts(ContentCipher.OFF); // nothing rests here
      List<SqliteReader> readers = List.of(new SqliteReader(session, accounts));
      BlobFiles files = BlobFiles.passing(workers.readers());
      return new SqliteStore(
          false, accounts, session, readers, files, FilesInPlace.none(), workers, time, null);
    } catch (SQLException e) {
      throw SqliteErrors.opening("memory", e);
    }
  }

  /**
   * A store on a file that does its work where the caller says, and skips the fsync: for virtual
   * time, where a crash is simulated by closing the store.
   */
  static Store open(Path path, Workers workers, Scheduler time) {
    return open(path, workers, EncryptionKeys.OFF, time);
  }

  /** The same, with contents encrypted. */
  static Store open(Path path, Workers workers, EncryptionKeys keys, Scheduler time) {
    return open(path, SQLiteConfig.SynchronousMode.OFF, workers, 1, keys, time);
  }

  private static Store open(
      Path path,
      SQLiteConfig.SynchronousMode synchronous,
      Workers workers,
      int readerCount,
      EncryptionKeys keys,
      Scheduler time) {
    ContentCipher cipher = ContentCipher.of(keys);
    NativeLibrary.load();
    createFolder(path);
    ProcessLock lock = ProcessLock.take(path);
    List<JdbcSession> opened = new ArrayList<>();
    try {
      OwnersOnly.protect(path);
      JdbcSession session = session(path, synchronous, WRITER_CACHE, opened);
      session.one("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES, row -> row.getInt(1));
      Migrations.apply(session, path.toString()); // first: it leaves a newer file as it is
      session.one("PRAGMA journal_mode = WAL", row -> row.getString(1));
      KeyCheck.apply(session, cipher, path.toString());
      Accounts accounts = new Accounts(cipher);
      List<SqliteReader> readers = new ArrayList<>();
      for (int i = 0; i < readerCount; i++) {
        readers.add(new SqliteReader(session(path, synchronous, READER_CACHE, opened), accounts));
      }
      BlobFiles files =
          BlobFiles.of(
              path, cipher, synchronous == SQLiteConfig.SynchronousMode.FULL, workers.readers());
      FilesInPlace inPlace = FilesInPlace.of(path);
      return new SqliteStore(true, accounts, session, readers, files, inPlace, workers, time, lock);
    } catch (SQLException e) {
      opened.forEach(JdbcSession::close);
      lock.close();
      throw SqliteErrors.opening(path.toString(), e);
    } catch (IOException e) {
      lock.close();
      throw new StoreUnavailable("cannot open " + path + ": " + e.getMessage(), e);
    } catch (StoreRefused | StoreUnavailable e) {
      opened.forEach(JdbcSession::close);
      lock.close();
      throw e;
    }
  }

  private static JdbcSession session(
      Path path, SQLiteConfig.SynchronousMode synchronous, int cache, List<JdbcSession> opened)
      throws SQLException {
    JdbcSession session = connect(path.toString(), synchronous, cache);
    opened.add(session);
    return session;
  }

  private static JdbcSession connect(
      String file, SQLiteConfig.SynchronousMode synchronous, int cache) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(synchronous);
    config.setBusyTimeout(5_000);
    config.setCacheSize(-cache); // negative: in KiB
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    config.setGetGeneratedKeys(false); // or the driver asks for the row's number after every insert
    Connection connection = config.createConnection("jdbc:sqlite:" + file);
    // Our own statements begin and commit; otherwise the driver tries to after each of them.
    connection.unwrap(SQLiteConnection.class).getConnectionConfig().setAutoCommit(false);
    return new JdbcSession(connection);
  }

  private static void createFolder(Path path) {
    Path folder = path.getParent();
    if (folder == null) {
      return;
    }
    try {
      Files.createDirectories(folder, OwnersOnly.FOLDER);
    } catch (IOException e) {
      throw new StoreUnavailable("cannot create " + folder + ": " + e.getMessage(), e);
    }
  }
}
