package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.AccountReport;
import dev.postrider.store.Lease;
import dev.postrider.store.NameTaken;
import dev.postrider.store.Roll;
import dev.postrider.store.Takeover;
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
final class Members {
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
  private final Set<String> introduced = ConcurrentHashMap.newKeySet(); // names this process took
  private volatile Instant clockZero = Instant.EPOCH;

  /**
   * @param testClock stands in for the database's clock
   * @param channel where nodes call each other
   * @param instance this process, whatever its name
   */
  Members(
      DataSource database,
      Accounts accounts,
      Scheduler time,
      @Nullable InstantSource testClock,
      Duration leaseLength,
      String channel,
      UUID instance) {
    this.database = database;
    this.accounts = accounts;
    this.time = time;
    this.testClock = testClock;
    this.leaseLength = leaseLength;
    this.channel = channel;
    this.instance = instance;
  }

  /** What the database's clock showed when this process's stopwatch showed zero. */
  Instant clockZero() {
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
  void compareClocks() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      Duration before = time.elapsed();
      compare(before, now(session));
    }
  }

  private Instant now(Session session) throws SQLException {
    Long now = session.one("SELECT " + Sql.NOW, row -> row.getLong(1), clock());
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

  synchronized Roll beat(
      String node, String address, Set<String> claims, List<AccountReport> reports)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      Array claimed = connection.createArrayOf("text", claims.toArray());
      Duration before = time.elapsed();
      boolean first = !introduced.contains(node);
      Long seen =
          session.one(
              Sql.BEAT,
              row -> row.getLong(1),
              node,
              instance,
              address,
              length(),
              claimed,
              connection.createArrayOf("text", Reports.rows(reports)),
              clock(),
              first);
      if (seen == null) {
        throw new NameTaken(node);
      }
      introduced.add(node);
      Instant now = Values.instant(seen);
      compare(before, now);
      if (first) {
        session.update(Sql.FORGET_NODES, Values.micros(now.minus(REMEMBERED)));
        session.update(Sql.FORGET_MARKS);
        session.update(SessionSql.FOLD_COUNTS);
        callAboutLeases(connection, session, node);
      }
      return roll(session, now);
    }
  }

  Roll roll() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      return roll(session, now(session));
    }
  }

  private static Roll roll(Session session, Instant now) throws SQLException {
    List<Roll.Node> nodes = session.all(Sql.NODES, Members::node, Values.micros(now));
    List<Roll.Holding> holdings =
        session.all(
            Sql.HOLDINGS,
            row ->
                new Roll.Holding(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    Values.instant(row.getLong(4)),
                    row.getBoolean(5),
                    row.getLong(6)));
    return new Roll(now, nodes, holdings);
  }

  private static Roll.Node node(ResultSet row) throws SQLException {
    return new Roll.Node(
        row.getString(1),
        row.getString(2),
        Values.instant(row.getLong(3)),
        Values.instant(row.getLong(4)),
        row.getBoolean(5),
        Set.of((String[]) row.getArray(6).getArray()),
        Reports.read(row.getArray(7)));
  }

  List<Takeover> takeovers(int limit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return new Session(connection)
          .all(
              Sql.TAKEOVERS,
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
  Optional<Lease> acquire(String account, String node) throws SQLException {
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
      Session session = new Session(connection);
      session.execute("SET LOCAL lock_timeout = '500ms'");
      session.all(Sql.END_DEAD_OWNER, _ -> null, clock(), account, node);
      // First the account: whoever waits for it must not keep the node's own row meanwhile.
      Integer id = session.one(Sql.LOCK_LEASE, row -> row.getInt(1), account);
      boolean first = !introduced.contains(node);
      if (session.update(Sql.ALIVE, node, instance, length(), clock(), first) == 0) {
        throw new NameTaken(node);
      }
      Lease taken =
          session.one(
              Sql.TAKE_LEASE,
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
  private static void note(Session session, ResultSet taken, String account, String node)
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
          Sql.ADD_TAKEOVER,
          now,
          account,
          previous,
          node,
          died,
          now - (died && nodeKnown ? seen : since));
      session.update(Sql.TRIM_TAKEOVERS);
    }
  }

  boolean release(Lease lease, String node) throws SQLException {
    accounts.left(lease);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Session session = new Session(connection);
      boolean released =
          session.update(Sql.LEASE_GONE, clock(), lease.account(), lease.fence()) > 0;
      if (released) {
        callAboutLeases(connection, session, node);
      }
      connection.commit();
      return released;
    }
  }

  /** Other nodes need not wait for their next heartbeat to look at the leases. */
  private void callAboutLeases(Connection connection, Session session, String node)
      throws SQLException {
    new Batches(connection, channel, node).call(session, List.of(Call.Kind.LEASES.letter() + "0"));
  }

  boolean leave(String node) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Session session = new Session(connection);
      boolean held = session.update(Sql.LEAVE, node, instance, clock()) > 0;
      callAboutLeases(connection, session, node);
      connection.commit();
      return held;
    }
  }
}
