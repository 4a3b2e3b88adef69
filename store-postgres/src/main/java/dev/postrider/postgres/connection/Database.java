package dev.postrider.postgres.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import org.postgresql.Driver;

/**
 * Makes connections. Silence is taken for loss: an answer that does not come in time closes the
 * connection. What the URL says goes before what is set here.
 */
public final class Database {
  public static final String READERS_SETTINGS =
      "SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off";

  private final String url;
  private final Duration patience;

  /**
   * @param patience how long an answer may take
   */
  public Database(String url, Duration patience) {
    requireReadable(url);
    this.url = url;
    this.patience = patience;
  }

  /**
   * The driver quotes an address that it does not understand, password and all, in its error and
   * its log; so it is not shown one.
   */
  private static void requireReadable(String url) {
    if (url.replaceFirst("\\?.*", "").contains("@")) {
      throw new IllegalArgumentException(
          "the store's address holds a name or password before the host; write them behind it:"
              + " jdbc:postgresql://host/database?user=NAME&password=SECRET");
    }
    if (Driver.parseURL(url, null) == null) {
      throw new IllegalArgumentException(
          "the store's address cannot be read; write it as"
              + " jdbc:postgresql://host:5432/database?user=NAME&password=SECRET");
    }
  }

  /** The URL without what could be secret. */
  public String shown() {
    int query = url.indexOf('?');
    String plain = query < 0 ? url : url.substring(0, query);
    return plain.replaceFirst("^jdbc:", "");
  }

  /**
   * What the database's own tools show of a connection: whose it is and what for. Other nodes find
   * a process's connections by it.
   */
  public static String name(UUID instance, String purpose, String node) {
    return "postrider " + instance.toString().substring(0, 8) + " " + purpose + " " + node;
  }

  private Properties properties(String name) {
    Properties properties = new Properties();
    long seconds = Math.max(1, patience.toSeconds());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("connectTimeout", String.valueOf(Math.min(5, seconds)));
    properties.setProperty("loginTimeout", String.valueOf(Math.min(5, seconds)));
    properties.setProperty("socketTimeout", String.valueOf(seconds));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1");
    return properties;
  }

  /**
   * A process that is stopped, or cut off, in the middle of a transaction must not keep its locks:
   * the others would wait for it. The database ends such a transaction long before a lease is over.
   */
  public String settings() {
    return "SET idle_in_transaction_session_timeout = "
        + Math.clamp(patience.toMillis() / 4, 1_000, 60_000)
        + "; SET lock_timeout = '2s'; SET jit = off";
  }

  /**
   * A connection for itself.
   *
   * @param name what the database's own tools show
   */
  public Connection connect(String name) throws SQLException {
    return DriverManager.getConnection(url, properties(name));
  }

  /** A pool of connections for reading; it opens them when they are needed, and anew when lost. */
  public HikariDataSource pool(String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setDataSourceProperties(properties(name));
    config.setPoolName(name);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(Math.min(1, size));
    config.setConnectionTimeout(Math.max(250, Math.min(5_000, patience.toMillis())));
    config.setValidationTimeout(Math.max(250, Math.min(2_000, patience.toMillis())));
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(settings() + "; " + READERS_SETTINGS);
    return new HikariDataSource(config);
  }
}
