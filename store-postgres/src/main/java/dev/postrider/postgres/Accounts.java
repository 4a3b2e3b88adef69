package dev.postrider.postgres;

import dev.postrider.jdbc.ContentCipher;
import dev.postrider.jdbc.Session;
import dev.postrider.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The accounts' short ids, which never change, the leases this process believes it holds (the
 * database has the last word on these), and the cipher of the accounts' contents. Thread-safe.
 */
final class Accounts {
  private final DataSource database;
  private final ContentCipher cipher;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Map<String, Lease> held = new ConcurrentHashMap<>();

  Accounts(DataSource database, ContentCipher cipher) {
    this.database = database;
    this.cipher = cipher;
  }

  /** What their contents are stored under. */
  ContentCipher cipher() {
    return cipher;
  }

  /** The account's id, given to it now if it has none yet. */
  int idOrNew(String name) throws SQLException {
    Integer known = id(name);
    return known == null ? add(name) : known;
  }

  /** The account's id, or null if nothing was ever stored for it. */
  @Nullable Integer id(String name) throws SQLException {
    Integer known = ids.get(name);
    return known == null ? look(name) : known;
  }

  String name(int id) throws SQLException {
    String name = names.get(id);
    return name == null ? learn(id) : name;
  }

  // Who asks may hold a connection of the pool, as may all others who could: it has one to spare,
  // and they take turns.

  private synchronized int add(String name) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      session.update(Sql.ADD_ACCOUNT, name);
      load(session);
    }
    Integer given = ids.get(name);
    if (given == null) {
      throw new IllegalStateException("no id was given to account " + name);
    }
    return given;
  }

  private synchronized @Nullable Integer look(String name) throws SQLException {
    Integer known = ids.get(name);
    if (known == null) {
      try (Connection connection = database.getConnection()) {
        Session session = new Session(connection);
        known = session.one(Sql.ACCOUNT_ID, row -> row.getInt(1), name);
      }
      if (known != null) {
        remember(known, name);
      }
    }
    return known;
  }

  /** Another node has given it. */
  private synchronized String learn(int id) throws SQLException {
    if (!names.containsKey(id)) {
      try (Connection connection = database.getConnection()) {
        load(new Session(connection));
      }
    }
    String name = names.get(id);
    if (name == null) {
      throw new IllegalStateException("account " + id + " is unknown");
    }
    return name;
  }

  void load(Session session) throws SQLException {
    session.all(
        Sql.ALL_ACCOUNTS,
        row -> {
          remember(row.getInt(1), row.getString(2));
          return true;
        });
  }

  private void remember(int id, String name) {
    ids.put(name, id);
    names.put(id, name);
  }

  // ---- leases

  void took(Lease lease) {
    held.merge(lease.account(), lease, (one, other) -> one.fence() > other.fence() ? one : other);
  }

  void left(Lease lease) {
    held.remove(lease.account(), lease);
  }

  /** The lease this process believes it holds. */
  @Nullable Lease held(String account) {
    return held.get(account);
  }
}
