package dev.postrider.testkit.internal.postgres;

import dev.postrider.testkit.internal.net.FreePort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of one's own, on loopback. Can be stopped and started again on the same data
 * and the same port.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration ENDS_BY_ITSELF = Duration.ofSeconds(20);
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static @Nullable PostgresServer shared;

  private final Path data;
  private final int port;
  private final boolean durable;
  private @Nullable EmbeddedPostgres running;

  private PostgresServer(Path data, int port, boolean durable) {
    this.data = data;
    this.port = port;
    this.durable = durable;
  }

  /** One server for all tests of a process, in a hurry: it does not wait for the disk. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      shared = start(false);
    }
    return shared;
  }

  /** A server as it would run in earnest. */
  public static PostgresServer start() {
    return start(true);
  }

  private static PostgresServer start(boolean durable) {
    try {
      PostgresServer server =
          new PostgresServer(Files.createTempDirectory("postrider-pg"), FreePort.find(), durable);
      server.startAgain();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A standby of this server's that gets what happens on it as it happens. This one is stopped
   * meanwhile: it is copied.
   *
   * @param follows the port by which the standby reaches it
   */
  public synchronized PostgresServer standby(int follows) {
    stop();
    try {
      PostgresServer standby =
          new PostgresServer(Files.createTempDirectory("postrider-pg"), FreePort.find(), durable);
      Runtime.getRuntime().addShutdownHook(new Thread(standby::close));
      copy(data, standby.data);
      Files.createFile(standby.data.resolve("standby.signal"));
      Files.writeString(
          standby.data.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=127.0.0.1 port=" + follows + " user=postgres'\n");
      startAgain();
      standby.startAgain();
      return standby;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(one -> !one.equals(from)).toList()) {
        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Makes a primary of a standby, which then has whatever it has got. */
  public void promote() {
    execute("SELECT pg_promote()");
  }

  /** Starts it again after {@link #stop}. */
  public synchronized void startAgain() {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setPort(port)
              .setRegisterShutdownHook(false) // this class has its own
              .setPGStartupWait(Duration.ofSeconds(60))
              .setServerConfig("max_connections", "200");
      String waits = durable ? "on" : "off"; // both said: the builder's own defaults are "off"
      builder
          .setServerConfig("fsync", waits)
          .setServerConfig("full_page_writes", waits)
          .setServerConfig("synchronous_commit", waits);
      running = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it: connections break, data stays. */
  public synchronized void stop() {
    EmbeddedPostgres server = running;
    running = null;
    if (server != null) {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Kills it: SIGKILL of its first process. The others notice and end; {@link #stop} and {@link
   * #startAgain} bring it back.
   */
  public synchronized void kill() {
    try {
      long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
      ProcessHandle first = ProcessHandle.of(pid).orElseThrow();
      List<ProcessHandle> all = Stream.concat(Stream.of(first), first.descendants()).toList();
      first.destroyForcibly();
      for (ProcessHandle one : all) {
        if (one.isAlive()) {
          one.onExit().get(ENDS_BY_ITSELF.toSeconds(), TimeUnit.SECONDS);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("PostgreSQL was killed and goes on", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills the process that serves one connection of a server's: SIGKILL. */
  public boolean killBackend() {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'postrider %'"
                    + " ORDER BY random() LIMIT 1")) {
      return found.next()
          && ProcessHandle.of(found.getLong(1)).map(ProcessHandle::destroyForcibly).orElse(false);
    } catch (SQLException e) {
      return false; // killed, and this connection with it
    }
  }

  /** Cancels a statement that a server is waiting for, if there is one. */
  public boolean cancelStatement() {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT pg_cancel_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                    + " WHERE application_name LIKE 'postrider %' AND state = 'active'"
                    + " ORDER BY random() LIMIT 1) AS busy")) {
      return found.next();
    } catch (SQLException e) {
      return false; // it is away
    }
  }

  public int port() {
    return port;
  }

  /** The database itself. */
  public String url() {
    return url(port);
  }

  /** The same database through another port: a proxy's. */
  public static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  /** An empty schema of its own in the database; what its URL shows is nobody else's. */
  public String newSchema() {
    String name = "test_" + SCHEMAS.incrementAndGet();
    execute("DROP SCHEMA IF EXISTS " + name + " CASCADE");
    execute("CREATE SCHEMA " + name);
    return url() + "&currentSchema=" + name;
  }

  /** Drops what {@link #newSchema} made. */
  public void drop(String url) {
    execute("DROP SCHEMA " + url.substring(url.lastIndexOf('=') + 1) + " CASCADE");
  }

  public void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stops it for good, and takes its data away. */
  @Override
  public void close() {
    stop();
    if (Files.exists(data)) {
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
