package dev.postrider.sqlite.file;

import dev.postrider.jdbc.session.Committer;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.StoreFailures;
import dev.postrider.jdbc.session.Write;
import dev.postrider.store.failure.StoreUnavailable;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer's transactions on SQLite: one connection, one write after the other. Belongs to the
 * writer's thread.
 */
public final class WriteTransaction implements Committer.Target<WriteTransaction.Step<?>> {
  private static final Logger log = LoggerFactory.getLogger(WriteTransaction.class);

  /** What happens around the writes of a transaction, on the writer's thread. */
  public interface Around {
    /** Inside the transaction, after its last write. */
    void beforeCommit() throws SQLException;

    void committed();

    void rolledBack();
  }

  /** Something to do in the writer's transaction. */
  @FunctionalInterface
  public interface Work<T> {
    @Nullable T apply() throws SQLException;
  }

  /** A write that is a piece of code. */
  public static final class Step<T> extends Write<T> {
    private final Work<T> work;

    public Step(Work<T> work) {
      this.work = work;
    }

    private void apply() throws SQLException {
      result(work.apply());
    }

    @Override
    protected String operation(Throwable failure) {
      return StoreFailures.operation(failure);
    }
  }

  private final JdbcSession session;
  private final List<Around> around;

  public WriteTransaction(JdbcSession session, Around... around) {
    this.session = session;
    this.around = List.of(around);
  }

  @Override
  public void commit(List<Step<?>> batch) throws SQLException {
    boolean committed = false;
    try {
      session.update("BEGIN IMMEDIATE");
      for (Step<?> step : batch) {
        step.apply();
      }
      for (Around one : around) {
        one.beforeCommit();
      }
      session.update("COMMIT");
      committed = true;
    } finally {
      if (!committed) {
        rollback();
      }
    }
    around.forEach(WriteTransaction::tellCommitted);
  }

  /** What was committed stays committed, whatever comes of telling it. */
  private static void tellCommitted(Around one) {
    try {
      one.committed();
    } catch (RuntimeException | Error e) {
      log.error("After a commit something was not put in order", e);
    }
  }

  private void rollback() {
    try {
      session.update("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back by itself, or never begun; either way nothing was written.
    }
    around.forEach(Around::rolledBack);
  }

  @Override
  public @Nullable RuntimeException unavailable(Throwable failure) {
    return failure instanceof StoreUnavailable known ? known : SqliteErrors.unavailable(failure);
  }
}
