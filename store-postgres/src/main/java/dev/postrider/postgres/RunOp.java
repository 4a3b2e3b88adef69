package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.store.RunTarget;
import java.sql.SQLException;
import java.util.Comparator;

/** A write about one target of a run, with others in one transaction; it needs no lease. */
final class RunOp<T> extends Op<T> {
  /** In which every node takes the locks of targets. */
  static final Comparator<RunOp<?>> ORDER =
      Comparator.comparing((RunOp<?> op) -> op.target.run()).thenComparingInt(op -> op.target.n());

  /** What to do; gives the result. */
  @FunctionalInterface
  interface Work<T> {
    T apply(Session session) throws SQLException;
  }

  private final RunTarget target;
  private final Work<T> work;

  RunOp(RunTarget target, Work<T> work) {
    this.target = target;
    this.work = work;
  }

  void apply(Session session) throws SQLException {
    result(work.apply(session));
  }
}
