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
import java.util.HashMap;
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
  private record Row(long id, int account) {}

  private final Accounts accounts;

  Writer(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- ending what was not sent

  List<Ended> expire(Session session, Effects effects, Instant now, int limit) throws SQLException {
    List<Row> rows =
        session.all(
            Sql.EXPIRING, row -> new Row(row.getLong(1), row.getInt(2)), Values.micros(now), limit);
    return endAll(
        session,
        effects,
        rows,
        Status.EXPIRED,
        "expired",
        "its time was over before it could be sent",
        now);
  }

  List<Ended> failQueued(
      Session session, Effects effects, String account, String reason, Instant now, int limit)
      throws SQLException {
    Integer id = accounts.id(account);
    if (id == null) {
      return List.of();
    }
    List<Row> rows =
        session.all(Sql.QUEUED_OF_ACCOUNT, row -> new Row(row.getLong(1), id), id, limit);
    return endAll(
        session,
        effects,
        rows,
        Status.FAILED,
        reason,
        "account '" + account + "' is not configured",
        now);
  }

  private List<Ended> endAll(
      Session session,
      Effects effects,
      List<Row> rows,
      Status status,
      String reason,
      String error,
      Instant now)
      throws SQLException {
    lock(session, rows);
    List<Ended> all = new ArrayList<>(rows.size());
    for (Row row : rows) {
      Ended ended = end(session, effects, row.id, status, reason, error, now);
      if (ended != null) {
        all.add(ended);
      }
    }
    return all;
  }

  private static void lock(Session session, List<Row> rows) throws SQLException {
    TreeSet<Integer> touched = new TreeSet<>();
    rows.forEach(row -> touched.add(row.account));
    for (int account : touched) { // in order, so that nobody waits for each other
      session.all(Sql.LOCK_ACCOUNT, _ -> null, account);
    }
  }

  private @Nullable Ended end(
      Session session,
      Effects effects,
      long row,
      Status status,
      @Nullable String reason,
      @Nullable String error,
      Instant now)
      throws SQLException {
    record Found(Raw raw, int account, boolean headOfLane, boolean arriving) {}
    Found found =
        session.one(
            Sql.END_QUEUED,
            ended ->
                new Found(
                    Rows.raw(ended, accounts),
                    ended.getInt(3),
                    ended.getObject(Rows.WIDTH + 1) != null && ended.getBoolean(Rows.WIDTH + 2),
                    ended.getBoolean(Rows.WIDTH + 3)),
            row,
            Values.status(status),
            Values.micros(now),
            error,
            reason);
    if (found == null) {
      return null;
    }
    if (!found.arriving) {
      effects.went(found.account);
    }
    if (status.deadLetter()) {
      effects.died(found.account);
    }
    Head next = null;
    if (found.headOfLane) {
      next =
          session.one(
              Sql.PROMOTE,
              promoted -> Values.head(promoted, 0, found.raw.account()),
              Values.micros(now),
              found.account,
              found.raw.chat());
      tell(effects, found.account);
    }
    return new Ended(found.raw.decode(), next);
  }

  /** The owner may be another node. */
  private static void tell(Effects effects, int account) {
    effects.changed(account);
  }

  // ---- operating on messages

  Change cancel(Session session, Effects effects, MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new Change(null, false, null);
    }
    lock(session, List.of(rowOf(message)));
    Ended ended = end(session, effects, message.row(), Status.CANCELLED, null, null, now);
    return ended == null
        ? new Change(find(session, id), false, null)
        : new Change(ended.message(), true, ended.next());
  }

  Change hurry(Session session, Effects effects, MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(session, id);
    if (message == null) {
      return new Change(null, false, null);
    }
    Row row = rowOf(message);
    lock(session, List.of(row));
    Head head =
        session.one(
            Sql.HURRY,
            found -> Values.head(found, 0, message.message().account()),
            Values.micros(now),
            message.row());
    if (head != null) {
      tell(effects, row.account);
    }
    return new Change(find(session, id), head != null, head);
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

  void save(Session session, Effects effects, AccountState state) throws SQLException {
    int account = accounts.idOrNew(state.account());
    session.update(
        Sql.SAVE_ACCOUNT,
        Rows.clean(state.pausedBecause()),
        Rows.clean(state.brokenBecause()),
        Values.nullableMicros(state.brokenSince()),
        account);
    tell(effects, account);
  }

  void pauseLane(Session session, Effects effects, PausedLane lane) throws SQLException {
    session.update(
        Sql.PAUSE_LANE,
        lane.account(),
        lane.chat(),
        Rows.clean(lane.reason()),
        Values.micros(lane.since()));
    tell(effects, accounts.idOrNew(lane.account()));
  }

  boolean resumeLane(Session session, Effects effects, String account, String chat)
      throws SQLException {
    boolean resumed = session.update(Sql.RESUME_LANE, account, chat) > 0;
    if (resumed) {
      tell(effects, accounts.idOrNew(account));
    }
    return resumed;
  }
}
