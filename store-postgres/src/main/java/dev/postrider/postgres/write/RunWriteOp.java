package dev.postrider.postgres.write;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.store.reminder.RunTarget;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A write about one target of a run, with others in one transaction; it needs no lease. Every node
 * takes the locks in one order: days by date and account, then targets by run and place.
 */
public final class RunWriteOp<T> extends WriteOp<T> {
  private static final Comparator<RunWriteOp<?>> BY_PLACE =
      Comparator.comparing((RunWriteOp<?> op) -> op.target.run())
          .thenComparingInt(op -> op.target.n());

  /** What to do; gives the result. */
  @FunctionalInterface
  public interface Work<T> {
    T apply(JdbcSession session) throws SQLException;
  }

  private final RunTarget target;
  private final @Nullable LocalDate day;
  private final Work<T> work;

  /**
   * @param day on which it may be counted; null if it is not
   */
  public RunWriteOp(RunTarget target, @Nullable LocalDate day, Work<T> work) {
    this.target = target;
    this.day = day;
    this.work = work;
  }

  public static void applyAll(
      List<RunWriteOp<?>> ops, JdbcSession session, BatchColumns arrays, Accounts accounts)
      throws SQLException {
    lockDays(ops, session, arrays, accounts);
    List<RunWriteOp<?>> ordered = new ArrayList<>(ops);
    ordered.sort(BY_PLACE); // those about one target stay in their order
    for (RunWriteOp<?> op : ordered) {
      op.apply(session);
    }
  }

  private void apply(JdbcSession session) throws SQLException {
    result(work.apply(session));
  }

  private record Day(int day, int account) implements Comparable<Day> {
    private static final Comparator<Day> ORDER =
        Comparator.comparingInt(Day::day).thenComparingInt(Day::account);

    @Override
    public int compareTo(Day other) {
      return ORDER.compare(this, other);
    }
  }

  private static void lockDays(
      List<RunWriteOp<?>> ops, JdbcSession session, BatchColumns arrays, Accounts accounts)
      throws SQLException {
    TreeSet<Day> counted = new TreeSet<>();
    for (RunWriteOp<?> op : ops) {
      if (op.day != null) {
        int account = accounts.idOrNew(op.target.target().account());
        counted.add(new Day((int) op.day.toEpochDay(), account));
      }
    }
    if (!counted.isEmpty()) {
      List<Day> days = List.copyOf(counted);
      session.update(
          RunSql.LOCK_DAYS, arrays.ints(days, Day::day), arrays.ints(days, Day::account));
    }
  }
}
