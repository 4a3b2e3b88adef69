package dev.postrider.sqlite;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.ReencryptionWalk;
import dev.postrider.jdbc.ReencryptionWalk.Place;
import dev.postrider.jdbc.encryption.KeyCheck;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.media.BlobFiles;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.Reencryption;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows first, then the files beside the database. */
final class SqliteReencryption implements Reencryption {
  private static final int FILES = 20;

  /** Does something on the writer's connection outside any transaction, and waits for it. */
  @FunctionalInterface
  interface Alone {
    void run(Job job);
  }

  /** What it does. */
  @FunctionalInterface
  interface Job {
    void run() throws SQLException;
  }

  private final JdbcSession session;
  private final Accounts accounts;
  private final BlobFiles files;
  private final StoreAccess access;
  private final Alone alone;
  private final ReencryptionWalk rows;
  private @Nullable Place place = Place.FIRST;
  private String file = "";

  SqliteReencryption(
      JdbcSession session, Accounts accounts, BlobFiles files, StoreAccess access, Alone alone) {
    this.session = session;
    this.accounts = accounts;
    this.files = files;
    this.access = access;
    this.alone = alone;
    this.rows = new ReencryptionWalk(accounts.cipher(), "uid");
  }

  @Override
  public SortedMap<String, Long> count() {
    Map<@Nullable Integer, Long> counts = new HashMap<>();
    Optional<Place> from = Optional.of(Place.FIRST);
    while (from.isPresent()) {
      Place at = from.get();
      from = access.read(reading -> rows.count(reading, at, counts));
    }
    for (List<String> page = hashes(""); !page.isEmpty(); page = hashes(page.getLast())) {
      page.forEach(hash -> counts.merge(files.key(hash), 1L, Long::sum));
    }
    SortedMap<String, Long> named = new TreeMap<>();
    counts.forEach(
        (key, count) -> named.put(key == null ? NOT_ENCRYPTED : EncryptionKeys.name(key), count));
    return named;
  }

  private List<String> hashes(String after) {
    return access.read(
        reading -> reading.all(MessageSql.FILES_AFTER, row -> row.getString(1), after, FILES));
  }

  @Override
  public Step next() {
    Place from = place;
    if (from == null) {
      return nextFiles();
    }
    SqliteReader reader = new SqliteReader(session, accounts);
    ReencryptionWalk.Taken taken =
        access.await(access.write(() -> rows.next(session, reader, from)));
    place = taken.next();
    Step step = taken.step();
    return new Step(step.looked(), step.changed(), step.unreadable(), false);
  }

  private Step nextFiles() {
    List<String> page = hashes(file);
    long changed = 0;
    long unreadable = 0;
    for (String hash : page) {
      try {
        changed += files.reencrypt(hash) ? 1 : 0;
      } catch (IOException e) {
        unreadable++;
      }
      file = hash;
    }
    return new Step(page.size(), changed, unreadable, page.size() < FILES);
  }

  /** Freed pages and the log hold old contents until the file is written anew. */
  @Override
  public void finish() {
    access.await(
        access.write(
            () -> {
              KeyCheck.onlyFirst(session, accounts.cipher());
              return true;
            }));
    alone.run(
        () -> {
          session.release(); // the driver keeps one open after every insert
          session.execute("VACUUM");
          Integer busy = session.one("PRAGMA wal_checkpoint(TRUNCATE)", row -> row.getInt(1));
          if (busy != null && busy != 0) {
            throw new StoreUnavailable("the log is in use and still holds old contents; try again");
          }
        });
  }
}
