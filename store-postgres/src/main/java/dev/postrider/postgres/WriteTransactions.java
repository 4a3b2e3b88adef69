package dev.postrider.postgres;

import dev.postrider.jdbc.session.Committer;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer's transactions on PostgreSQL: one connection, opened again when it is lost.
 *
 * <h2>A commit that was not answered</h2>
 *
 * If the connection breaks while a commit is under way, nobody here knows whether it happened, and
 * neither "it did" nor "it did not" may be assumed: a settlement applied twice would lose track of
 * the lane's next message. So every transaction carries a number, which it writes into this
 * process's row of {@code mark}. After a broken commit the old connection is ended on the server,
 * so that it cannot commit any more, and then the number is read: it is there, and the batch was
 * committed, or it is not, and the batch never will be. Until the database answers that, the batch
 * waits; whoever comes meanwhile is refused at once.
 *
 * <h2>A commit that is lost</h2>
 *
 * The number also tells a database that is not what it was: a standby took over that had not got
 * everything. So it is compared whenever a connection is opened; see {@link LostCommits}.
 *
 * <p>Belongs to the writer's thread, but for {@link #refusal}.
 */
final class WriteTransactions implements Committer.Target<WriteOp<?>> {
  private static final Logger log = LoggerFactory.getLogger(WriteTransactions.class);
  private static final Duration ASK_AGAIN = Duration.ofMillis(500);
  private static final int TRIES = 3;

  /** Plans of a queue's statements must not depend on how full the queue is at the moment. */
  static final String SETTINGS =
      "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
          + " SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan;"
          + " SET synchronous_commit = on; SET lock_timeout = '1s'";

  private final Database database;
  private final Accounts accounts;
  private final String node;
  private final String name;
  private final String mark;
  private final String channel;
  private final Scheduler time;
  private final Migrations migrations;
  private final Consumer<String> onOwnArrivals;
  private @Nullable Connection connection;
  private @Nullable JdbcSession session;
  private @Nullable BatchColumns columns;
  private int backend;
  private long batch = -1; // the number of the last transaction; unknown until asked for
  private int cancelled; // single writes in a row that the database did not let end
  private volatile boolean closed;
  private volatile @Nullable String inDoubt;
  private volatile @Nullable String stoodDown;

  /**
   * @param name what the database's own tools show
   * @param mark names the row of {@code mark}: no other process, of whatever name, writes it
   * @param channel where nodes call each other
   * @param onOwnArrivals told of accounts of this node for which it has stored arrivals itself
   */
  WriteTransactions(
      Database database,
      Accounts accounts,
      String node,
      String name,
      String mark,
      String channel,
      Scheduler time,
      Migrations migrations,
      Consumer<String> onOwnArrivals) {
    this.database = database;
    this.accounts = accounts;
    this.node = node;
    this.name = name;
    this.mark = mark;
    this.channel = channel;
    this.time = time;
    this.migrations = migrations;
    this.onOwnArrivals = onOwnArrivals;
  }

  // ---- a transaction

  @Override
  public void commit(List<WriteOp<?>> batch) throws SQLException {
    List<WriteOp<?>> ops = batch;
    for (int tries = 1; ; tries++) {
      boolean wasOpen = session != null;
      try {
        transact(ops);
        return;
      } catch (BrokeBeforeCommit e) {
        disconnect();
        if (!wasOpen || tries > 1) {
          throw e.cause;
        } // an old connection that was found broken: nothing has happened, a new one may do
      } catch (BatchApplier.LeasesLost e) {
        ops = e.refuseAmong(ops);
        if (ops.isEmpty()) {
          return;
        }
      } catch (BatchApplier.AnswerRefused e) {
        if (ops.size() > 1) {
          throw new PgErrors.Collision(String.valueOf(e.getMessage())); // each is tried by itself
        }
        e.tell();
        return;
      } catch (SQLException | PgErrors.Collision e) {
        if (PgErrors.connectionSpoiled(e)) {
          disconnect();
        }
        if (!PgErrors.passing(e) || ops.size() > 1) {
          throw e; // of a batch, each is tried by itself
        }
        if (tries == TRIES || PgErrors.lockHeld(e)) {
          PgErrors.giveUp(e);
          throw e;
        }
      }
    }
  }

  /** The connection was lost before the commit was sent: the transaction will never happen. */
  private static final class BrokeBeforeCommit extends Exception {
    private static final long serialVersionUID = 1L;
    private final SQLException cause;

