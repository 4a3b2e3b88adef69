package dev.postrider.sqlite.read;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.sqlite.sql.ListSql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The indexes that find messages by chat, account and time of acceptance.
 *
 * <p>Neighbours in an index of chats are of one chat, while messages come for any: kept with each
 * message it would touch a page for every message of a batch, and halve what the writer can do. So
 * they are filled behind the writer, in batches sorted by chat, while few messages come; at the
 * latest when {@link #LONGEST_TAIL} are not in them. Whoever looks for something looks at those
 * rows themselves, which were written just now. {@link #SHORTEST_TAIL} rows are left as they are.
 *
 * <p>Of a minute the index knows the first row and the last: rows come nearly in the order of time.
 *
 * <p>Every commit looks whether there is something to do, so a wake-up that is lost costs nothing
 * but time.
 *
 * <p>Belongs to the writer's thread.
 */
public final class LateIndexes implements WriteTransaction.Around {
  private static final int BATCH = 1_000;
  private static final int SHORTEST_TAIL = 500;
  private static final int LONGEST_TAIL = 200_000;
  private static final Duration A_WHILE = Duration.ofMillis(250);

  /** So many messages in a while are few. */
  private static final int FEW = 250;

  /** The writer it works behind. */
  public interface Writes {
    boolean nobodyWaits();

    void add(WriteTransaction.Work<Void> work);

    /** Runs it then, on the writer's thread. */
    void later(Duration wait, Runnable look);
  }

  private record Row(long id, int account, String chat, long created) {}

  private final JdbcSession session;
  private final LongSupplier lastRow;
  private final Writes writes;
  private long through;
  private long reached; // by the transaction under way
  private boolean queued;
  private boolean waiting;
  private boolean catchingUp;
  private long calmUntilRow;

  public LateIndexes(JdbcSession session, LongSupplier lastRow, Writes writes) throws SQLException {
    this.session = session;
    this.lastRow = lastRow;
    this.writes = writes;
    Long stored = session.one(ListSql.INDEXED, row -> row.getLong(1));
    through = stored == null ? 0 : stored;
    if (through > lastRow.getAsLong()) { // all that came later was deleted, and rows are used again
      through = lastRow.getAsLong();
      session.update(ListSql.MARK_INDEXED, through);
    }
    session.update(ListSql.DELETE_MINUTES);
    reached = through;
  }

  /** A message has another chat now. */
  public void moved(long row, String from, String to) throws SQLException {
    session.update(ListSql.DELETE_CHAT, from, row);
    session.update(ListSql.ADD_CHAT, to, row);
  }

  public void deleted(long row, int account, String chat) throws SQLException {
    session.update(ListSql.DELETE_CHAT, chat, row);
    session.update(ListSql.DELETE_ACCOUNT, account, row);
  }

  /** Hands in the next batch, if there is one and its time has come; else looks again later. */
  public void look() {
    long last = lastRow.getAsLong();
    long tail = last - through;
    catchingUp = tail > (catchingUp ? SHORTEST_TAIL : LONGEST_TAIL);
    if (queued || tail <= SHORTEST_TAIL) {
      return;
    }
    if (catchingUp || (last < calmUntilRow && writes.nobodyWaits())) {
      queued = true;
      writes.add(this::fill);
    } else if (!waiting) {
      waiting = true;
      writes.later(A_WHILE, () -> lookAgain(last));
    }
  }

  private void lookAgain(long lastThen) {
    waiting = false;
    long last = lastRow.getAsLong();
    calmUntilRow = last - lastThen < FEW ? last + FEW : 0;
    look();
  }

  /** The minute of a time in microseconds. */
  static long minute(long micros) {
    return Math.floorDiv(micros, 60_000_000L);
  }

  /** The next batch. */
  @Nullable Void fill() throws SQLException {
    queued = false;
    List<Row> rows =
        session.all(
            ListSql.ROWS_AFTER,
            row -> new Row(row.getLong(1), row.getInt(2), row.getString(3), row.getLong(4)),
            reached,
            BATCH);
    session.updateAll(
        ListSql.ADD_CHAT,
        rows.stream().sorted(Comparator.comparing(Row::chat)).toList(),
        (_, row) -> new Object[] {row.chat, row.id});
    session.updateAll(ListSql.ADD_ACCOUNT, rows, (_, row) -> new Object[] {row.account, row.id});
    Map<Long, LongSummaryStatistics> minutes =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> minute(row.created), Collectors.summarizingLong(Row::id)));
    for (Map.Entry<Long, LongSummaryStatistics> minute : minutes.entrySet()) {
      session.update(
          ListSql.ADD_TO_MINUTE,
          minute.getKey(),
          minute.getValue().getMin(),
          minute.getValue().getMax());
    }
    reached = rows.size() < BATCH ? lastRow.getAsLong() : rows.getLast().id;
    session.update(ListSql.MARK_INDEXED, reached);
    return null;
  }

  @Override
  public void beforeCommit() {}

  @Override
  public void committed() {
    through = reached;
    look();
  }

  @Override
  public void rolledBack() {
    reached = through;
    queued = false;
  }
}
