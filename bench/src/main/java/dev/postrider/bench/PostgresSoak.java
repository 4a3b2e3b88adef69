package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Whether the database grows while the backlog does not: a few thousand messages wait in a paused
 * account, as many come as are delivered, and what was delivered is kept for half a minute. Every
 * minute it prints how large each table and index is.
 */
public final class PostgresSoak {
  private static final int WAITING = 5_000;
  private static final int UNDER_WAY = 500;
  private static final int CALLERS = 64;

  private static final String SIZES =
      "SELECT c.relname, pg_relation_size(c.oid), coalesce(s.n_live_tup, 0),"
          + " coalesce(s.n_dead_tup, 0),"
          + " coalesce(s.autovacuum_count, 0), c.relkind = 'r' FROM pg_class c LEFT JOIN"
          + " pg_stat_user_tables s"
          + " ON s.relid = c.oid LEFT JOIN pg_index i ON i.indexrelid = c.oid"
          + " WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')"
          + " AND pg_relation_size(c.oid) > 65536"
          + " ORDER BY coalesce(i.indrelid, c.oid)::regclass::text, c.relkind DESC, c.relname";

  private PostgresSoak() {}

  /**
   * @param args how many minutes, ten unless told; then, how many messages a second, 2,000 unless
   *     told
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    int minutes = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    int perSecond = args.length > 1 ? Integer.parseInt(args[1]) : 2_000;
    QueueSettings shortlived =
        QueueSettings.DEFAULTS.with(
            s -> {
              s.keepDelivered = Duration.ofSeconds(30);
              s.pruneInterval = Duration.ofSeconds(5);
            });
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.newSchema();
      List<String> accounts = List.of("bot", "backlog");
      try (Postrider postrider =
          Nodes.open(url, "node-1", shortlived, accounts, new NoopChannel())) {
        backlog(postrider);
        run(postrider, url, minutes, perSecond);
      }
    }
  }

  private static void backlog(Postrider postrider) {
    postrider.pauseAccount("backlog", "soak");
    for (int n = 0; n < WAITING; n += 500) {
      postrider.sendAll(
          IntStream.range(n, n + 500)
              .mapToObj(i -> message("backlog", "chat-" + i % 1_000))
              .toList());
    }
  }

  private static Message message(String account, String chat) {
    return Message.to(account, chat).text(EndToEnd.TEXT).build();
  }

  private static void run(Postrider postrider, String url, int minutes, int perSecond)
      throws Exception {
    AtomicLong delivered = new AtomicLong();
    AtomicLong next = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    Semaphore underWay = new Semaphore(UNDER_WAY);
    postrider
        .events()
        .subscribe(
            event -> {
              if (event instanceof Event.Delivered) {
                delivered.incrementAndGet();
                underWay.release();
              }
            });
    long start = System.nanoTime();
    for (int i = 0; i < CALLERS; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (!over.get()) {
                  long n = next.getAndIncrement();
                  long wait = start + n * 1_000_000_000 / perSecond - System.nanoTime();
                  if (wait > 0) {
                    LockSupport.parkNanos(wait);
                  }
                  underWay.acquireUninterruptibly();
                  postrider.send(message("bot", "chat-" + n % 1_000));
                }
              });
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      for (int minute = 1; minute <= minutes; minute++) {
        long before = delivered.get();
        TimeUnit.MINUTES.sleep(1);
        print(connection, minute, delivered.get(), delivered.get() - before);
      }
    }
    over.set(true);
    underWay.acquireUninterruptibly(UNDER_WAY);
  }

  private static void print(Connection connection, int minute, long delivered, long lately)
      throws SQLException {
    System.out.printf(
        "minute %d: %,d delivered, %,d of them in the last minute (%,d/s); load %.2f%n",
        minute,
        delivered,
        lately,
        lately / 60,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SIZES)) {
      while (row.next()) {
        if (row.getBoolean(6)) {
          System.out.printf(
              "  %-18s %,9d KiB %,9d live %,9d dead %4d vacuums%n",
              row.getString(1),
              row.getLong(2) / 1024,
              row.getLong(3),
              row.getLong(4),
              row.getLong(5));
        } else {
          System.out.printf("    %-16s %,9d KiB%n", row.getString(1), row.getLong(2) / 1024);
        }
      }
    }
  }
}
