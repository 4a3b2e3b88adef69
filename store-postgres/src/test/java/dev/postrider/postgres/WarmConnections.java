package dev.postrider.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * PostgreSQL's driver, but a connection to one of the schemas of {@link Schemas} that is closed is
 * emptied and given out again. A process of the database that is new has to learn what tables there
 * are, which takes most of the time of a short test. Thread-safe.
 */
final class WarmConnections implements Driver {
  private static final WarmConnections ONLY = new WarmConnections();
  private static final int KEPT = 10; // for each schema

  /** One that listens is in use until it is closed; only that ends it. */
  private static final String LISTENS = "postrider \\w+ listener .*";

  private final Driver driver = new org.postgresql.Driver();
  private final Set<String> urls = new HashSet<>(); // guarded by this
  private final Map<Key, Deque<Connection>> idle = new HashMap<>(); // guarded by this

  /** What is fixed when a connection is made. */
  private record Key(String url, String prepareThreshold) {}

  static {
    try {
      org.postgresql.Driver.deregister();
      DriverManager.registerDriver(ONLY);
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private WarmConnections() {}

  /** From now on, connections to this address are used again. */
  static void keep(String url) {
    synchronized (ONLY) {
      ONLY.urls.add(url);
    }
  }

  /** The schema goes, and its connections with it. */
  static void forget(String url) throws SQLException {
    Deque<Connection> free = new ArrayDeque<>();
    synchronized (ONLY) {
      ONLY.urls.remove(url);
      ONLY.idle.forEach((key, some) -> free.addAll(key.url.equals(url) ? some : List.of()));
      ONLY.idle.keySet().removeIf(key -> key.url.equals(url));
    }
    for (Connection connection : free) {
      connection.close();
    }
  }

  @Override
  public @Nullable Connection connect(String url, Properties properties) throws SQLException {
    String name = properties.getProperty("ApplicationName", "");
    if (!isKept(url) || name.matches(LISTENS)) {
      return driver.connect(url, properties);
    }
    Key key = new Key(url, properties.getProperty("prepareThreshold", "5"));
    Connection connection = poll(key);
    if (connection == null) {
      Properties nameless = new Properties(); // its name is of its next user
      properties.stringPropertyNames().stream()
          .filter(each -> !each.equals("ApplicationName") && !each.equals("socketTimeout"))
          .forEach(each -> nameless.setProperty(each, properties.getProperty(each)));
      connection = driver.connect(url, nameless);
    }
    execute(connection, "SET application_name = '" + name.replace("'", "''") + "'");
    String seconds = properties.getProperty("socketTimeout", "0");
    connection.setNetworkTimeout(Runnable::run, Integer.parseInt(seconds) * 1000);
    return lent(key, connection);
  }

  private synchronized boolean isKept(String url) {
    return urls.contains(url);
  }

  private synchronized @Nullable Connection poll(Key key) {
    Deque<Connection> free = idle.get(key);
    return free == null ? null : free.poll();
  }

  private Connection lent(Key key, Connection connection) {
    AtomicBoolean closed = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            WarmConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "close" -> {
                    if (closed.compareAndSet(false, true)) {
                      giveBack(key, connection);
                    }
                    yield null;
                  }
                  case "isClosed" -> closed.get() || connection.isClosed();
                  default -> {
                    if (closed.get()) {
                      throw new SQLException("This connection has been closed.", "08003");
                    }
                    yield call(connection, method, arguments);
                  }
                });
  }

  private static Object call(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** As if it were new. One that is broken, or too much, is closed. */
  private void giveBack(Key key, Connection connection) throws SQLException {
    boolean kept = false;
    try {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, 10_000);
        if (!connection.getAutoCommit()) {
          connection.rollback();
          connection.setAutoCommit(true);
        }
        connection.setReadOnly(false);
        execute(connection, "DISCARD ALL");
        PGConnection ours = connection.unwrap(PGConnection.class);
        ours.setPrepareThreshold(Integer.parseInt(key.prepareThreshold));
        ours.getNotifications();
        synchronized (this) {
          Deque<Connection> free = idle.computeIfAbsent(key, _ -> new ArrayDeque<>());
          kept = free.size() < KEPT && free.offer(connection);
        }
      }
    } catch (SQLException e) {
      kept = false; // it was broken
    } finally {
      if (!kept) {
        connection.close();
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return driver.acceptsURL(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
    return driver.getPropertyInfo(url, info);
  }

  @Override
  public int getMajorVersion() {
    return driver.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return driver.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return driver.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("org.postgresql");
  }
}
