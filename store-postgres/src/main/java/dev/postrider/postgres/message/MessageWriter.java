package dev.postrider.postgres.message;

import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.EndReason;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.inbound.MessageEndEffects;
import dev.postrider.postgres.inbound.SessionRows;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.store.PruneResult;
import dev.postrider.store.Retention;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rare writes, each in a transaction of its own. They may change lanes of any account, whoever
 * owns it: under the lock of the account's row, like the owner itself, and the owner is told.
 */
public final class MessageWriter {
  private static final int HEAD_WIDTH = 6; // as many columns as Values.head reads

  private record Row(long id, int account) {}

  private final Accounts accounts;

  public MessageWriter(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- ending what was not sent

  public List<EndedMessage> expire(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      Instant now,
      int limit)
      throws SQLException {
    List<Row> rows =
        session.all(
            MessageSql.EXPIRING,
            row -> new Row(row.getLong(1), row.getInt(2)),
            Values.micros(now),
            limit);
    return end(
        session,
        columns,
        sideEffects,
        rows,
        new Why(
            Status.EXPIRED, EndReason.EXPIRED.label(), "its time was over before it could be sent"),
        now);
  }

  public List<EndedMessage> failQueued(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      String account,
      String reason,
      Instant now,
      int limit)
      throws SQLException {
    Integer id = accounts.id(account);
    if (id == null) {
      return List.of();
    }
    List<Row> rows =
        session.all(MessageSql.QUEUED_OF_ACCOUNT, row -> new Row(row.getLong(1), id), id, limit);
    return end(
        session,
        columns,
        sideEffects,
        rows,
        new Why(Status.FAILED, reason, "account '" + account + "' is not configured"),
        now);
  }

  /** How messages end that were not sent. */
  private record Why(Status status, @Nullable String reason, @Nullable String error) {}

  private static void lock(JdbcSession session, BatchColumns columns, List<Row> rows)
      throws SQLException {
    List<Integer> touched = List.copyOf(new TreeSet<>(rows.stream().map(Row::account).toList()));
    session.all(MessageSql.LOCK_ACCOUNTS, _ -> null, columns.ints(touched, id -> id));
  }

  /** Ends those that are queued still, all at once; gives them in the order of the rows. */
  private List<EndedMessage> end(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      List<Row> rows,
      Why why,
      Instant now)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    lock(session, columns, rows);
    Map<Long, RawMessage> gone = new HashMap<>();
    Map<LaneTails.Name, Long> heads = new LinkedHashMap<>(); // the row that was its lane's head
    session.all(
        MessageSql.END_QUEUED,
        row -> {
          RawMessage raw = Rows.raw(row, accounts);
          int account = row.getInt(3);
          gone.put(raw.row(), raw);
          if (row.getObject(MessageSql.MESSAGE_WIDTH + 1) != null
              && row.getInt(MessageSql.MESSAGE_WIDTH + 2) != LanePauses.BEHIND) {
            heads.put(new LaneTails.Name(account, raw.chat()), raw.row());
          }
          if (!row.getBoolean(MessageSql.MESSAGE_WIDTH + 3)) { // an arrival is not counted yet
            sideEffects.messageEnded(account);
          }
          if (why.status.deadLetter()) {
            sideEffects.deadLetterAdded(account);
          }
          return raw;
        },
        columns.longs(rows, Row::id),
        Values.status(why.status),
        Values.micros(now),
        why.error,
        why.reason);
    Map<Long, Head> next = promote(session, columns, sideEffects, heads, now);
    List<EndedMessage> all = new ArrayList<>(gone.size());
    for (Row row : rows) {
      RawMessage raw = gone.get(row.id);
      if (raw != null) {
        all.add(new EndedMessage(raw.decode(), next.get(row.id)));
      }
    }
    return all;
  }

