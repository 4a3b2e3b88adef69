package dev.postrider.sqlite.read;

import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.message.MessageIndex;
import dev.postrider.jdbc.message.MessageIndex.Place;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.sql.InboundFileSql;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.ListSql;
import dev.postrider.sqlite.sql.MemorySql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.sqlite.sql.ReminderSql;
import dev.postrider.sqlite.sql.RunSql;
import dev.postrider.sqlite.sql.TurnSql;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reads. A reader belongs to whoever took it from the pool. */
public final class SqliteReader extends SqlReader {
  private static final PagePortion.Columns LARGE_OF_MESSAGE = PagePortion.Columns.of(17, 22, 23);

  private final Accounts accounts;

  public SqliteReader(JdbcSession session, Accounts accounts) {
    super(session);
    this.accounts = accounts;
  }

  public void close() {
    session.close();
  }

  /** For what this class has no question for. */
  public JdbcSession session() {
    return session;
  }

  @Override
  protected String sql(ReadQuery question) {
    return switch (question) {
      case FIND -> MessageSql.BY_UID;
      case FIND_KEYED -> MessageSql.BY_KEY;
      case LIST_ALL -> ListSql.LIST_ALL;
      case SKIP_ALL -> ListSql.SKIP_ALL;
      case LIST_CHAT -> ListSql.LIST_CHAT;
      case SKIP_CHAT -> ListSql.SKIP_CHAT;
      case LIST_ACCOUNT -> ListSql.LIST_ACCOUNT;
      case SKIP_ACCOUNT -> ListSql.SKIP_ACCOUNT;
      case LIST_REASON,
          SKIP_REASON,
          LIST_CREATED,
          SKIP_CREATED,
          LIST_DEAD_OF_ACCOUNT,
          SKIP_DEAD_OF_ACCOUNT ->
          throw new IllegalArgumentException("no such index: " + question);
      case LIST_TURN -> ListSql.LIST_TURN;
      case SKIP_TURN -> ListSql.SKIP_TURN;
      case LIST_SESSION -> ListSql.LIST_SESSION;
      case SKIP_SESSION -> ListSql.SKIP_SESSION;
      case LIST_RUN -> ListSql.LIST_RUN;
      case SKIP_RUN -> ListSql.SKIP_RUN;
      case LIST_QUEUED -> ListSql.LIST_QUEUED;
      case SKIP_QUEUED -> ListSql.SKIP_QUEUED;
      case DEAD_GROUPS -> ListSql.DEAD_GROUPS;
      case COUNT_DEAD -> ListSql.COUNT_DEAD;
      case LIST_DEAD -> ListSql.LIST_DEAD;
      case SKIP_DEAD -> ListSql.SKIP_DEAD;
      case SENDING_ROWS -> ListSql.SENDING_ROWS;
      case CLAIMED -> ListSql.CLAIMED;
      case DUE -> MessageSql.DUE;
      case NEXT_DUE -> MessageSql.NEXT_DUE;
      case OLDEST_DUE -> MessageSql.OLDEST_DUE;
      case OLDEST_PAUSED -> MessageSql.OLDEST_PAUSED;
      case OLDEST_WAITING -> MessageSql.OLDEST_WAITING;
      case COUNT_DUE -> MessageSql.COUNT_DUE;
      case COUNT_PAUSED -> MessageSql.COUNT_PAUSED;
      case COUNT_LATER -> MessageSql.COUNT_LATER;
      case WAITING -> MessageSql.WAITING;
      case WAITING_PAUSED -> MessageSql.WAITING_PAUSED;
      case NEXT_EXPIRY -> MessageSql.NEXT_EXPIRY;
      case INTERRUPTED -> MessageSql.INTERRUPTED;
      case ACCOUNTS -> MessageSql.ALL_ACCOUNTS;
      case BUDGETS -> MessageSql.OPEN_BUDGETS;
      case PAUSED_LANES -> MessageSql.PAUSED_LANES;
      case CHAT_ALIASES -> MessageSql.CHAT_ALIASES;
      case TOLD_ALIASES -> MessageSql.TOLD_ALIASES;
      case LANE_AFTER -> MessageSql.LANE_AFTER;
      case SENDING_LANES -> ListSql.SENDING_LANES;
      case LANES_BY_AGE -> ListSql.LANES_BY_AGE;
      case LANE_HEAD -> MessageSql.LANE_HEAD;
      case LANE_DEPTH -> MessageSql.COUNT_LANE;
      case UPLOAD -> MessageSql.UPLOAD;
      case INBOUND -> InboundSql.EVENT_BY_UID;
      case LIST_INBOUND -> InboundSql.LIST_EVENTS;
      case LIST_INBOUND_OF_SESSION -> InboundSql.LIST_EVENTS_OF_SESSION;
      case LIST_INBOUND_OF_ACCOUNT -> InboundSql.LIST_EVENTS_OF_ACCOUNT;
      case LIST_INBOUND_ACTIVE -> InboundSql.LIST_ACTIVE_EVENTS;
      case LIST_INBOUND_LEASED -> InboundSql.LIST_LEASED_EVENTS;
      case LIST_INBOUND_DEAD -> InboundSql.LIST_DEAD_EVENTS;
      case CURSOR -> InboundSql.CURSOR;
      case RECEIPTS -> InboundSql.RECEIPTS;
      case MEMORY -> MemorySql.MEMORY;
      case LEASED -> InboundSql.LEASED;
      case LAPSED -> InboundSql.LAPSED;
      case NEXT_LAPSE -> InboundSql.NEXT_LAPSE;
      case NEXT_EVENT_DUE -> InboundSql.NEXT_EVENT_DUE;
      case INBOUND_FILES -> InboundFileSql.FILES;
      case INBOUND_NOTES -> InboundSql.NOTES_BY_UID;
      case UNFOLLOWED -> TurnSql.UNFOLLOWED;
      case SESSION -> TurnSql.SESSION_BY_NAME;
      case SESSIONS -> TurnSql.LIST_SESSIONS;
      case SESSIONS_OF_ACCOUNT -> TurnSql.LIST_SESSIONS_OF_ACCOUNT;
      case HEARD -> InboundSql.HEARD;
      case SAID -> TurnSql.SAID;
      case MINUTES -> TurnSql.MINUTES;
      case AUDIT -> TurnSql.AUDIT;
      case REMINDER -> ReminderSql.REMINDER_BY_UID;
      case REMINDERS -> ReminderSql.LIST_REMINDERS;
      case REMINDERS_OF_ACCOUNT -> ReminderSql.LIST_REMINDERS_OF_ACCOUNT;
      case REMINDER_TARGETS -> ReminderSql.TARGETS;
      case REMINDERS_DUE -> ReminderSql.REMINDERS_DUE;
      case NEXT_FIRE -> ReminderSql.NEXT_FIRE;
      case RUN -> RunSql.RUN_BY_UID;
      case RUNS -> RunSql.LIST_RUNS;
      case RUNS_OF_REMINDER -> RunSql.LIST_RUNS_OF_REMINDER;
      case RUNS_OF_STATUS -> RunSql.LIST_RUNS_OF_STATUS;
      case ACTIVE_RUNS -> RunSql.ACTIVE_RUNS;
      case GOING_RUN -> RunSql.GOING_RUN;
      case RUN_ACCOUNTS -> RunSql.RUN_ACCOUNTS;
      case COUNT_REASONS -> RunSql.COUNT_REASONS;
      case COUNT_TARGETS -> RunSql.COUNT_TARGETS;
      case COUNT_LEFT -> RunSql.COUNT_LEFT;
      case PENDING_TARGETS -> RunSql.PENDING_TARGETS;
      case SENDING_TARGETS -> RunSql.SENDING_TARGETS;
      case RUN_REPORTS -> RunSql.RUN_REPORTS;
      case TO_RETRY -> ListSql.TO_RETRY;
      case LIST_RECEIPT_STATUS -> ListSql.LIST_RECEIPT_STATUS;
      case SKIP_RECEIPT_STATUS -> ListSql.SKIP_RECEIPT_STATUS;
      case COUNT_RECEIPT_STATUS -> ListSql.COUNT_RECEIPT_STATUS;
      case RUN_TARGETS -> RunSql.RUN_TARGETS;
      case RUN_TARGETS_OF_STATUS -> RunSql.RUN_TARGETS_OF_STATUS;
      case RUN_TARGETS_OF_REASON -> RunSql.RUN_TARGETS_OF_REASON;
      case SENT_ON -> RunSql.SENT_ON;
    };
  }

