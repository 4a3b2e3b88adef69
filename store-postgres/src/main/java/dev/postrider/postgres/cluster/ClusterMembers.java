package dev.postrider.postgres.cluster;

import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.Notification;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.cluster.Takeover;
import dev.postrider.store.failure.NameTaken;
import dev.postrider.store.failure.OutdatedNode;
import dev.postrider.store.message.Lease;
import dev.postrider.time.Scheduler;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part, and who owns what: signs of life and leases, all by the database's clock. On
 * connections of the pool, not the writer's: a sign of life must not wait behind a batch.
 *
 * <pre>
 *   node A   beat ───── beat ───── beat ──x dies
 *   account  owner A, fence 7 ─────────────────────│ expires passes │── owner B, fence 8
 *   node B   beat ───── beat ───── beat ───── beat ─────── beat: A is dead, take ──
 *   late write of A under fence 7: refused
 * </pre>
 */
public final class ClusterMembers {
  /** A difference smaller than this is the network's, not the clocks'. */
  private static final Duration NOISE = Duration.ofMillis(50);

  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final DataSource database;
  private final Accounts accounts;
  private final Scheduler time;
  private final @Nullable InstantSource testClock;
  private final Duration leaseLength;
  private final String channel;
  private final UUID instance;
  private final Migrations migrations;
  private final Set<String> introduced = ConcurrentHashMap.newKeySet(); // names this process took
  private volatile Instant clockZero = Instant.EPOCH;

  /**
   * @param testClock stands in for the database's clock
   * @param channel where nodes call each other
   * @param instance this process, whatever its name
   * @param migrations what this process knows of the database's formats
   */
  public ClusterMembers(
      DataSource database,
      Accounts accounts,
      Scheduler time,
      @Nullable InstantSource testClock,
      Duration leaseLength,
      String channel,
      UUID instance,
      Migrations migrations) {
    this.database = database;
    this.accounts = accounts;
    this.time = time;
    this.testClock = testClock;
    this.leaseLength = leaseLength;
    this.channel = channel;
    this.instance = instance;
    this.migrations = migrations;
  }

  /** What the database's clock showed when this process's stopwatch showed zero. */
  public Instant clockZero() {
    return testClock == null ? clockZero : testClock.instant().minus(time.elapsed());
  }

  /** What stands for the database's clock in a statement: nothing, for the real one. */
  private @Nullable Long clock() {
    return testClock == null ? null : Values.micros(testClock.instant());
  }

  private Long length() {
    return leaseLength.toNanos() / 1_000;
  }

  /** Learns what the database's clock shows. */
  public void compareClocks() throws SQLException {
    try (Connection connection = database.getConnection()) {
      JdbcSession session = new JdbcSession(connection);
      Duration before = time.elapsed();
      compare(before, now(session));
    }
  }

  private Instant now(JdbcSession session) throws SQLException {
    Long now = session.one("SELECT " + MessageSql.NOW, row -> row.getLong(1), clock());
    return Values.instant(now == null ? 0 : now);
  }

  private void compare(Duration before, Instant there) {
    Duration trip = time.elapsed().minus(before);
    Instant measured = there.minus(before.plus(trip.dividedBy(2)));
    if (Duration.between(clockZero, measured).abs().compareTo(NOISE.plus(trip)) > 0) {
      clockZero = measured;
    }
  }

  // ---- signs of life

  private record Beat(long seen, @Nullable Integer oldestFormat) {}

