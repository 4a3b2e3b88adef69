package dev.postrider.postgres;

import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.AccountState;
import dev.postrider.store.Change;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.PausedLane;
import dev.postrider.store.Pruned;
import dev.postrider.store.Retention;
import dev.postrider.store.StoredMessage;
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
final class Writer {
  private static final int HEAD_WIDTH = 6; // as many columns as Values.head reads

  private record Row(long id, int account) {}

  private final Accounts accounts;

  Writer(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- ending what was not sent

  List<Ended> expire(Session session, Batches batches, Effects effects, Instant now, int limit)
      throws SQLException {
    List<Row> rows =
        session.all(
            Sql.EXPIRING, row -> new Row(row.getLong(1), row.getInt(2)), Values.micros(now), limit);
    return end(
        session,
        batches,
        effects,
        rows,
        new Why(Status.EXPIRED, "expired", "its time was over before it could be sent"),
        now);
  }

  List<Ended> failQueued(
      Session session,
      Batches batches,
      Effects effects,
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
        session.all(Sql.QUEUED_OF_ACCOUNT, row -> new Row(row.getLong(1), id), id, limit);
    return end(
        session,
        batches,
        effects,
        rows,
        new Why(Status.FAILED, reason, "account '" + account + "' is not configured"),
        now);
  }

  /** How messages end that were not sent. */
  private record Why(Status status, @Nullable String reason, @Nullable String error) {}

  private static void lock(Session session, Batches batches, List<Row> rows) throws SQLException {
    List<Integer> touched = List.copyOf(new TreeSet<>(rows.stream().map(Row::account).toList()));
    session.all(Sql.LOCK_ACCOUNTS, _ -> null, batches.ints(touched, id -> id));
  }

  /** Ends those that are queued still, all at once; gives them in the order of the rows. */
  private List<Ended> end(
      Session session, Batches batches, Effects effects, List<Row> rows, Why why, Instant now)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    lock(session, batches, rows);
    Map<Long, Raw> gone = new HashMap<>();
    Map<Lanes.Name, Long> heads = new LinkedHashMap<>(); // the row that was its lane's head
    session.all(
        Sql.END_QUEUED,
        row -> {
          Raw raw = Rows.raw(row, accounts);
          int account = row.getInt(3);
          gone.put(raw.row(), raw);
          if (row.getObject(Sql.MESSAGE_WIDTH + 1) != null
              && row.getInt(Sql.MESSAGE_WIDTH + 2) != LanePauses.BEHIND) {
            heads.put(new Lanes.Name(account, raw.chat()), raw.row());
          }
          if (!row.getBoolean(Sql.MESSAGE_WIDTH + 3)) { // an arrival is not counted yet
            effects.went(account);
          }
          if (why.status.deadLetter()) {
            effects.died(account);
          }
          return raw;
        },
        batches.longs(rows, Row::id),
        Values.status(why.status),
        Values.micros(now),
        why.error,
        why.reason);
    Map<Long, Head> next = promote(session, batches, effects, heads, now);
    List<Ended> all = new ArrayList<>(gone.size());
    for (Row row : rows) {
      Raw raw = gone.get(row.id);
      if (raw != null) {
        all.add(new Ended(raw.decode(), next.get(row.id)));
      }
    }
    return all;
  }

  /** Lanes whose head is gone have another now: gives it by the row that was. */
  private Map<Long, Head> promote(
      Session session, Batches batches, Effects effects, Map<Lanes.Name, Long> heads, Instant now)
      throws SQLException {
    Map<Long, Head> next = new HashMap<>();
    if (!heads.isEmpty()) {
      List<Lanes.Name> lanes = List.copyOf(heads.keySet());
      session.all(
          Sql.PROMOTE,
          row -> {
            int account = row.getInt(HEAD_WIDTH + 1);
            Head head = Values.head(row, 0, accounts.name(account));
            Long before = heads.get(new Lanes.Name(account, head.chat()));
            return before == null ? null : next.put(before, head);
          },
          Values.micros(now),
          batches.ints(lanes, Lanes.Name::account),
          batches.texts(lanes, Lanes.Name::chat));
      lanes.forEach(lane -> tell(effects, lane.account()));
    }
    return next;
  }

