package dev.postrider.sqlite.file;

import dev.postrider.store.failure.StoreUnavailable;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/** Tells a store that cannot write from a write that is wrong, and says it in a sentence. */
public final class SqliteErrors {
  private SqliteErrors() {}

  /** What keeps the store from writing, or null if the write itself is at fault. */
  static @Nullable public StoreUnavailable unavailable(Throwable e) {
    if (!(e instanceof SQLiteException sqlite)) {
      return null;
    }
    int primary = sqlite.getResultCode().code & 0xFF;
    String reason =
        switch (primary) {
          case 13 -> "the disk is full; free some space and it goes on by itself";
          case 10 ->
              "the disk reports an I/O error ("
                  + sqlite.getResultCode().name()
                  + "); the system's log (dmesg) says more";
          case 8 -> "the database file is read-only; make it writable";
          case 14 -> "the database file cannot be opened";
          case 5, 6 -> "the database file is locked by another program";
          case 3, 23 -> "access to the database file was denied";
          case 7 -> "SQLite is out of memory";
          case 11, 26 -> "the database file is damaged (" + sqlite.getResultCode().name() + ")";
          default -> null;
        };
    return reason == null ? null : new StoreUnavailable(reason, sqlite);
  }

  public static StoreUnavailable opening(String path, SQLException e) {
    StoreUnavailable known = unavailable(e);
    String reason = known == null ? String.valueOf(e.getMessage()) : known.getMessage();
    return new StoreUnavailable("cannot open " + path + ": " + reason, e);
  }
}
