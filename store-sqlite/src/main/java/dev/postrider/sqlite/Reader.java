package dev.postrider.sqlite;

import dev.postrider.jdbc.Lists;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.pace.Budget;
import dev.postrider.store.AccountState;
import dev.postrider.store.Depth;
import dev.postrider.store.Head;
import dev.postrider.store.LaneView;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.PausedLane;
import dev.postrider.store.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reads. A reader belongs to whoever took it from the pool. */
final class Reader implements Lists.Messages {
  private final Session session;
  private final Accounts accounts;

  Reader(Session session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  void close() {
    session.close();
  }

  // ---- messages

  Optional<StoredMessage> find(MessageId id) throws SQLException {
    return Optional.ofNullable(
        session.one(Sql.BY_UID, row -> Rows.message(row, accounts), (Object) Rows.uid(id)));
  }

  List<HistoryEntry> history(MessageId id) throws SQLException {
    Long row = session.one(Sql.BY_UID, found -> found.getLong(1), (Object) Rows.uid(id));
    if (row == null) {
      return List.of();
    }
    return session.all(Sql.HISTORY, Reader::historyEntry, row);
  }

  static HistoryEntry historyEntry(ResultSet entry) throws SQLException {
    return new HistoryEntry(
        Values.instant(entry.getLong(1)),
        entry.getInt(2),
        entry.getInt(3),
        entry.getString(4),
        entry.getString(5),
        Values.nullableInstant(entry, 6));
  }

  /** For what this class has no question for. */
  Session session() {
    return session;
  }

  Page<StoredMessage> list(MessageFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    return Lists.messages(this, filter, cursor, limit);
  }

  @Override
  public List<StoredMessage> ofTurn(String turn, long beforeRow, int limit) throws SQLException {
    return walk(Sql.LIST_TURN, turn, beforeRow, limit);
  }

  @Override
  public List<StoredMessage> queued(long beforeTime, long beforeRow, int limit)
      throws SQLException {
    return walk(Sql.LIST_QUEUED, beforeTime, beforeRow, limit);
  }

  @Override
  public List<StoredMessage> sending() throws SQLException {
    return walk(Sql.LIST_SENDING);
  }

  @Override
  public List<StoredMessage> dead(long beforeTime, long beforeRow, int limit) throws SQLException {
    return walk(Sql.LIST_DEAD, beforeTime, beforeRow, limit);
  }

  @Override
  public List<StoredMessage> all(long beforeRow, int limit) throws SQLException {
    return walk(Sql.LIST_ALL, beforeRow, limit);
  }

  private List<StoredMessage> walk(String sql, Object... values) throws SQLException {
    return session.all(sql, row -> Rows.message(row, accounts), values);
  }

  // ---- what is due

  List<Head> due(String account, Priority priority, Instant now, @Nullable Head after, int limit)
      throws SQLException {
    Integer id = accounts.id(account);
    if (id == null) {
      return List.of();
    }
    return session.all(
        Sql.DUE,
        row -> Values.head(row, account),
        id,
        Values.priority(priority),
        Values.micros(now),
        after == null ? Long.MIN_VALUE : Values.micros(after.dueAt()),
        after == null ? 0L : after.row(),
        limit);
  }

  Optional<Instant> nextDue(String account, Instant now) throws SQLException {
    return earliest(Sql.NEXT_DUE, account, now);
  }

  Optional<Instant> oldestDue(String account, Instant now) throws SQLException {
    return earliest(Sql.OLDEST_DUE, account, now);
  }

  private Optional<Instant> earliest(String sql, String account, Instant now) throws SQLException {
    Integer id = accounts.id(account);
    Instant earliest = null;
    if (id != null) {
      for (Priority priority : Priority.values()) {
        Instant found =
            session.one(
                sql,
                row -> Values.nullableInstant(row, 1),
                id,
                Values.priority(priority),
                Values.micros(now));
        if (found != null && (earliest == null || found.isBefore(earliest))) {
          earliest = found;
        }
      }
    }
    return Optional.ofNullable(earliest);
  }

  Optional<Instant> nextExpiry() throws SQLException {
    return Optional.ofNullable(session.one(Sql.NEXT_EXPIRY, row -> Values.nullableInstant(row, 1)));
  }

  List<StoredMessage> interrupted(String account) throws SQLException {
    Integer id = accounts.id(account);
    return id == null
        ? List.of()
        : session.all(Sql.INTERRUPTED, row -> Rows.message(row, accounts), id);
  }

  // ---- accounts, budgets, lanes

  List<AccountState> accounts() throws SQLException {
    return session.all(
        Sql.ALL_ACCOUNTS,
        row ->
            new AccountState(
                row.getString(2),
                row.getString(3),
                row.getString(4),
                Values.nullableInstant(row, 5)));
  }

  List<Budget> budgets(Instant now) throws SQLException {
    return session.all(
        Sql.OPEN_BUDGETS,
        row ->
            new Budget(
                row.getString(1), row.getLong(2), Values.instant(row.getLong(3)), row.getString(4)),
        Values.micros(now));
  }

  List<PausedLane> pausedLanes() throws SQLException {
    return session.all(
        Sql.PAUSED_LANES,
        row ->
            new PausedLane(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Values.instant(row.getLong(4))));
  }

  /**
   * Counts in one snapshot.
   *
   * @param fixed told when the snapshot is taken
   */
  List<Depth> depths(Runnable fixed) throws SQLException {
    session.update("BEGIN");
    try {
      session.one(Sql.LAST_ROW, row -> row.getLong(1)); // the first read fixes what is seen
      fixed.run();
      return count();
    } finally {
      session.update("COMMIT");
    }
  }

  private List<Depth> count() throws SQLException {
    Map<String, Depth> depths = new TreeMap<>();
    session.all(
        Sql.COUNT,
        row -> {
          Depth count = new Depth(accounts.name(row.getInt(1)), row.getLong(2), row.getLong(3));
          return depths.merge(
              count.account(),
              count,
              (one, other) ->
                  new Depth(
                      one.account(),
                      one.active() + other.active(),
                      one.deadLetters() + other.deadLetters()));
        });
    return List.copyOf(depths.values());
  }

  // ---- lanes

  Page<LaneView> lanes(@Nullable String account, @Nullable String cursor, int limit)
      throws SQLException {
    return Lists.lanes(new Lanes(), account, cursor, limit);
  }

  private final class Lanes implements Lists.Lanes {
    @Override
    public List<PausedLane> paused() throws SQLException {
      return pausedLanes();
    }

    @Override
    public List<String> accounts() throws SQLException {
      return Reader.this.accounts().stream().map(AccountState::account).toList();
    }

    @Override
    public @Nullable String after(String account, String chat) throws SQLException {
      Integer id = accounts.id(account);
      return id == null ? null : session.one(Sql.LANE_AFTER, row -> row.getString(1), id, chat);
    }

    @Override
    public LaneView view(String account, String chat, @Nullable PausedLane paused)
        throws SQLException {
      record LaneHead(MessageId id, Status status, Instant due) {}
      Integer id = accounts.id(account);
      LaneHead head =
          session.one(
              Sql.LANE_HEAD,
              row ->
                  new LaneHead(
                      Rows.id(row.getBytes(1)),
                      Values.status(row.getInt(2)),
                      Values.instant(row.getLong(3))),
              id,
              chat);
      Long depth = session.one(Sql.COUNT_LANE, row -> row.getLong(1), id, chat);
      return new LaneView(
          account,
          chat,
          depth == null ? 0 : depth,
          paused != null,
          paused == null ? null : paused.reason(),
          head == null ? null : head.id,
          head == null ? null : head.status,
          head == null ? null : head.due);
    }
  }
}
