package dev.postrider.sqlite;

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
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reads. A reader belongs to whoever took it from the pool. */
final class Reader {
  /** Rows looked at for one page of a list, whatever the filter. */
  private static final int PAGE_WORK = 2_000;

  private static final char SEPARATOR = '\u0000';
  private static final Comparator<String> CODE_POINTS =
      (one, other) -> Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

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
    return session.all(
        Sql.HISTORY,
        entry ->
            new HistoryEntry(
                Rows.instant(entry.getLong(1)),
                entry.getInt(2),
                entry.getInt(3),
                entry.getString(4),
                entry.getString(5),
                Rows.nullableInstant(entry, 6)),
        row);
  }

  /**
   * Walks the index that fits the filter best, and drops what the filter does not want on the way.
   */
  Page<StoredMessage> list(MessageFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    Cursor from = Cursor.parse(cursor);
    int work = Math.max(PAGE_WORK, limit);
    Set<Status> wanted = filter.statuses();
    Session.Mapper<StoredMessage> message = row -> Rows.message(row, accounts);
    List<StoredMessage> walked;
    boolean byEnd = false;
    boolean byExpiry = false;
    if (filter.turnId() != null) {
      walked = session.all(Sql.LIST_TURN, message, filter.turnId(), from.row, work);
    } else if (wanted.equals(Set.of(Status.QUEUED))) {
      byExpiry = true;
      walked = session.all(Sql.LIST_QUEUED, message, from.time, from.row, work);
    } else if (wanted.equals(Set.of(Status.SENDING))) {
      walked =
          session.all(Sql.LIST_SENDING, message).stream()
              .filter(found -> found.row() < from.row)
              .sorted(Comparator.comparing(StoredMessage::row).reversed())
              .toList();
    } else if (!wanted.isEmpty()
        && EnumSet.of(Status.FAILED, Status.EXPIRED, Status.HELD).containsAll(wanted)) {
      byEnd = true;
      walked = session.all(Sql.LIST_DEAD, message, from.time, from.row, work);
    } else {
      walked = session.all(Sql.LIST_ALL, message, from.row, work);
    }
    List<StoredMessage> items = new ArrayList<>(limit);
    StoredMessage last = null;
    int seen = 0;
    for (StoredMessage candidate : walked) {
      if (items.size() == limit) {
        break;
      }
      seen++;
      last = candidate;
      if (matches(filter, candidate)) {
        items.add(candidate);
      }
    }
    boolean more = seen < walked.size() || walked.size() == work;
    return new Page<>(items, last == null || !more ? null : Cursor.after(last, byEnd, byExpiry));
  }

  private static boolean matches(MessageFilter filter, StoredMessage message) {
    return (filter.statuses().isEmpty() || filter.statuses().contains(message.status()))
        && (filter.account() == null || filter.account().equals(message.message().account()))
        && (filter.chat() == null || filter.chat().equals(message.message().to()))
        && (filter.turnId() == null || filter.turnId().equals(message.message().turnId()))
        && (filter.reason() == null || filter.reason().equals(message.reason()));
  }

  /** Where a list goes on: a time, if the index walked leads with one, and a row. */
  private record Cursor(long time, long row) {
    static Cursor parse(@Nullable String text) {
      if (text == null) {
        return new Cursor(Long.MAX_VALUE, Long.MAX_VALUE);
      }
      String[] numbers = text.split("-", -1);
      try {
        return new Cursor(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException("'" + text + "' is not a cursor of this list", e);
      }
    }

    static String after(StoredMessage last, boolean byEnd, boolean byExpiry) {
      Instant ended = last.endedAt();
      long time =
          byEnd && ended != null
              ? Rows.micros(ended)
              : byExpiry ? Rows.micros(last.expiresAt()) : 0;
      return time + "-" + last.row();
    }
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
        row -> Rows.head(row, account),
        id,
        Rows.priority(priority),
        Rows.micros(now),
        after == null ? Long.MIN_VALUE : Rows.micros(after.dueAt()),
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
                row -> Rows.nullableInstant(row, 1),
                id,
                Rows.priority(priority),
                Rows.micros(now));
        if (found != null && (earliest == null || found.isBefore(earliest))) {
          earliest = found;
        }
      }
    }
    return Optional.ofNullable(earliest);
  }

  Optional<Instant> nextExpiry() throws SQLException {
    return Optional.ofNullable(session.one(Sql.NEXT_EXPIRY, row -> Rows.nullableInstant(row, 1)));
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
                Rows.nullableInstant(row, 5)));
  }

  List<Budget> budgets(Instant now) throws SQLException {
    return session.all(
        Sql.OPEN_BUDGETS,
        row ->
            new Budget(
                row.getString(1), row.getLong(2), Rows.instant(row.getLong(3)), row.getString(4)),
        Rows.micros(now));
  }

  List<PausedLane> pausedLanes() throws SQLException {
    return session.all(
        Sql.PAUSED_LANES,
        row ->
            new PausedLane(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Rows.instant(row.getLong(4))));
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

  /**
   * Lanes by account and chat: those that hold messages, and those that are paused. Both are walked
   * in SQLite's order, which is that of the characters' code points.
   */
  Page<LaneView> lanes(@Nullable String account, @Nullable String cursor, int limit)
      throws SQLException {
    Map<String, TreeMap<String, PausedLane>> paused = new HashMap<>();
    for (PausedLane lane : pausedLanes()) {
      paused
          .computeIfAbsent(lane.account(), _ -> new TreeMap<>(CODE_POINTS))
          .put(lane.chat(), lane);
    }
    List<String> names =
        account != null
            ? List.of(account)
            : accounts().stream().map(AccountState::account).sorted(CODE_POINTS).toList();
    int split = cursor == null ? -1 : cursor.indexOf(SEPARATOR);
    String fromAccount = cursor == null || split < 0 ? "" : cursor.substring(0, split);
    String fromChat = cursor == null || split < 0 ? "" : cursor.substring(split + 1);
    List<LaneView> items = new ArrayList<>();
    for (String name : names) {
      Integer id = accounts.id(name);
      int place = CODE_POINTS.compare(name, fromAccount);
      if (id == null || place < 0) {
        continue;
      }
      TreeMap<String, PausedLane> stopped = paused.getOrDefault(name, new TreeMap<>(CODE_POINTS));
      for (String chat = laneAfter(id, place == 0 ? fromChat : "", stopped);
          chat != null;
          chat = laneAfter(id, chat, stopped)) {
        if (items.size() == limit) {
          LaneView last = items.getLast();
          return new Page<>(items, last.account() + SEPARATOR + last.chat());
        }
        items.add(lane(id, name, chat, stopped.get(chat)));
      }
    }
    return new Page<>(items, null);
  }

  private @Nullable String laneAfter(int id, String chat, TreeMap<String, PausedLane> paused)
      throws SQLException {
    String stored = session.one(Sql.LANE_AFTER, row -> row.getString(1), id, chat);
    String stopped = paused.higherKey(chat);
    if (stored == null || stopped == null) {
      return stored == null ? stopped : stored;
    }
    return CODE_POINTS.compare(stored, stopped) <= 0 ? stored : stopped;
  }

  private LaneView lane(int id, String account, String chat, @Nullable PausedLane paused)
      throws SQLException {
    record LaneHead(MessageId id, Status status, Instant due) {}
    LaneHead head =
        session.one(
            Sql.LANE_HEAD,
            row ->
                new LaneHead(
                    Rows.id(row.getBytes(1)),
                    Rows.status(row.getInt(2)),
                    Rows.instant(row.getLong(3))),
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
