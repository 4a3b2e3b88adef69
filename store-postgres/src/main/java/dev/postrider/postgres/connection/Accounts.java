package dev.postrider.postgres.connection;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.message.Lease;
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
public final class Accounts {
  private final DataSource database;
  private final ContentCipher cipher;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Map<String, Lease> held = new ConcurrentHashMap<>();

  public Accounts(DataSource database, ContentCipher cipher) {
    this.database = database;
    this.cipher = cipher;
  }

  /** What their contents are stored under. */
  public ContentCipher cipher() {
    return cipher;
  }

  /** The account's id, given to it now if it has none yet. */
  public int idOrNew(String name) throws SQLException {
    Integer known = id(name);
    return known == null ? add(name) : known;
  }

  /** The account's id, or null if nothing was ever stored for it. */
  public @Nullable Integer id(String name) throws SQLException {
    Integer known = ids.get(name);
    return known == null ? look(name) : known;
  }

  public String name(int id) throws SQLException {
    String name = names.get(id);
    return name == null ? learn(id) : name;
  }

  // Who asks may hold a connection of the pool, as may all others who could: it has one to spare,
  // and they take turns.

  private synchronized int add(String name) throws SQLException {
    try (Connection connection = database.getConnection()) {
      JdbcSession session = new JdbcSession(connection);
      session.update(MessageSql.ADD_ACCOUNT, name);
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
        JdbcSession session = new JdbcSession(connection);
        known = session.one(MessageSql.ACCOUNT_ID, row -> row.getInt(1), name);
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
        load(new JdbcSession(connection));
      }
    }
    String name = names.get(id);
    if (name == null) {
      throw new IllegalStateException("account " + id + " is unknown");
    }
    return name;
  }

  void load(JdbcSession session) throws SQLException {
    session.all(
        MessageSql.ALL_ACCOUNTS,
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

  public void took(Lease lease) {
    held.merge(lease.account(), lease, (one, other) -> one.fence() > other.fence() ? one : other);
  }

  public void left(Lease lease) {
    held.remove(lease.account(), lease);
  }

  /** The lease this process believes it holds. */
  public @Nullable Lease held(String account) {
    return held.get(account);
  }
}
