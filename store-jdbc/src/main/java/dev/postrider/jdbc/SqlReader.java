package dev.postrider.jdbc;

import dev.postrider.channel.Remembered;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.inbound.InboundPages;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.LanePages;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.message.MessageIndex;
import dev.postrider.jdbc.message.MessageIndex.Place;
import dev.postrider.jdbc.message.MessageWalk;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.PagePortion;
import dev.postrider.jdbc.session.ReadQuery;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Upload;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.ChatAlias;
import dev.postrider.store.message.DeadLetterGroups;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneBacklog;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.ReceiptCounts;
import dev.postrider.store.message.ReceiptState;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.WaitingHead;
import dev.postrider.store.message.WaitingHeads;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a store on a database, on one session. A database brings its statements and the way
 * it keeps ids; what is asked, and what is made of the answers, is the same for all.
 */
public abstract class SqlReader
    implements MessageWalk.Messages, LanePages.Lanes, InboundPages.Events {

  /** How many columns a whole event has. */
  public static final int EVENT_WIDTH = 18;

  private static final PagePortion.Columns LARGE_OF_EVENT = PagePortion.Columns.of(7);

  protected final JdbcSession session;

  protected SqlReader(JdbcSession session) {
    this.session = session;
  }

  // ---- what a database brings

  /** The statement that asks this. */
  protected abstract String sql(ReadQuery question);

  /**
   * The statement that asks this and gives no more rows than a page may have bytes, or than the
   * driver hands on one by one.
   */
  protected String bounded(ReadQuery question, PagePortion.Columns large) {
    return sql(question);
  }

  /** The columns of a whole message that can be large. */
  protected abstract PagePortion.Columns largeOfMessage();

  /** A message whole. */
  protected abstract StoredMessage message(ResultSet row) throws SQLException;

  /** An id, as a parameter. */
  protected abstract Object key(UUID id);

  protected abstract UUID id(ResultSet row, int column) throws SQLException;

  /** The account's number, or null if nothing was ever stored for it. */
  protected abstract @Nullable Integer number(String account) throws SQLException;

  protected abstract String account(int number) throws SQLException;

  /** What contents are stored under. */
  protected abstract ContentCipher cipher();

  public abstract List<HistoryEntry> history(MessageId id) throws SQLException;

  /** What each of these lanes waits with, in the order asked. */
  public abstract List<LaneBacklog> tops(List<Lane> lanes) throws SQLException;

  // ---- messages

  public Optional<StoredMessage> find(MessageId id) throws SQLException {
    return Optional.ofNullable(session.one(sql(ReadQuery.FIND), this::message, key(id.value())));
  }

  public Optional<StoredMessage> find(String account, String idempotencyKey) throws SQLException {
    Integer number = number(account);
    return number == null
        ? Optional.empty()
        : Optional.ofNullable(
            session.one(sql(ReadQuery.FIND_KEYED), this::message, number, idempotencyKey));
  }

  public static HistoryEntry historyEntry(ResultSet entry) throws SQLException {
    return new HistoryEntry(
        Values.instant(entry.getLong(1)),
        entry.getInt(2),
        entry.getInt(3),
        entry.getString(4),
        entry.getString(5),
        Values.nullableInstant(entry, 6));
  }

  // ---- lists of messages

  @Override
  public @Nullable Place skip(
      MessageIndex index, @Nullable Object key, Place from, int rows, MessageFilter filter)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    add(values, index, key, from);
    if (repeatsKey(index)) {
      values.add(key);
    }
    values.add(rows - 1);
    return session.one(
        sql(index.skip), row -> new Place(row.getLong(1), row.getLong(2)), values.toArray());
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
    List<@Nullable Object> values = new ArrayList<>();
    add(values, index, key, from);
    add(values, index, repeatsKey(index) ? key : null, to);
    values.add(statuses(filter.statuses()));
    values.add(filter.account() == null ? null : number(filter.account()));
    values.add(chat);
    values.add(filter.reason());
    values.add(filter.since() == null ? Long.MIN_VALUE : Values.micros(filter.since()));
    values.add(filter.until() == null ? Long.MAX_VALUE : Values.micros(filter.until()));
    values.add(limit);
    return portion(index.list, this::message, largeOfMessage(), values.toArray());
  }

  /** Whether the statements of this index name its key for each end of a stretch. */
  protected boolean repeatsKey(MessageIndex index) {
    return false;
  }

  private static void add(
      List<@Nullable Object> values, MessageIndex index, @Nullable Object key, Place place) {
    if (key instanceof List<?> several) {
      values.addAll(several);
    } else if (key != null) {
      values.add(key);
    }
    if (index.byTime()) {
      values.add(place.time());
    }
    values.add(place.row());
  }

  /** A bit for each. */
  private static int statuses(Set<Status> wanted) {
    int bits = 0;
    for (Status status : wanted) {
      bits |= 1 << Values.status(status);
    }
    return wanted.isEmpty() ? -1 : bits;
  }

  /** What such a list gives, up to the bytes of a page. */
  final <T> PagePortion<T> portion(
      ReadQuery question,
      JdbcSession.Mapper<T> mapper,
      PagePortion.Columns large,
      @Nullable Object... values)
      throws SQLException {
    return session.portion(bounded(question, large), mapper, large, values);
  }

  @Override
  public List<Long> sending() throws SQLException {
    return session.all(sql(ReadQuery.SENDING_ROWS), row -> row.getLong(1));
  }

  @Override
  public List<StoredMessage> keyed(@Nullable String account, String key) throws SQLException {
    List<StoredMessage> found = new ArrayList<>();
    for (int number : numbers(account)) {
      found.addAll(messages(ReadQuery.FIND_KEYED, number, key));
    }
    return found;
  }

  @Override
  public List<StoredMessage> claimed(@Nullable String account, String receipt) throws SQLException {
    List<StoredMessage> found = new ArrayList<>();
    for (int number : numbers(account)) {
      found.addAll(messages(ReadQuery.CLAIMED, number, key(Fingerprint.of(receipt))));
    }
    return found;
  }

  @Override
  public List<Integer> numbers(@Nullable String account) throws SQLException {
    if (account == null) {
      return session.all(sql(ReadQuery.ACCOUNTS), row -> row.getInt(1));
    }
    Integer number = number(account);
    return number == null ? List.of() : List.of(number);
  }

  public DeadLetterGroups deadLetterGroups(
      @Nullable String account,
      Set<Status> statuses,
      @Nullable Instant since,
      @Nullable Instant until,
      int most)
      throws SQLException {
    Integer number = account == null ? null : number(account);
    boolean complete = count(ReadQuery.COUNT_DEAD, most + 1) <= most;
    if (account != null && number == null) {
      return new DeadLetterGroups(List.of(), complete);
    }
    return new DeadLetterGroups(
        session.all(
            sql(ReadQuery.DEAD_GROUPS),
            this::deadLetterGroup,
            most,
            statuses(statuses),
            number,
            since == null ? Long.MIN_VALUE : Values.micros(since),
            until == null ? Long.MAX_VALUE : Values.micros(until)),
        complete);
  }

  private DeadLetterGroups.Group deadLetterGroup(ResultSet row) throws SQLException {
    return new DeadLetterGroups.Group(
        account(row.getInt(1)),
        Values.status(row.getInt(2)),
        row.getString(3),
        row.getString(4),
        row.getLong(5),
        row.getLong(6),
        Values.instant(row.getLong(7)),
        Values.instant(row.getLong(8)),
        new MessageId(id(row, 9)));
  }

  private List<StoredMessage> messages(ReadQuery question, @Nullable Object... values)
      throws SQLException {
    return session.all(sql(question), this::message, values);
  }

  // ---- what is due

  public List<Head> due(
      String account, Priority priority, Instant now, @Nullable Head after, int limit)
      throws SQLException {
    Integer number = number(account);
    if (number == null) {
      return List.of();
    }
    return session.all(
        sql(ReadQuery.DUE),
        row -> Values.head(row, 0, account),
        number,
        Values.priority(priority),
        Values.micros(now),
        after == null ? Long.MIN_VALUE : Values.micros(after.dueAt()),
        after == null ? 0L : after.row(),
        limit);
  }

  public Optional<Instant> nextDue(String account, Instant now) throws SQLException {
    return earliest(ReadQuery.NEXT_DUE, account, now);
  }

  public Optional<Instant> oldestDue(String account, Instant now) throws SQLException {
    return Stream.of(
            earliest(ReadQuery.OLDEST_DUE, account, now),
            earliest(ReadQuery.OLDEST_PAUSED, account, now))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private Optional<Instant> earliest(ReadQuery question, String account, Instant now)
      throws SQLException {
    Integer number = number(account);
    Instant earliest = null;
    if (number != null) {
      for (Priority priority : Priority.values()) {
        Instant found =
            session.one(
                sql(question),
                row -> Values.nullableInstant(row, 1),
                number,
                Values.priority(priority),
                Values.micros(now));
        if (found != null && (earliest == null || found.isBefore(earliest))) {
          earliest = found;
        }
      }
    }
    return Optional.ofNullable(earliest);
  }

  public WaitingHeads waitingHeads(String account, Instant now, int most) throws SQLException {
    WaitingHeads all = WaitingHeads.NONE;
    Integer number = number(account);
    if (number != null) {
      for (Priority priority : Priority.values()) {
        all = all.plus(waitingHeads(number, Values.priority(priority), Values.micros(now), most));
      }
    }
    return all;
  }

  private WaitingHeads waitingHeads(int account, int priority, long now, int most)
      throws SQLException {
    long due = count(ReadQuery.COUNT_DUE, account, priority, now, most);
    long paused = count(ReadQuery.COUNT_PAUSED, account, priority, most);
    WaitingHeads heads =
        session.one(
            sql(ReadQuery.COUNT_LATER),
            row -> {
              long later = row.getLong(1);
              long scheduled = row.getLong(2);
              boolean more = due == most || paused == most || later == most;
              return new WaitingHeads(due, paused, later - scheduled, scheduled, more);
            },
            account,
            priority,
            now,
            most);
    return heads == null ? WaitingHeads.NONE : heads;
  }

  public List<WaitingHead> waiting(String account, Instant now, int most) throws SQLException {
    List<WaitingHead> heads = new ArrayList<>();
    Integer number = number(account);
    if (number != null) {
      long at = Values.micros(now);
      for (Priority priority : Priority.values()) {
        int queue = Values.priority(priority);
        heads.addAll(heads(ReadQuery.WAITING, account, number, queue, Long.MIN_VALUE, at, most));
        heads.addAll(heads(ReadQuery.WAITING, account, number, queue, at, Long.MAX_VALUE, most));
        heads.addAll(heads(ReadQuery.WAITING_PAUSED, account, number, queue, most));
      }
    }
    return heads;
  }

  private List<WaitingHead> heads(ReadQuery question, String account, Object... values)
      throws SQLException {
    return session.all(
        sql(question),
        row ->
            new WaitingHead(
                new Lane(account, row.getString(9)),
                first(row, row.getBoolean(8)),
                question == ReadQuery.WAITING_PAUSED),
        values);
  }

  private long count(ReadQuery question, Object... values) throws SQLException {
    Long count = session.one(sql(question), row -> row.getLong(1), values);
    return count == null ? 0 : count;
  }

  /**
   * Of the first few to be accepted: those that had waited for their time may be younger than
   * others.
   */
  public Optional<Instant> oldestWaiting(String account) throws SQLException {
    Integer number = number(account);
    return number == null
        ? Optional.empty()
        : messages(ReadQuery.OLDEST_WAITING, number).stream()
            .map(StoredMessage::bornAt)
            .min(Comparator.naturalOrder());
  }

  public Optional<Instant> nextExpiry() throws SQLException {
    return Optional.ofNullable(
        session.one(sql(ReadQuery.NEXT_EXPIRY), row -> Values.nullableInstant(row, 1)));
  }

  public List<StoredMessage> interrupted(String account) throws SQLException {
    Integer number = number(account);
    return number == null ? List.of() : messages(ReadQuery.INTERRUPTED, number);
  }

  // ---- accounts, budgets, lanes

  public List<AccountState> states() throws SQLException {
    return session.all(sql(ReadQuery.ACCOUNTS), row -> Values.accountState(row, 1));
  }

  public List<Budget> budgets(Instant now) throws SQLException {
    return session.all(
        sql(ReadQuery.BUDGETS),
        row ->
            new Budget(
                row.getString(1), row.getLong(2), Values.instant(row.getLong(3)), row.getString(4)),
        Values.micros(now));
  }

  public Page<LaneView> lanes(LaneFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    return filter.byAge() && filter.chat() == null
        ? LanePages.byAge(this, filter, cursor, limit)
        : LanePages.byName(this, filter, cursor, limit);
  }

  @Override
  public List<LanePages.Name> sendingLanes() throws SQLException {
    return session.all(
        sql(ReadQuery.SENDING_LANES),
        row -> new LanePages.Name(account(row.getInt(1)), row.getString(2)));
  }

  @Override
  public List<LanePages.Aged> byAge(@Nullable String account, LanePages.Aged after, int limit)
      throws SQLException {
    Integer number = account == null ? null : number(account);
    return account != null && number == null
        ? List.of()
        : session.all(
            sql(ReadQuery.LANES_BY_AGE),
            row -> new LanePages.Aged(row.getLong(1), row.getInt(2), row.getString(3)),
            number,
            after.oldest(),
            after.account(),
            after.chat(),
            limit);
  }

  @Override
  public String nameOf(int account) throws SQLException {
    return account(account);
  }

  @Override
  public List<PausedLane> paused() throws SQLException {
    return session.all(
        sql(ReadQuery.PAUSED_LANES),
        row ->
            new PausedLane(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Values.instant(row.getLong(4))));
  }

  public List<ChatAlias> aliases() throws SQLException {
    return aliases(ReadQuery.CHAT_ALIASES);
  }

  public List<ChatAlias> toldAliases() throws SQLException {
    return aliases(ReadQuery.TOLD_ALIASES);
  }

  private List<ChatAlias> aliases(ReadQuery question) throws SQLException {
    return session.all(
        sql(question),
        row -> new ChatAlias(account(row.getInt(1)), row.getString(2), row.getString(3)));
  }

  @Override
  public List<String> accounts() throws SQLException {
    return states().stream().map(AccountState::account).toList();
  }

  @Override
  public @Nullable String after(String account, String chat) throws SQLException {
    Integer number = number(account);
    return number == null
        ? null
        : session.one(sql(ReadQuery.LANE_AFTER), row -> row.getString(1), number, chat);
  }

  @Override
  public boolean holds(String account, String chat) throws SQLException {
    return tops(List.of(new Lane(account, chat))).getFirst().first() != null;
  }

  @Override
  public LaneView view(String account, String chat, @Nullable PausedLane paused)
      throws SQLException {
    record LaneHead(MessageId id, Status status, Instant due) {}
    Integer number = number(account);
    LaneHead head =
        session.one(
            sql(ReadQuery.LANE_HEAD),
            row ->
                new LaneHead(
                    new MessageId(id(row, 1)),
                    Values.status(row.getInt(2)),
                    Values.instant(row.getLong(3))),
            number,
            chat);
    Long depth = session.one(sql(ReadQuery.LANE_DEPTH), row -> row.getLong(1), number, chat);
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

  /** Reads id, status, flags, created, due, tried, error from the first column on. */
  protected final LaneBacklog.First first(ResultSet row, boolean placed) throws SQLException {
    return new LaneBacklog.First(
        new MessageId(id(row, 1)),
        Values.status(row.getInt(2)),
        placed,
        (row.getInt(3) & Values.SCHEDULED) != 0,
        Values.instant(row.getLong(4)),
        Values.instant(row.getLong(5)),
        Values.nullableInstant(row, 6),
        row.getString(7));
  }

  // ---- media

  public static Blob blob(ResultSet row) throws SQLException {
    return new Blob(row.getString(1), row.getLong(2), row.getString(3));
  }

  public Optional<Upload> upload(String account, String hash, String variant) throws SQLException {
    return Optional.ofNullable(
        session.one(sql(ReadQuery.UPLOAD), SqlReader::upload, account, hash, variant));
  }

  public static Upload upload(ResultSet row) throws SQLException {
    return new Upload(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        Values.instant(row.getLong(5)));
  }

  // ---- what comes from platforms

  /**
   * An event whole: row, id, account, session, status, time, content; attempts, deaths, due time,
   * lease, handed out, ended, error; turn, its end; replay of, replayed as.
   */
  public final RawInbound rawEvent(ResultSet row) throws SQLException {
    HandlingState handling =
        new HandlingState(
            row.getInt(8),
            row.getInt(9),
            Values.instant(row.getLong(10)),
            nullableId(row, 11),
            Values.nullableInstant(row, 12),
            Values.nullableInstant(row, 13),
            row.getString(14),
            Values.nullableTurn(row, 15),
            Values.nullableInstant(row, 16));
    return new RawInbound(
        row.getLong(1),
        new InboundId(id(row, 2)),
        account(row.getInt(3)),
        row.getString(4),
        row.getInt(5),
        row.getLong(6),
        row.getBytes(7),
        handling,
        inboundId(row, 17),
        inboundId(row, EVENT_WIDTH),
        cipher());
  }

  public final StoredInbound event(ResultSet row) throws SQLException {
    return rawEvent(row).decode();
  }

  private @Nullable InboundId inboundId(ResultSet row, int column) throws SQLException {
    UUID id = nullableId(row, column);
    return id == null ? null : new InboundId(id);
  }

  private @Nullable UUID nullableId(ResultSet row, int column) throws SQLException {
    return row.getObject(column) == null ? null : id(row, column);
  }

  public Optional<StoredInbound> inbound(InboundId id) throws SQLException {
    return Optional.ofNullable(session.one(sql(ReadQuery.INBOUND), this::event, key(id.value())));
  }

  public Page<StoredInbound> inbound(InboundFilter filter, @Nullable String cursor, int limit)
      throws SQLException {
    return InboundPages.events(this, filter, cursor, limit);
  }

  /** Whole events, as a list asks for them. */
  final PagePortion<StoredInbound> events(ReadQuery question, @Nullable Object... values)
      throws SQLException {
    return portion(question, this::event, LARGE_OF_EVENT, values);
  }

  @Override
  public PagePortion<StoredInbound> ofSession(String name, long beforeRow, int limit)
      throws SQLException {
    return events(ReadQuery.LIST_INBOUND_OF_SESSION, sessionNow(name), beforeRow, limit);
  }

  /** The session that is meant by this name, if there is one. */
  final String sessionNow(String name) throws SQLException {
    String now = session.one(sql(ReadQuery.SESSION), row -> row.getString(1), name);
    return now == null ? name : now;
  }

  @Override
  public PagePortion<StoredInbound> ofAccount(String account, long beforeRow, int limit)
      throws SQLException {
    Integer number = number(account);
    return number == null
        ? PagePortion.none()
        : events(ReadQuery.LIST_INBOUND_OF_ACCOUNT, number, beforeRow, limit);
  }

  @Override
  public PagePortion<StoredInbound> events(long beforeRow, int limit) throws SQLException {
    return events(ReadQuery.LIST_INBOUND, beforeRow, limit);
  }

  @Override
  public PagePortion<StoredInbound> active(long beforeRow, int limit) throws SQLException {
    return events(ReadQuery.LIST_INBOUND_ACTIVE, beforeRow, limit);
  }

  @Override
  public PagePortion<StoredInbound> leased(long beforeRow, int limit) throws SQLException {
    return events(ReadQuery.LIST_INBOUND_LEASED, beforeRow, limit);
  }

  @Override
  public PagePortion<StoredInbound> deadEvents(long beforeRow, int limit) throws SQLException {
    return events(ReadQuery.LIST_INBOUND_DEAD, beforeRow, limit);
  }

  public Optional<String> cursor(String account) throws SQLException {
    Integer number = number(account);
    return number == null
        ? Optional.empty()
        : Optional.ofNullable(session.one(sql(ReadQuery.CURSOR), row -> row.getString(1), number));
  }

  public Optional<Remembered> remembered(
      String account, @Nullable String chat, String key, Instant now) throws SQLException {
    Integer number = number(account);
    String name = MemoryRow.chat(chat);
    return number == null
        ? Optional.empty()
        : Optional.ofNullable(
            session.one(
                sql(ReadQuery.MEMORY),
                row ->
                    new Remembered(
                        chat,
                        key,
                        MemoryRow.open(cipher(), account, key, row.getBytes(1)),
                        Values.nullableInstant(row, 2)),
                number,
                number,
                name,
                name,
                key,
                Values.micros(now)));
  }

  public ReceiptCounts countReceipts(@Nullable String account, int most) throws SQLException {
    ReceiptCounts all = ReceiptCounts.NONE;
    for (int number : numbers(account)) {
      for (DeliveryReport.State state : DeliveryReport.State.values()) {
        long count = count(ReadQuery.COUNT_RECEIPT_STATUS, number, Values.state(state), most);
        all = all.plus(state, count, most);
      }
    }
    return all;
  }

  public List<StoredMessage> toRetry(@Nullable Long after, int limit) throws SQLException {
    return messages(ReadQuery.TO_RETRY, after == null ? Long.MIN_VALUE : after, limit);
  }

  public List<ReceiptState> receipts(MessageId id) throws SQLException {
    return session.all(
        sql(ReadQuery.RECEIPTS),
        row -> {
          String receipt = row.getString(2);
          return new ReceiptState(row.getInt(1), receipt, Values.report(row, 2, receipt));
        },
        key(id.value()));
  }
}