    BrokeBeforeCommit(SQLException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private void transact(List<WriteOp<?>> ops) throws SQLException, BrokeBeforeCommit {
    connect();
    BatchSideEffects sideEffects = new BatchSideEffects();
    long number = batch + 1;
    boolean committing = false;
    boolean done = false;
    try {
      apply(ops, sideEffects, number);
      committing = true;
      commit();
      done = true;
    } catch (SQLException e) {
      if (!PgErrors.connectionLost(e)) {
        throw e;
      }
      if (!committing) {
        throw new BrokeBeforeCommit(e);
      }
      done = wasCommitted(number, e);
      if (!done) {
        throw e;
      }
    } catch (RuntimeException | Error e) {
      done = committing && wasCommitted(number, e);
      if (!done) {
        throw e;
      }
    } finally {
      if (!done) {
        rollback();
      }
    }
    batch = number;
    cancelled = 0;
    sideEffects.ownArrivals().forEach(this::tellOwnArrival);
  }

  /** What was committed stays committed, whatever comes of telling it. */
  private void tellOwnArrival(String account) {
    try {
      onOwnArrivals.accept(account);
    } catch (RuntimeException | Error e) {
      log.error("Account {}: nobody could be told of an arrival; the heartbeat will", account, e);
    }
  }

  private void apply(List<WriteOp<?>> ops, BatchSideEffects sideEffects, long number)
      throws SQLException {
    JdbcSession opened = session;
    BatchColumns arrays = columns;
    if (opened == null || arrays == null) {
      throw new IllegalStateException("not connected");
    }
    new BatchApplier(opened, arrays, accounts, sideEffects, number).apply(ops, mark);
    sideEffects.writeLater(opened, arrays);
  }

  /** Together with what was put off until now. */
  private void commit() throws SQLException {
    JdbcSession current = session;
    if (current != null) {
      current.update("COMMIT");
    }
  }

  private void rollback() {
    Connection current = connection;
    JdbcSession opened = session;
    if (current == null || opened == null) {
      return;
    }
    try {
      opened.dropPending();
      current.rollback();
    } catch (SQLException | RuntimeException e) {
      disconnect(); // whatever it had begun ends with it
    }
  }

  // ---- a commit that was not answered

  private boolean wasCommitted(long number, Throwable cause) {
    log.warn(
        "The database did not answer a commit; asking it whether it happened: {}",
        cause.getMessage());
    inDoubt =
        "it is not known yet whether the last writes were stored: the database did not answer";
    int doubtful = backend;
    try {
      while (!closed) {
        disconnect();
        try {
          boolean committed = lastBatch(doubtful) == number;
          log.info("The unanswered commit {}", committed ? "did happen" : "did not happen");
          return committed;
        } catch (Scheduler.Interrupted e) {
          throw new StoreClosed();
        } catch (SQLException | RuntimeException e) {
          sleep();
        }
      }
      throw new StoreClosed();
    } finally {
      disconnect(); // it was good enough to ask; whether we may still write is asked of the next
      inDoubt = null;
    }
  }

  /** The number of this process's last committed transaction, once that connection has ended. */
  private long lastBatch(int doubtful) throws SQLException {
    JdbcSession opened = reach();
    opened.all(MessageSql.END_OLD_CONNECTION, _ -> null, doubtful, name);
    return lastBatch(opened);
  }

  private long lastBatch(JdbcSession opened) throws SQLException {
    Long last = opened.one(MessageSql.LAST_MARK, row -> row.getLong(1), mark);
    commit();
    return last == null ? 0 : last;
  }

  /** Makes sure that there is a row to look at: whoever is in doubt waits for its lock. */
  private long firstBatch() throws SQLException {
    JdbcSession opened = open();
    opened.update(MessageSql.FIRST_MARK, mark);
    return lastBatch(opened);
  }

  private void sleep() {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    time.after(ASK_AGAIN, () -> over.complete(true));
    time.await(over);
  }

  // ---- the connection

  private void connect() throws SQLException {
    if (session == null) {
      try {
        if (batch < 0) {
          batch = firstBatch();
        } else {
          open();
        }
      } catch (SQLException e) {
        disconnect();
        throw PgErrors.connectionLost(e)
            ? e
            : new SQLException(e.getMessage(), PgErrors.NOT_LET_IN, e);
      }
    }
  }

  /** A connection that may be written on. */
  private JdbcSession open() throws SQLException {
    JdbcSession made = reach();
    String outdated = migrations.outdated(made); // it may have been frozen for long
    if (outdated != null) {
      throw new SQLException(outdated, PgErrors.NOT_LET_IN);
    }
    String lost = LostCommits.find(made, mark, batch);
    commit();
    if (lost != null) {
      log.error("{}", lost);
      standDown(lost);
      throw new SQLException(lost, PgErrors.NOT_LET_IN);
    }
    return made;
  }

  private JdbcSession reach() throws SQLException {
    Connection opened = database.connect(name);
    connection = opened;
    JdbcSession made = new JdbcSession(opened);
    made.execute(database.settings());
    made.execute(SETTINGS);
    Integer pid = made.one("SELECT pg_backend_pid()", row -> row.getInt(1)); // not a pooler's
    backend = pid == null ? 0 : pid;
    opened.setAutoCommit(false);
    columns = new BatchColumns(opened, channel, node);
    session = made;
    return made;
  }

  private void disconnect() {
    Connection old = connection;
    connection = null;
    session = null;
    columns = null;
    if (old != null) {
      try {
        old.close();
      } catch (SQLException e) {
        log.debug("Closing a lost connection failed", e);
      }
    }
  }

  void close() {
    closed = true;
    disconnect();
  }

  /** Writes nothing any more: another process acts in its place, or the database has gone back. */
  void standDown(String reason) {
    stoodDown = reason;
  }

  /** Gives up waiting for an answer. */
  void giveUp() {
    closed = true;
  }

  @Override
  public @Nullable RuntimeException unavailable(Throwable failure) {
    if (failure instanceof SQLException sql && PgErrors.connectionLost(sql)) {
      disconnect();
    }
    if (failure instanceof SQLTimeoutException && ++cancelled >= TRIES) {
      return StoreFailures.of("write", failure); // not this one or that one: all of them
    }
    return PgErrors.unavailable(failure);
  }

  @Override
  public @Nullable RuntimeException refusal() {
    String doubt = stoodDown == null ? inDoubt : stoodDown;
    return doubt == null ? null : new StoreUnavailable(doubt);
  }
}
