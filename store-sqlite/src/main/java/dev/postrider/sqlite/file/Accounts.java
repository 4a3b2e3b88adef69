package dev.postrider.sqlite.file;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.message.Lease;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The accounts' short ids, who holds which lease, and the cipher of their contents. Since one
 * process holds the file, what this class remembers is what is true: a fence is checked without
 * asking the disk. Names may be read from any thread; the rest belongs to the writer.
 */
public final class Accounts {
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final Map<String, Held> leases = new HashMap<>();
  private final List<String> fresh = new ArrayList<>(); // named in the transaction at hand
  private final Map<String, Optional<Held>> before = new HashMap<>(); // leases it has changed

  private final ContentCipher cipher;

  private record Held(String owner, long fence) {}

  public Accounts(ContentCipher cipher) {
    this.cipher = cipher;
  }

  /** What their contents are stored under. */
  public ContentCipher cipher() {
    return cipher;
  }

  public void load(JdbcSession session) throws SQLException {
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

  /** The account's id, given to it now if it has none yet. */
  public int idOrNew(JdbcSession session, String name) throws SQLException {
    Integer known = ids.get(name);
    if (known != null) {
      return known;
    }
    Integer given = session.one(MessageSql.ADD_ACCOUNT, row -> row.getInt(1), name);
    if (given == null) {
      throw new IllegalStateException("no id was given to account " + name);
    }
    remember(given, name);
    fresh.add(name);
    return given;
  }

  public void committed() {
    fresh.clear();
    before.clear();
  }

  /** Forgets ids and leases that were given in a transaction that did not happen. */
  public void rolledBack() {
    before.forEach((account, held) -> leases.compute(account, (_, _) -> held.orElse(null)));
    before.clear();
    for (String name : fresh) {
      Integer id = ids.remove(name);
      if (id != null) {
        names.remove(id);
      }
    }
    fresh.clear();
  }

  /** The account's id, or null if nothing was ever stored for it. */
  public @Nullable Integer id(String name) {
    return ids.get(name);
  }

  public String name(int id) {
    String name = names.get(id);
    if (name == null) {
      throw new IllegalStateException("account " + id + " is unknown");
    }
    return name;
  }

  /** Takes the lease, unless somebody else in this process holds it. */
  public @Nullable Lease acquire(JdbcSession session, String account, String owner)
      throws SQLException {
    Held held = leases.get(account);
    if (held != null && !held.owner.equals(owner)) {
      return null;
    }
    Long fence =
        session.one(MessageSql.TAKE_LEASE, row -> row.getLong(1), owner, idOrNew(session, account));
    if (fence == null) {
      throw new IllegalStateException("account " + account + " has vanished");
    }
    before.putIfAbsent(account, Optional.ofNullable(held));
    leases.put(account, new Held(owner, fence));
    return new Lease(account, fence);
  }

  public boolean release(Lease lease) {
    Held held = leases.get(lease.account());
    if (held == null || held.fence != lease.fence()) {
      return false;
    }
    before.putIfAbsent(lease.account(), Optional.of(held));
    leases.remove(lease.account());
    return true;
  }

  /** Refuses whoever comes with a lease that is not the current one. */
  public void check(Lease lease) {
    if (!holds(lease)) {
      throw new LeaseLost(lease.account());
    }
  }

  /** Whether the lease is the current one. */
  public boolean holds(Lease lease) {
    Held held = leases.get(lease.account());
    return held != null && held.fence == lease.fence();
  }
}