  @Override
  protected StoredMessage message(ResultSet row) throws SQLException {
    return Rows.message(row, accounts);
  }

  @Override
  protected PagePortion.Columns largeOfMessage() {
    return LARGE_OF_MESSAGE;
  }

  @Override
  protected Object key(UUID id) {
    return Rows.bytes(id);
  }

  @Override
  protected UUID id(ResultSet row, int column) throws SQLException {
    return Rows.uuid(row.getBytes(column));
  }

  @Override
  protected @Nullable Integer number(String account) {
    return accounts.id(account);
  }

  @Override
  protected String account(int number) {
    return accounts.name(number);
  }

  @Override
  protected ContentCipher cipher() {
    return accounts.cipher();
  }

  // Rows that the indexes behind the writer do not know yet are walked themselves; see
  // BehindIndexes.

  private static final Set<MessageIndex> BEHIND =
      EnumSet.of(MessageIndex.CHAT, MessageIndex.ACCOUNT);

  private static final Set<MessageIndex> BY_TIME =
      EnumSet.of(MessageIndex.EXPIRY, MessageIndex.DEAD);

  @Override
  public boolean has(MessageIndex index) {
    return index != MessageIndex.REASON
        && index != MessageIndex.CREATED
        && index != MessageIndex.DEAD_OF_ACCOUNT;
  }

