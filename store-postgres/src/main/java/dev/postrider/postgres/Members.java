package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Lease;
import dev.postrider.store.Roll;
import dev.postrider.store.Takeover;
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
  private final InstantSource ownClock;
  private final @Nullable InstantSource testClock;
  private final Duration leaseLength;
  private final String channel;
  private volatile Duration ahead = Duration.ZERO;
  private boolean introduced; // whether this process has given a sign of life; guarded by this

  /**
   * @param testClock stands in for the database's clock
   * @param channel where nodes call each other
   */
  Members(
      DataSource database,
      Accounts accounts,
      InstantSource ownClock,
      @Nullable InstantSource testClock,
      Duration leaseLength,
      String channel) {
    this.database = database;
    this.accounts = accounts;
    this.ownClock = ownClock;
    this.testClock = testClock;
    this.leaseLength = leaseLength;
    this.channel = channel;
  }

  Duration clockAhead() {
    return ahead;
  }

  /** What stands for the database's clock in a statement: nothing, for the real one. */
  private @Nullable Long clock() {
    return testClock == null ? null : Values.micros(testClock.instant());
  }

  private Long length() {
    return leaseLength.toNanos() / 1_000;
  }

  /** Learns how far the database's clock is ahead. */
  void compareClocks() throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      Instant before = ownClock.instant();
      compare(before, now(session));
    }
  }

  private Instant now(Session session) throws SQLException {
    Long now = session.one("SELECT " + Sql.NOW, row -> row.getLong(1), clock());
    return Values.instant(now == null ? 0 : now);
  }

  private void compare(Instant before, Instant there) {
    Duration trip = Duration.between(before, ownClock.instant());
    Duration measured = Duration.between(before.plus(trip.dividedBy(2)), there);
    if (measured.minus(ahead).abs().compareTo(NOISE.plus(trip)) > 0) {
      ahead = measured;
    }
  }

  // ---- signs of life

  synchronized Roll beat(String node, String address, Set<String> claims) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Session session = new Session(connection);
      Array claimed = connection.createArrayOf("text", claims.toArray());
      Instant before = ownClock.instant();
      Long seen =
          session.one(
              Sql.BEAT,
              row -> row.getLong(1),
              node,
              address,
              length(),
              claimed,
              clock(),
              !introduced);
      Instant now = seen == null ? before : Values.instant(seen);
      compare(before, now);
      if (!introduced) {
        introduced = true;
        session.update(Sql.FORGET_NODES, Values.micros(now.minus(REMEMBERED)));
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
        Set.of((String[]) row.getArray(6).getArray()));
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
      session.update(Sql.ALIVE, node, length(), clock());
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
      boolean held = session.update(Sql.LEAVE, node, clock(), node) > 0;
      callAboutLeases(connection, session, node);
      connection.commit();
      return held;
    }
  }
}