  public synchronized ClusterSnapshot beat(
      String node, String address, Set<String> claims, List<AccountReport> reports)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      JdbcSession session = new JdbcSession(connection);
      Array claimed = connection.createArrayOf("text", claims.toArray());
      Duration before = time.elapsed();
      boolean first = !introduced.contains(node);
      if (first) { // from here on nobody changes the format without seeing this node
        connection.setAutoCommit(false);
        Migrations.holdFormat(session);
      }
      Beat beat =
          session.one(
              MessageSql.BEAT,
              row -> new Beat(row.getLong(1), row.getObject(2, Integer.class)),
              node,
              instance,
              address,
              length(),
              claimed,
              connection.createArrayOf("text", AccountReports.rows(reports)),
              BuildVersion.NAME,
              migrations.latest(),
              clock(),
              first);
      if (beat == null) {
        throw new NameTaken(node);
      }
      String outdated = migrations.outdatedBy(beat.oldestFormat);
      if (outdated != null) {
        throw new OutdatedNode(outdated);
      }
      if (first) {
        connection.commit();
        connection.setAutoCommit(true);
      }
      introduced.add(node);
      Instant now = Values.instant(beat.seen);
      compare(before, now);
      if (first) {
        session.update(MessageSql.FORGET_NODES, Values.micros(now.minus(REMEMBERED)));
        session.update(MessageSql.FORGET_MARKS);
        session.update(SessionSql.FOLD_COUNTS);
        callAboutLeases(connection, session, node);
      }
      return roll(session, now);
    }
  }

  public ClusterSnapshot roll() throws SQLException {
    try (Connection connection = database.getConnection()) {
      JdbcSession session = new JdbcSession(connection);
      return roll(session, now(session));
    }
  }

  private static ClusterSnapshot roll(JdbcSession session, Instant now) throws SQLException {
    List<ClusterSnapshot.Node> nodes =
        session.all(MessageSql.NODES, ClusterMembers::node, Values.micros(now));
    List<ClusterSnapshot.Holding> holdings =
        session.all(
            MessageSql.HOLDINGS,
            row ->
                new ClusterSnapshot.Holding(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    Values.instant(row.getLong(4)),
                    row.getBoolean(5),
                    row.getLong(6)));
    return new ClusterSnapshot(now, nodes, holdings);
  }

  private static ClusterSnapshot.Node node(ResultSet row) throws SQLException {
    return new ClusterSnapshot.Node(
        row.getString(1),
        row.getString(2),
        Values.instant(row.getLong(3)),
        Values.instant(row.getLong(4)),
        row.getBoolean(5),
        Set.of((String[]) row.getArray(6).getArray()),
        AccountReports.read(row.getArray(7)),
        row.getString(8),
        row.getObject(9, Integer.class));
  }

  public List<Takeover> takeovers(int limit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return new JdbcSession(connection)
          .all(
              MessageSql.TAKEOVERS,
              row ->
                  new Takeover(
                      Values.instant(row.getLong(1)),
                      row.getString(2),
                      row.getString(3),
                      row.getString(4),
                      row.getBoolean(5),
                      Duration.ofNanos(row.getLong(6) * 1_000)),
              limit);
    }
  }

  // ---- leases

  /** Takes a lease if it is free and nobody is about it; who is not given it asks again. */
  public Optional<Lease> acquire(String account, String node) throws SQLException {
    if (!account.isEmpty()) {
      accounts.idOrNew(account);
    }
    try {
      return take(account, node);
    } catch (SQLException e) {
      if (PgErrors.passing(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private Optional<Lease> take(String account, String node) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      JdbcSession session = new JdbcSession(connection);
      session.execute("SET LOCAL lock_timeout = '500ms'");
      session.all(MessageSql.END_DEAD_OWNER, _ -> null, clock(), account, node);
      // First the account: whoever waits for it must not keep the node's own row meanwhile.
      Integer id = session.one(MessageSql.LOCK_LEASE, row -> row.getInt(1), account);
      boolean first = !introduced.contains(node);
      if (session.update(MessageSql.ALIVE, node, instance, length(), clock(), first) == 0) {
        throw new NameTaken(node);
      }
      Lease taken =
          session.one(
              MessageSql.TAKE_LEASE,
              row -> {
                note(session, row, account, node);
                return new Lease(account, row.getLong(1));
              },
              clock(),
              id,
              node,
              node);
      connection.commit();
      introduced.add(node);
      if (taken != null) {
        accounts.took(taken);
      }
      return Optional.ofNullable(taken);
    }
  }

  /** Writes down that the account changes hands. */
  private static void note(JdbcSession session, ResultSet taken, String account, String node)
      throws SQLException {
    String previous = taken.getString(2);
    long since = taken.getLong(3);
    long seen = taken.getLong(4);
    boolean nodeKnown = !taken.wasNull();
    long now = taken.getLong(5);
    boolean died = previous != null && !previous.equals(node);
    boolean handedOver = previous == null && since > 0;
    if (died || handedOver) {
      session.update(
          MessageSql.ADD_TAKEOVER,
          now,
          account,
          previous,
          node,
          died,
          now - (died && nodeKnown ? seen : since));
      session.update(MessageSql.TRIM_TAKEOVERS);
    }
  }

  public boolean release(Lease lease, String node) throws SQLException {
    accounts.left(lease);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      JdbcSession session = new JdbcSession(connection);
      boolean released =
          session.update(MessageSql.LEASE_GONE, clock(), lease.account(), lease.fence()) > 0;
      if (released) {
        callAboutLeases(connection, session, node);
      }
      connection.commit();
      return released;
    }
  }

  /** Other nodes need not wait for their next heartbeat to look at the leases. */
  private void callAboutLeases(Connection connection, JdbcSession session, String node)
      throws SQLException {
    new BatchColumns(connection, channel, node)
        .call(session, List.of(Notification.Kind.LEASES.letter() + "0"));
  }

  public boolean leave(String node) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      JdbcSession session = new JdbcSession(connection);
      boolean held = session.update(MessageSql.LEAVE, node, instance, clock()) > 0;
      callAboutLeases(connection, session, node);
      connection.commit();
      return held;
    }
  }
}
