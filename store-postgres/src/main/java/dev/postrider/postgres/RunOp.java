package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.store.RunTarget;
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
final class RunOp<T> extends Op<T> {
  private static final Comparator<RunOp<?>> BY_PLACE =
      Comparator.comparing((RunOp<?> op) -> op.target.run()).thenComparingInt(op -> op.target.n());

  /** What to do; gives the result. */
  @FunctionalInterface
  interface Work<T> {
    T apply(Session session) throws SQLException;
  }

  private final RunTarget target;
  private final @Nullable LocalDate day;
  private final Work<T> work;

  /**
   * @param day on which it may be counted; null if it is not
   */
  RunOp(RunTarget target, @Nullable LocalDate day, Work<T> work) {
    this.target = target;
    this.day = day;
    this.work = work;
  }

  static void applyAll(List<RunOp<?>> ops, Session session, Batches arrays, Accounts accounts)
      throws SQLException {
    lockDays(ops, session, arrays, accounts);
    List<RunOp<?>> ordered = new ArrayList<>(ops);
    ordered.sort(BY_PLACE); // those about one target stay in their order
    for (RunOp<?> op : ordered) {
      op.apply(session);
    }
  }

  private void apply(Session session) throws SQLException {
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
      List<RunOp<?>> ops, Session session, Batches arrays, Accounts accounts) throws SQLException {
    TreeSet<Day> counted = new TreeSet<>();
    for (RunOp<?> op : ops) {
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