  /** The owner may be another node. */
  private static void tell(Effects effects, int account) {
    effects.changed(account);
  }

  // ---- operating on messages

  Change cancel(Session session, Batches batches, Effects effects, MessageId id, Instant now)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new Change(null, false, null);
    }
    Why cancelled = new Why(Status.CANCELLED, null, null);
    List<Ended> ended = end(session, batches, effects, List.of(rowOf(message)), cancelled, now);
    return ended.isEmpty()
        ? new Change(find(session, id), false, null)
        : new Change(ended.getFirst().message(), true, ended.getFirst().next());
  }

  Change hurry(Session session, Batches batches, Effects effects, MessageId id, Instant now)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new Change(null, false, null);
    }
    Row row = rowOf(message);
    lock(session, batches, List.of(row));
    record Hurried(Head head, boolean paused) {}
    Hurried hurried =
        session.one(
            Sql.HURRY,
            found ->
                new Hurried(
                    Values.head(found, 0, message.message().account()),
                    found.getInt(HEAD_WIDTH + 1) == LanePauses.PAUSED_HEAD),
            Values.micros(now),
            message.row());
    if (hurried == null) {
      return new Change(find(session, id), false, null);
    }
    tell(effects, row.account);
    return new Change(find(session, id), true, hurried.paused ? null : hurried.head);
  }

  private Row rowOf(StoredMessage message) throws SQLException {
    return new Row(message.row(), accounts.idOrNew(message.message().account()));
  }

  private @Nullable StoredMessage find(Session session, MessageId id) throws SQLException {
    return session.one(Sql.BY_UID, row -> Rows.message(row, accounts), id.value());
  }

  boolean discard(Session session, Effects effects, MessageId id, Batches batches)
      throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null || !message.status().deadLetter()) {
      return false;
    }
    return !delete(session, effects, batches, List.of(message.row())).isEmpty();
  }

  // ---- pruning

  Pruned prune(Session session, Effects effects, Batches batches, Retention retention, int limit)
      throws SQLException {
    long keys = Values.micros(retention.keysBefore());
    long delivered = Values.micros(retention.deliveredBefore());
    long dead = Values.micros(retention.deadLettersBefore());
    List<Long> old = new ArrayList<>(old(session, Sql.OLD_DONE, delivered, limit));
    old.addAll(old(session, Sql.OLD_DONE_KEYED, Math.min(delivered, keys), limit - old.size()));
    old.addAll(old(session, Sql.OLD_DEAD, dead, keys, limit - old.size()));
    Map<String, Integer> deadLetters = new HashMap<>();
    for (Deleted gone : delete(session, effects, batches, old)) {
      if (gone.status.deadLetter()) {
        deadLetters.merge(accounts.name(gone.account), 1, Integer::sum);
      }
    }
    session.update(Sql.DELETE_BUDGETS, keys);
    return new Pruned(old.size(), deadLetters);
  }

  private static List<Long> old(Session session, String sql, Object... values) throws SQLException {
    return session.all(sql, row -> row.getLong(1), values);
  }

  private record Deleted(int account, Status status) {}

  private List<Deleted> delete(Session session, Effects effects, Batches batches, List<Long> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return List.of();
    }
    follow(session, batches, rows);
    List<Deleted> deleted =
        session.all(
            Sql.DELETE,
            row -> new Deleted(row.getInt(2), Values.status(row.getInt(3))),
            batches.longs(rows, row -> row));
    deleted.stream()
        .filter(gone -> gone.status.deadLetter())
        .forEach(gone -> effects.buried(gone.account));
    return deleted;
  }

  /** Does what follows from their ends, if nobody has: nearly always it is done. */
  private void follow(Session session, Batches batches, List<Long> rows) throws SQLException {
    List<Raw> left =
        session.all(
            Sql.UNFOLLOWED_AMONG, row -> Rows.raw(row, accounts), batches.longs(rows, row -> row));
    if (left.isEmpty()) {
      return;
    }
    // What is deleted is counted at the end, but accounts are locked before sessions.
    lock(
        session,
        batches,
        session.all(
            Sql.ENDED_AMONG,
            row -> new Row(row.getLong(1), row.getInt(2)),
            batches.longs(rows, row -> row)));
    Sessions sessions = new Sessions(session, batches);
    Following following = new Following(session, batches, accounts, sessions);
    List<DeskOp.Follow> follows = new ArrayList<>(left.size());
    for (Raw message : left) {
      DeskOp.Follow follow =
          new DeskOp.Follow(message, Objects.requireNonNull(message.ended(), "it has ended"));
      following.expect(follow);
      follows.add(follow);
    }
    sessions.lock();
    following.write(follows, List.of());
    sessions.save();
  }

  // ---- what operators decide

  AccountState pause(Session session, Effects effects, String account, String reason, Instant since)
      throws SQLException {
    return change(
        session, effects, account, Sql.PAUSE_ACCOUNT, Values.micros(since), Rows.clean(reason));
  }

  AccountState resume(Session session, Effects effects, String account) throws SQLException {
    return change(session, effects, account, Sql.RESUME_ACCOUNT);
  }

  AccountState broken(Session session, Effects effects, String account, String cause, Instant since)
      throws SQLException {
    return change(
        session, effects, account, Sql.ACCOUNT_BROKEN, Values.micros(since), Rows.clean(cause));
  }

  AccountState repaired(Session session, Effects effects, String account) throws SQLException {
    return change(session, effects, account, Sql.ACCOUNT_REPAIRED);
  }

  private AccountState change(
      Session session, Effects effects, String account, String sql, @Nullable Object... values)
      throws SQLException {
    int id = accounts.idOrNew(account);
    @Nullable Object[] all = Arrays.copyOf(values, values.length + 1);
    all[values.length] = id;
    AccountState state = session.one(sql, row -> Values.accountState(row, 0), all);
    if (state == null) {
      throw new IllegalStateException("account " + account + " has vanished");
    }
    tell(effects, id);
    return state;
  }

  /** For whoever moves everything here. */
  void save(Session session, Effects effects, AccountState state) throws SQLException {
    int account = accounts.idOrNew(state.account());
    session.update(
        Sql.SAVE_ACCOUNT,
        Rows.clean(state.pausedBecause()),
        Values.nullableMicros(state.pausedSince()),
        Rows.clean(state.brokenBecause()),
        Values.nullableMicros(state.brokenSince()),
        account);
    tell(effects, account);
  }

  void pauseLane(Session session, Effects effects, PausedLane lane) throws SQLException {
    int account = accounts.idOrNew(lane.account());
    LanePauses.pause(
        session, account, chatNow(session, account, lane.account(), lane.chat()), lane);
    tell(effects, account);
  }

  boolean resumeLane(Session session, Effects effects, String account, String chat)
      throws SQLException {
    int id = accounts.idOrNew(account);
    String now = chatNow(session, id, account, chat);
    boolean resumed = LanePauses.resume(session, id, now);
    if (resumed) {
      tell(effects, id);
    }
    return resumed;
  }

  /** The name that the chat has; under the account's lock, so that it keeps it meanwhile. */
  private static String chatNow(Session session, int account, String name, String chat)
      throws SQLException {
    session.one(Sql.LOCK_LEASE, row -> row.getInt(1), name);
    String moved = session.one(Sql.CHAT_NOW, row -> row.getString(1), account, chat);
    return moved == null ? chat : moved;
  }
}
