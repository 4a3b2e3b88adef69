package dev.postrider.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.KeyCheck;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.postgres.cluster.ClusterMembers;
import dev.postrider.postgres.cluster.NotifyListener;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.connection.PoolerCheck;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens {@code jdbc:postgresql://host/database}. */
public final class PostgresStoreProvider implements StoreProvider {
  private static final String PREFIX = "jdbc:postgresql:";
  private static final int READERS = 6;

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
    return open(url, cluster, keys, time, Workers.threads(READERS), null, Migrations.OURS, true);
  }

  @Override
  public int format() {
    return Migrations.OURS.latest();
  }

  @Override
  public Store openInMemory(Scheduler time) {
    throw new StoreRefused(
        "storage.onUnavailable: memory is for a store of one's own; a node of a cluster that goes"
            + " on in memory would work beside the others");
  }

  /**
   * A store that does its work where the caller says: for virtual time.
   *
   * @param testClock stands in for the database's clock
   */
  static Store open(
      String url,
      ClusterSettings cluster,
      Scheduler time,
      Workers workers,
      InstantSource testClock) {
    return open(url, cluster, EncryptionKeys.OFF, time, workers, testClock);
  }

  /** The same, with contents encrypted. */
  static Store open(
      String url,
      ClusterSettings cluster,
      EncryptionKeys keys,
      Scheduler time,
      Workers workers,
      InstantSource testClock) {
    return open(url, cluster, keys, time, workers, testClock, Migrations.OURS, false);
  }

  /**
   * @param testClock null for the database's own
   * @param migrations what it knows of the database's formats
   * @param listens whether it hears of other nodes, and refuses a pooler that would keep that from
   *     it: some connections more
   */
  static Store open(
      String url,
      ClusterSettings cluster,
      EncryptionKeys keys,
      Scheduler time,
      Workers workers,
      @Nullable InstantSource testClock,
      Migrations migrations,
      boolean listens) {
    ContentCipher cipher = ContentCipher.of(keys);
    Database database = new Database(url, cluster.lease());
    UUID instance = UUID.randomUUID();
    HikariDataSource pool = null;
    NotifyListener notifyListener = null;
    try {
      if (listens) {
        PoolerCheck.run(database);
      }
      String schema;
      try (Connection connection =
          database.connect(Database.name(instance, "start", cluster.node()))) {
        migrations.apply(connection, database.shown());
        KeyCheck.apply(new JdbcSession(connection), cipher, database.shown());
        String found =
            new JdbcSession(connection)
                .one("SELECT quote_ident(current_schema())", row -> row.getString(1));
        schema = found == null ? "public" : found;
        connection.commit();
      }
      String channel = "postrider " + schema.replace("\"", "");
      // One more than readers: somebody who reads may have to ask who an account is.
      pool = database.pool(Database.name(instance, "readers", cluster.node()), READERS + 1);
      Accounts accounts = new Accounts(pool, cipher);
      ClusterMembers members =
          new ClusterMembers(
              pool, accounts, time, testClock, cluster.lease(), channel, instance, migrations);
      members.compareClocks();
      if (listens) {
        notifyListener =
            NotifyListener.open(
                database, accounts, channel, cluster.node(), instance, patience(cluster));
      }
      return new PostgresStore(
          new PostgresStore.Parts(
              cluster.node(),
              cluster.lease(),
              pool,
              accounts,
              members,
              schema,
              channel,
              instance,
              database,
              workers,
              time,
              migrations,
              notifyListener));
    } catch (SQLException e) {
      close(pool, notifyListener, workers);
      StoreUnavailable known = PgErrors.unavailable(e);
      throw new StoreUnavailable(
          "cannot open "
              + database.shown()
              + ": "
              + (known == null ? e.getMessage() : known.getMessage() + " (" + e.getMessage() + ")"),
          e);
    } catch (RuntimeException e) {
      close(pool, notifyListener, workers);
      throw e;
    }
  }

  /** A process that is gone has its name for no longer than a lease. */
  private static Duration patience(ClusterSettings cluster) {
    return cluster.lease().multipliedBy(5).dividedBy(4);
  }

  private static void close(
      @Nullable HikariDataSource pool, @Nullable NotifyListener notifyListener, Workers workers) {
    if (notifyListener != null) {
      notifyListener.close();
    }
    if (pool != null) {
      pool.close();
    }
    workers.close(Duration.ZERO);
  }
}