  /** Lanes whose head is gone have another now: gives it by the row that was. */
  private Map<Long, Head> promote(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      Map<LaneTails.Name, Long> heads,
      Instant now)
      throws SQLException {
    Map<Long, Head> next = new HashMap<>();
    if (!heads.isEmpty()) {
      List<LaneTails.Name> lanes = List.copyOf(heads.keySet());
      session.all(
          MessageSql.PROMOTE,
          row -> {
            int account = row.getInt(HEAD_WIDTH + 1);
            Head head = Values.head(row, 0, accounts.name(account));
            Long before = heads.get(new LaneTails.Name(account, head.chat()));
            return before == null ? null : next.put(before, head);
          },
          Values.micros(now),
          columns.ints(lanes, LaneTails.Name::account),
          columns.texts(lanes, LaneTails.Name::chat));
      lanes.forEach(lane -> tell(sideEffects, lane.account()));
    }
    return next;
  }

  /** The owner may be another node. */
  private static void tell(BatchSideEffects sideEffects, int account) {
    sideEffects.changed(account);
  }

  // ---- operating on messages

  public OperationResult cancel(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      MessageId id,
      Instant now)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new OperationResult(null, false, null);
    }
    Why cancelled = new Why(Status.CANCELLED, null, null);
    List<EndedMessage> ended =
        end(session, columns, sideEffects, List.of(rowOf(message)), cancelled, now);
    return ended.isEmpty()
        ? new OperationResult(find(session, id), false, null)
        : new OperationResult(ended.getFirst().message(), true, ended.getFirst().next());
  }

  public OperationResult retry(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      MessageId id,
      Instant now)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new OperationResult(null, false, null);
    }
    Row row = rowOf(message);
    lock(session, columns, List.of(row));
    record Hurried(Head head, boolean paused) {}
    Hurried hurried =
        session.one(
            MessageSql.HURRY,
            found ->
                new Hurried(
                    Values.head(found, 0, message.message().account()),
                    found.getInt(HEAD_WIDTH + 1) == LanePauses.PAUSED_HEAD),
            Values.micros(now),
            message.row());
    if (hurried == null) {
      return new OperationResult(find(session, id), false, null);
    }
    tell(sideEffects, row.account);
    return new OperationResult(find(session, id), true, hurried.paused ? null : hurried.head);
  }

  private Row rowOf(StoredMessage message) throws SQLException {
    return new Row(message.row(), accounts.idOrNew(message.message().account()));
  }

  private @Nullable StoredMessage find(JdbcSession session, MessageId id) throws SQLException {
    return session.one(MessageSql.BY_UID, row -> Rows.message(row, accounts), id.value());
  }

  public boolean discard(
      JdbcSession session, BatchSideEffects sideEffects, MessageId id, BatchColumns columns)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null || !message.status().deadLetter()) {
      return false;
    }
    return !delete(session, sideEffects, columns, List.of(message.row())).isEmpty();
  }

  // ---- pruning

  public PruneResult prune(
      JdbcSession session,
      BatchSideEffects sideEffects,
      BatchColumns columns,
      Retention retention,
      int limit)
      throws SQLException {
    long keys = Values.micros(retention.keysBefore());
    long delivered = Values.micros(retention.deliveredBefore());
    long dead = Values.micros(retention.deadLettersBefore());
    List<Long> old = new ArrayList<>(old(session, MessageSql.OLD_DONE, delivered, limit));
    old.addAll(
        old(session, MessageSql.OLD_DONE_KEYED, Math.min(delivered, keys), limit - old.size()));
    old.addAll(old(session, MessageSql.OLD_DEAD, dead, keys, limit - old.size()));
    Map<String, Integer> deadLetters = new HashMap<>();
    for (Deleted gone : delete(session, sideEffects, columns, old)) {
      if (gone.status.deadLetter()) {
        deadLetters.merge(accounts.name(gone.account), 1, Integer::sum);
      }
    }
    session.update(MessageSql.DELETE_BUDGETS, keys);
    return new PruneResult(old.size(), deadLetters);
  }

  private static List<Long> old(JdbcSession session, String sql, Object... values)
      throws SQLException {
    return session.all(sql, row -> row.getLong(1), values);
  }

  private record Deleted(int account, Status status) {}

  private List<Deleted> delete(
      JdbcSession session, BatchSideEffects sideEffects, BatchColumns columns, List<Long> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    follow(session, columns, rows);
    List<Deleted> deleted =
        session.all(
            MessageSql.DELETE,
            row -> new Deleted(row.getInt(2), Values.status(row.getInt(3))),
            columns.longs(rows, row -> row));
    deleted.stream()
        .filter(gone -> gone.status.deadLetter())
        .forEach(gone -> sideEffects.deadLetterRemoved(gone.account));
    return deleted;
  }

  /** Does what follows from their ends, if nobody has: nearly always it is done. */
  private void follow(JdbcSession session, BatchColumns columns, List<Long> rows)
      throws SQLException {
    List<RawMessage> left =
        session.all(
            MessageSql.UNFOLLOWED_AMONG,
            row -> Rows.raw(row, accounts),
            columns.longs(rows, row -> row));
    if (left.isEmpty()) {
      return;
    }
    // What is deleted is counted at the end, but accounts are locked before sessions.
    lock(
        session,
        columns,
        session.all(
            MessageSql.ENDED_AMONG,
            row -> new Row(row.getLong(1), row.getInt(2)),
            columns.longs(rows, row -> row)));
    SessionRows sessions = new SessionRows(session, columns);
    MessageEndEffects endEffects = new MessageEndEffects(session, columns, accounts, sessions);
    List<InboundWriteOp.Follow> follows = new ArrayList<>(left.size());
    for (RawMessage message : left) {
      InboundWriteOp.Follow follow =
          new InboundWriteOp.Follow(
              message, Objects.requireNonNull(message.ended(), "it has ended"));
      endEffects.expect(follow);
      follows.add(follow);
    }
    sessions.lock();
    endEffects.write(follows, List.of());
    sessions.save();
  }

  // ---- what operators decide

  public AccountState pause(
      JdbcSession session,
      BatchSideEffects sideEffects,
      String account,
      String reason,
      Instant since)
      throws SQLException {
    return change(
        session,
        sideEffects,
        account,
        MessageSql.PAUSE_ACCOUNT,
        Values.micros(since),
        Rows.clean(reason));
  }

  public AccountState resume(JdbcSession session, BatchSideEffects sideEffects, String account)
      throws SQLException {
    return change(session, sideEffects, account, MessageSql.RESUME_ACCOUNT);
  }

  public AccountState broken(
      JdbcSession session,
      BatchSideEffects sideEffects,
      String account,
      String cause,
      Instant since)
      throws SQLException {
    return change(
        session,
        sideEffects,
        account,
        MessageSql.ACCOUNT_BROKEN,
        Values.micros(since),
        Rows.clean(cause));
  }

  public AccountState repaired(JdbcSession session, BatchSideEffects sideEffects, String account)
      throws SQLException {
    return change(session, sideEffects, account, MessageSql.ACCOUNT_REPAIRED);
  }

  private AccountState change(
      JdbcSession session,
      BatchSideEffects sideEffects,
      String account,
      String sql,
      @Nullable Object... values)
      throws SQLException {
    int id = accounts.idOrNew(account);
    @Nullable Object[] all = Arrays.copyOf(values, values.length + 1);
    all[values.length] = id;
    AccountState state = session.one(sql, row -> Values.accountState(row, 0), all);
    if (state == null) {
      throw new IllegalStateException("account " + account + " has vanished");
    }
    tell(sideEffects, id);
    return state;
  }

  public void pauseLane(JdbcSession session, BatchSideEffects sideEffects, PausedLane lane)
      throws SQLException {
    int account = accounts.idOrNew(lane.account());
    LanePauses.pause(
        session, account, chatNow(session, account, lane.account(), lane.chat()), lane);
    tell(sideEffects, account);
  }

  public boolean resumeLane(
      JdbcSession session, BatchSideEffects sideEffects, String account, String chat)
      throws SQLException {
    int id = accounts.idOrNew(account);
    String now = chatNow(session, id, account, chat);
    boolean resumed = LanePauses.resume(session, id, now);
    if (resumed) {
      tell(sideEffects, id);
    }
    return resumed;
  }

  /** The name that the chat has; under the account's lock, so that it keeps it meanwhile. */
  private static String chatNow(JdbcSession session, int account, String name, String chat)
      throws SQLException {
    session.one(MessageSql.LOCK_LEASE, row -> row.getInt(1), name);
    String moved = session.one(MessageSql.CHAT_NOW, row -> row.getString(1), account, chat);
    return moved == null ? chat : moved;
  }
}