  @Override
  public @Nullable Place skip(
      MessageIndex index, @Nullable Object key, Place from, int rows, MessageFilter filter)
      throws SQLException {
    if (BY_TIME.contains(index)) {
      return super.skip(index, key, from, rows, filter);
    }
    long indexed = indexed();
    boolean beyond = from.row() > indexed + 1;
    if (!beyond && from.row() > lastUntil(filter) + 1) {
      return new Place(0, lastUntil(filter) + 1); // none in between is old enough
    }
    Place further =
        beyond && BEHIND.contains(index)
            ? super.skip(MessageIndex.ROWS, null, from, rows, filter)
            : super.skip(index, key, from, rows, filter);
    return beyond && (further == null || further.row() <= indexed)
        ? new Place(0, indexed + 1)
        : further;
  }

  @Override
  public PagePortion<StoredMessage> between(
      MessageIndex index,
      @Nullable Object key,
      Place from,
      Place to,
      MessageFilter filter,
      @Nullable String chat,
      int limit)
      throws SQLException {
    if (BY_TIME.contains(index)) {
      return super.between(index, key, from, to, filter, chat, limit);
    }
    boolean beyond = from.row() > indexed() + 1;
    long upper = beyond ? from.row() : Math.min(from.row(), lastUntil(filter) + 1);
    long lower = Math.max(to.row(), firstSince(filter));
    if (upper <= lower) {
      return PagePortion.none(); // all are too new, or too old
    }
    boolean itself = beyond && BEHIND.contains(index);
    return super.between(
        itself ? MessageIndex.ROWS : index,
        itself ? null : key,
        new Place(0, upper),
        new Place(0, lower),
        filter,
        chat,
        limit);
  }

  private long indexed() throws SQLException {
    Long through = session.one(ListSql.INDEXED, row -> row.getLong(1));
    return through == null ? 0 : through;
  }

  /** The last indexed row that may be old enough. */
  private long lastUntil(MessageFilter filter) throws SQLException {
    Instant until = filter.until();
    return until == null
        ? Long.MAX_VALUE - 1
        : one(ListSql.LAST_UNTIL, LateIndexes.minute(Values.micros(until)));
  }

  /** The first indexed row that may be new enough. */
  private long firstSince(MessageFilter filter) throws SQLException {
    Instant since = filter.since();
    return since == null
        ? Long.MIN_VALUE
        : one(ListSql.FIRST_SINCE, LateIndexes.minute(Values.micros(since)));
  }

  private long one(String sql, long minute) throws SQLException {
    Long row = session.one(sql, found -> found.getLong(1), minute);
    return row == null ? 0 : row;
  }

  @Override
  public List<HistoryEntry> history(MessageId id) throws SQLException {
    Long row = session.one(MessageSql.BY_UID, found -> found.getLong(1), (Object) Rows.uid(id));
    return row == null ? List.of() : session.all(MessageSql.HISTORY, SqlReader::historyEntry, row);
  }

  @Override
  public List<LaneBacklog> tops(List<Lane> lanes) throws SQLException {
    List<LaneBacklog> tops = new ArrayList<>(lanes.size());
    for (Lane lane : lanes) {
      Integer number = number(lane.account());
      LaneBacklog.First first =
          number == null
              ? null
              : session.one(MessageSql.LANE_TOP, row -> first(row, true), number, lane.chat());
      if (first == null && number != null) {
        first = session.one(MessageSql.LANE_LOOSE, row -> first(row, false), number, lane.chat());
      }
      PausedLane paused =
          session.one(
              MessageSql.LANE_PAUSE,
              row ->
                  new PausedLane(
                      lane.account(),
                      lane.chat(),
                      row.getString(1),
                      Values.instant(row.getLong(2))),
              lane.account(),
              lane.chat());
      tops.add(new LaneBacklog(lane, first, paused));
    }
    return tops;
  }

  /**
   * Counts in one snapshot.
   *
   * @param fixed told when the snapshot is taken
   */
  public List<QueueDepth> depths(Runnable fixed) throws SQLException {
    session.update("BEGIN");
    try {
      session.one(MessageSql.LAST_ROW, row -> row.getLong(1)); // the first read fixes what is seen
      fixed.run();
      return count();
    } finally {
      session.update("COMMIT");
    }
  }

  private List<QueueDepth> count() throws SQLException {
    Map<String, QueueDepth> depths = new TreeMap<>();
    session.all(
        MessageSql.COUNT,
        row -> {
          QueueDepth count =
              new QueueDepth(
                  accounts.name(row.getInt(1)),
                  row.getLong(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5));
          return depths.merge(
              count.account(),
              count,
              (one, other) ->
                  new QueueDepth(
                      one.account(),
                      one.active() + other.active(),
                      one.deadLetters() + other.deadLetters(),
                      one.waiting() + other.waiting(),
                      one.deadEvents() + other.deadEvents()));
        });
    return List.copyOf(depths.values());
  }
}
