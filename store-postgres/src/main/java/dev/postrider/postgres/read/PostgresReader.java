package dev.postrider.postgres.read;

import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.message.MessageIndex;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.sql.InboundFileSql;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.ListSql;
import dev.postrider.postgres.sql.MemorySql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.ReminderSql;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The reads, on one connection of the pool. */
public final class PostgresReader extends SqlReader {
  private static final PagePortion.Columns LARGE_OF_MESSAGE = PagePortion.Columns.of(14, 19, 20);
  private static final Map<ReadQuery, String> BOUNDED = new ConcurrentHashMap<>();

  private final Accounts accounts;

  public PostgresReader(JdbcSession session, Accounts accounts) {
    super(session);
    this.accounts = accounts;
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
      case LIST_ACCOUNT, SKIP_ACCOUNT ->
          throw new IllegalArgumentException("accounts are walked by time");
      case LIST_TURN -> ListSql.LIST_TURN;
      case SKIP_TURN -> ListSql.SKIP_TURN;
      case LIST_SESSION -> ListSql.LIST_SESSION;
      case SKIP_SESSION -> ListSql.SKIP_SESSION;
      case LIST_RUN -> ListSql.LIST_RUN;
      case SKIP_RUN -> ListSql.SKIP_RUN;
      case LIST_REASON -> ListSql.LIST_REASON;
      case SKIP_REASON -> ListSql.SKIP_REASON;
      case LIST_CREATED -> ListSql.LIST_CREATED;
      case SKIP_CREATED -> ListSql.SKIP_CREATED;
      case LIST_QUEUED -> ListSql.LIST_QUEUED;
      case SKIP_QUEUED -> ListSql.SKIP_QUEUED;
      case DEAD_GROUPS -> ListSql.DEAD_GROUPS;
      case COUNT_DEAD -> ListSql.COUNT_DEAD;
      case LIST_DEAD -> ListSql.LIST_DEAD;
      case SKIP_DEAD -> ListSql.SKIP_DEAD;
      case LIST_DEAD_OF_ACCOUNT -> ListSql.LIST_DEAD_OF_ACCOUNT;
      case SKIP_DEAD_OF_ACCOUNT -> ListSql.SKIP_DEAD_OF_ACCOUNT;
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
      case LIST_INBOUND_ACTIVE -> TurnSql.LIST_ACTIVE;
      case LIST_INBOUND_LEASED -> TurnSql.LIST_LEASED;
      case LIST_INBOUND_DEAD -> InboundSql.LIST_EVENTS_DEAD;
      case CURSOR -> InboundSql.CURSOR;
      case RECEIPTS -> InboundSql.RECEIPTS;
      case MEMORY -> MemorySql.MEMORY;
      case LEASED -> TurnSql.LEASED;
      case LAPSED -> TurnSql.LAPSED;
      case NEXT_LAPSE -> TurnSql.NEXT_LAPSE;
      case NEXT_EVENT_DUE -> TurnSql.NEXT_EVENT_DUE;
      case INBOUND_FILES -> InboundFileSql.FILES;
      case INBOUND_NOTES -> TurnSql.NOTES;
      case UNFOLLOWED -> TurnSql.UNFOLLOWED;
      case SESSION -> SessionSql.SESSION;
      case SESSIONS -> SessionSql.SESSIONS;
      case SESSIONS_OF_ACCOUNT -> SessionSql.SESSIONS_OF_ACCOUNT;
      case HEARD -> InboundSql.HEARD;
      case SAID -> SessionSql.SAID;
      case MINUTES -> SessionSql.MINUTES;
      case AUDIT -> SessionSql.AUDIT;
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

  /** The driver reads all rows before it gives the first. */
  @Override
  protected String bounded(ReadQuery question, PagePortion.Columns large) {
    return BOUNDED.computeIfAbsent(question, _ -> large.bounding(sql(question)));
  }

  @Override
  protected PagePortion.Columns largeOfMessage() {
    return LARGE_OF_MESSAGE;
  }

  @Override
  public boolean has(MessageIndex index) {
    return index != MessageIndex.ACCOUNT;
  }

  @Override
  protected boolean repeatsKey(MessageIndex index) {
    return index == MessageIndex.CHAT;
  }

  @Override
  protected StoredMessage message(ResultSet row) throws SQLException {
    return Rows.message(row, accounts);
  }

  @Override
  protected Object key(UUID id) {
    return id;
  }

  @Override
  protected UUID id(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  protected @Nullable Integer number(String account) throws SQLException {
    return accounts.id(account);
  }

  @Override
  protected String account(int number) throws SQLException {
    return accounts.name(number);
  }

  @Override
  protected ContentCipher cipher() {
    return accounts.cipher();
  }

  @Override
  public List<HistoryEntry> history(MessageId id) throws SQLException {
    return session.all(MessageSql.HISTORY, SqlReader::historyEntry, id.value());
  }

  @Override
  public List<LaneBacklog> tops(List<Lane> lanes) throws SQLException {
    String[] chats = lanes.stream().map(Lane::chat).toArray(String[]::new);
    @Nullable Integer[] numbers = new Integer[chats.length];
    for (int i = 0; i < chats.length; i++) {
      numbers[i] = number(lanes.get(i).account());
    }
    Iterator<Lane> asked = lanes.iterator();
    return session.all(MessageSql.LANE_TOPS, row -> top(row, asked.next()), numbers, chats);
  }

  private LaneBacklog top(ResultSet row, Lane lane) throws SQLException {
    String reason = row.getString(9);
    return new LaneBacklog(
        lane,
        row.getObject(1) == null ? null : first(row, row.getBoolean(8)),
        reason == null
            ? null
            : new PausedLane(lane.account(), lane.chat(), reason, Values.instant(row.getLong(10))));
  }

  /** The message, not decoded yet, or null. */
  public @Nullable RawMessage raw(MessageId id) throws SQLException {
    return session.one(MessageSql.BY_UID, row -> Rows.raw(row, accounts), id.value());
  }

  public List<QueueDepth> depths() throws SQLException {
    return session.all(
        MessageSql.DEPTHS,
        row ->
            new QueueDepth(
                row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5)));
  }
}
