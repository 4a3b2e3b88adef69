package dev.postrider.postgres.connection;

import dev.postrider.store.failure.StoreRefused;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Refuses a pooler that shares sessions between connections, as pgbouncer does in transaction mode.
 * There a lock on a name belongs to nobody, calls of other nodes are not heard, and settings of one
 * connection reach another.
 *
 * <p>Two transactions of one connection are compared, and another connection has a transaction of
 * its own open meanwhile: a pooler that may do so gives it the session that the first has just
 * left.
 */
public final class PoolerCheck {
  private static final int ROUNDS = 3; // a pooler may hand sessions out in any order

  private PoolerCheck() {}

  public static void run(Database database) throws SQLException {
    try (Connection one = database.connect("postrider start");
        Connection other = database.connect("postrider start")) {
      // No prepared statement: in another session it would be missing.
      one.unwrap(PGConnection.class).setPrepareThreshold(0);
      other.unwrap(PGConnection.class).setPrepareThreshold(0);
      other.setAutoCommit(false);
      for (int round = 0; round < ROUNDS; round++) {
        int before = session(one);
        if (session(other) == before || session(one) != before) {
          throw new StoreRefused(
              "the connection to "
                  + database.shown()
                  + " goes through a pooler in transaction mode (pg_backend_pid() differs between"
                  + " transactions): servers need sessions of their own. Set pool_mode = session"
                  + " for this database, or connect to PostgreSQL itself");
        }
        other.rollback();
      }
    }
  }

  private static int session(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT pg_backend_pid()")) {
      found.next();
      return found.getInt(1);
    }
  }
}
