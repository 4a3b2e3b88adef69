package dev.postrider.postgres.cluster;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.batch.Notification;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.StoreRefused;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the calls of other nodes, on a connection of its own. The connection also holds the node's
 * name: an advisory lock that no second process of that name can have. Calls can be missed while
 * the connection is away, so whoever listens is told to look at everything once it is back.
 */
public final class NotifyListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NotifyListener.class);
  private static final int LISTEN_MILLIS = 5_000;
  private static final int OWN_VOICE_MILLIS = 2_000;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Database database;
  private final Accounts accounts;
  private final String channel;
  private final String node;
  private final UUID instance;
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile Cluster.@Nullable Listener listener;
  private volatile boolean closed;
  private boolean named = true; // whether the connection holds the name; the thread's own

  private NotifyListener(
      Database database,
      Accounts accounts,
      String channel,
      String node,
      UUID instance,
      Connection connection) {
    this.database = database;
    this.accounts = accounts;
    this.channel = channel;
    this.node = node;
    this.instance = instance;
    this.connection = connection;
    thread = Thread.ofPlatform().daemon().name("postrider-ear").unstarted(this::listen);
  }

  /**
   * Begins to listen and takes the name.
   *
   * @param patience how long to wait for a process of that name to go
   */
  public static NotifyListener open(
      Database database,
      Accounts accounts,
      String channel,
      String node,
      UUID instance,
      Duration patience)
      throws SQLException {
    Connection connection = database.connect(Database.name(instance, "listener", node));
    try {
      long until = System.nanoTime() + patience.toNanos();
      while (!takeFreeName(connection, channel, node, instance)) {
        if (System.nanoTime() > until) {
          throw new StoreRefused(
              "a node named '"
                  + node
                  + "' is at work already; give this one another name (cluster.node)");
        }
        pause(Duration.ofMillis(100));
      }
      listen(connection, channel);
      if (!hearsItself(connection, channel)) {
        throw new StoreRefused(
            "calls of other servers do not come through to "
                + database.shown()
                + " (LISTEN has no effect): connect to PostgreSQL itself, or through a pooler in"
                + " session mode");
      }
    } catch (SQLException | StoreRefused e) {
      connection.close();
      throw e;
    }
    NotifyListener notifyListener =
        new NotifyListener(database, accounts, channel, node, instance, connection);
    notifyListener.thread.start();
    return notifyListener;
  }

  /**
   * Takes the name if no living process has it. A living one may be without its lock for a moment:
   * then its other connections are there. One that was silent for as long as a lease lasts is dead,
   * whatever the network still shows of it.
   */
  private static boolean takeFreeName(
      Connection connection, String channel, String node, UUID instance) throws SQLException {
    JdbcSession session = new JdbcSession(connection);
    session.all(MessageSql.END_DEAD_NAMESAKE, _ -> null, node, instance);
    if (!takeName(connection, channel, node)) {
      return false;
    }
    if (session.one(MessageSql.LIVING_NAMESAKE, _ -> true, node, instance) == null) {
      return true;
    }
    session.one("SELECT pg_advisory_unlock_all()", _ -> true);
    return false;
  }

  private static boolean hearsItself(Connection connection, String channel) throws SQLException {
    new JdbcSession(connection).one("SELECT pg_notify(?, 'hello')", _ -> true, channel);
    PGNotification[] heard =
        connection.unwrap(PGConnection.class).getNotifications(OWN_VOICE_MILLIS);
    return heard != null && heard.length > 0;
  }

  private static void listen(Connection connection, String channel) throws SQLException {
    new JdbcSession(connection).execute("LISTEN \"" + channel + "\"");
  }

  private static boolean takeName(Connection connection, String channel, String node)
      throws SQLException {
    return Boolean.TRUE.equals(
        new JdbcSession(connection)
            .one(
                "SELECT pg_try_advisory_lock(hashtext(?), hashtext(?))",
                row -> row.getBoolean(1),
                channel,
                node));
  }

  public void tell(Cluster.Listener whom) {
    listener = whom;
  }

  private void listen() {
    while (!closed) {
      Connection current = connection;
      try {
        if (current == null) {
          current = reconnect();
        }
        hear(current);
      } catch (SQLException | RuntimeException e) { // whoever listens may be in trouble too
        if (!closed) {
          log.debug("The listener lost its connection", e);
          drop();
          pause(AGAIN);
        }
      }
    }
  }

  private void hear(Connection current) throws SQLException {
    PGNotification[] heard = current.unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
    if (heard == null || heard.length == 0) {
      new JdbcSession(current).execute("SELECT 1"); // silence, or is nobody there?
      if (!named) {
        named = takeName(current, channel, node);
      }
      return;
    }
    Cluster.Listener whom = listener;
    for (PGNotification notification : heard) {
      Notification call = Notification.parse(notification.getParameter());
      if (call != null && whom != null && !call.node().equals(node)) {
        call.tell(whom, call.account() == 0 ? "" : accounts.name(call.account()));
      }
    }
  }

  private Connection reconnect() throws SQLException {
    Connection made = database.connect(Database.name(instance, "listener", node));
    connection = made;
    named = takeName(made, channel, node);
    if (!named) { // if by another process, the next sign of life finds out
      log.warn("The name '{}' is still held by an old connection, or by another process", node);
    }
    listen(made, channel);
    Cluster.Listener whom = listener;
    if (whom != null) {
      whom.missed();
    }
    return made;
  }

  private void drop() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) {
        log.debug("Closing the ear's connection failed", e);
      }
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    drop();
    thread.interrupt();
  }
}
