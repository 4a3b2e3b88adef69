package dev.postrider.sqlite;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.pace.Budget;
import dev.postrider.store.Acceptance;
import dev.postrider.store.Change;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.Lease;
import dev.postrider.store.NewMessage;
import dev.postrider.store.Pruned;
import dev.postrider.store.Reservation;
import dev.postrider.store.Retention;
import dev.postrider.store.Settled;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes, each to be called inside the committer's transaction. Belongs to the writer's thread.
 *
 * <p>Lane rule: of a lane's active messages the one with the lowest place, and only that one, has
 * {@code head = 1}. Every method that ends a head promotes the next in the same transaction.
 */
final class Writer implements Committer.Batch {
  private record Row(long id, int account, int status) {}

  private final Session session;
  private final Accounts accounts;
  private final Map<String, Budget> budgets = new LinkedHashMap<>(); // of the batch at hand
  private long lastRow;
  private boolean anyBulk; // whether a bulk message may be active: most houses have none

  Writer(Session session, Accounts accounts) throws SQLException {
    this.session = session;
    this.accounts = accounts;
    Long last = session.one(Sql.LAST_ROW, row -> row.getLong(1));
    this.lastRow = last == null ? 0 : last;
    this.anyBulk = session.one(Sql.ANY_BULK, row -> row.getLong(1)) != null;
  }

  // ---- around the batch

  /**
   * Budgets change with every message and only the last word counts: they are written once per
   * batch.
   */
  @Override
  public void beforeCommit() throws SQLException {
    for (Budget budget : budgets.values()) {
      session.update(
          Sql.SAVE_BUDGET,
          budget.scope(),
          budget.revision(),
          Rows.micros(budget.until()),
          budget.state());
    }
    budgets.clear();
  }

  @Override
  public void committed() {
    accounts.committed();
  }

  @Override
  public void rolledBack() {
    budgets.clear();
    accounts.rolledBack();
  }

  void save(Budget budget) {
    budgets.merge(
        budget.scope(), budget, (before, now) -> now.revision() > before.revision() ? now : before);
  }

  // ---- accepting

  /** The parts of a new message that are stored encoded; encoded before the writer's turn. */
  record Encoded(byte[] content, byte @Nullable [] plan, byte @Nullable [] progress) {
    static Encoded of(NewMessage entry) {
      return new Encoded(
          Codec.content(entry.message()),
          Codec.plan(entry.id(), entry.message(), entry.plan()),
          Codec.progress(entry.progress()));
    }
  }

  Acceptance accept(NewMessage entry, Encoded encoded) throws SQLException {
    Message message = entry.message();
    int account = accounts.idOrNew(session, message.account());
    byte[] hash = entry.contentHash();
    if (hash != null) {
      Acceptance.Duplicate duplicate =
          session.one(
              Sql.BY_KEY,
              row ->
                  new Acceptance.Duplicate(
                      Rows.message(row, accounts), Arrays.equals(hash, row.getBytes(24))),
              account,
              message.idempotencyKey());
      if (duplicate != null) {
        return duplicate;
      }
    }
    boolean ordered = message.ordering() == Ordering.FIFO;
    boolean inLane = ordered && !entry.scheduled();
    Long last = ordered ? longOf(Sql.LAST_OF_LANE, account, message.to()) : null;
    if (last != null && last >= entry.maxLaneDepth()) {
      long depth = depth(account, message.to(), last, entry.maxLaneDepth());
      if (depth >= entry.maxLaneDepth()) {
        return new Acceptance.LaneFull(depth);
      }
    }
    MessageId replayOf = entry.replayOf();
    if (replayOf != null
        && session.update(Sql.MARK_REPLAYED, Rows.uid(entry.id()), Rows.uid(replayOf)) == 0) {
      return new Acceptance.NotReplayable(
          "message " + replayOf + " is no dead letter, or was replayed already");
    }
    boolean first = !inLane || last == null;
    Reservation reservation = first && !entry.scheduled() ? entry.reservation() : null;
    if (reservation != null) {
      accounts.check(reservation.lease());
      reservation.spent().forEach(this::save);
    }
    boolean raised =
        inLane
            && !first
            && message.priority() == Priority.LIVE
            && anyBulk
            && session.update(Sql.RAISE_LANE, account, message.to()) > 0;
    Long seq = inLane ? Long.valueOf(last == null ? 1 : last + 1) : null;
    return insert(entry, encoded, account, seq, first, reservation, raised);
  }

  /** How many the lane holds: from its first and last place if that will do, else counted. */
  private long depth(int account, String chat, long last, long limit) throws SQLException {
    Long first = longOf(Sql.FIRST_OF_LANE, account, chat);
    long places = first == null ? 0 : last - first + 1;
    Long held = places < limit ? null : longOf(Sql.COUNT_LANE, account, chat);
    return held == null ? places : held;
  }

  private Acceptance insert(
      NewMessage entry,
      Encoded encoded,
      int account,
      @Nullable Long seq,
      boolean first,
      @Nullable Reservation reservation,
      boolean raised)
      throws SQLException {
    Message message = entry.message();
    long row = ++lastRow;
    anyBulk |= message.priority() == Priority.BULK;
    boolean reserved = reservation != null;
    int count = reserved ? 1 : 0;
    int flags =
        (message.ordering() == Ordering.NONE ? Rows.UNORDERED : 0)
            | (entry.possibleDuplicate() ? Rows.POSSIBLE_DUPLICATE : 0)
            | (entry.scheduled() && message.ordering() == Ordering.FIFO ? Rows.SCHEDULED : 0);
    Instant tried = reservation == null ? null : reservation.at();
    MessageId replayOf = entry.replayOf();
    session.update(
        Sql.ADD_MESSAGE,
        row,
        Rows.uid(entry.id()),
        account,
        message.to(),
        seq,
        first ? 1 : 0,
        Rows.status(reserved ? Status.SENDING : Status.QUEUED),
        Rows.priority(message.priority()),
        count,
        count,
        flags,
        Rows.micros(entry.createdAt()),
        Rows.micros(entry.dueAt()),
        Rows.micros(entry.expiresAt()),
        Rows.nullableMicros(tried),
        encoded.progress,
        message.idempotencyKey(),
        entry.contentHash(),
        message.turnId(),
        replayOf == null ? null : Rows.uid(replayOf),
        encoded.content,
        encoded.plan);
    StoredMessage stored =
        new StoredMessage(
            row,
            entry.id(),
            message,
            entry.plan(),
            reserved ? Status.SENDING : Status.QUEUED,
            count,
            count,
            entry.createdAt(),
            entry.dueAt(),
            entry.expiresAt(),
            tried,
            null,
            entry.progress(),
            null,
            null,
            false,
            entry.possibleDuplicate(),
            replayOf,
            null);
    Head head =
        !first || reserved
            ? null
            : new Head(
                row,
                message.account(),
                message.to(),
                message.priority(),
                entry.dueAt(),
                message.ordering() == Ordering.FIFO,
                (flags & Rows.SCHEDULED) != 0);
    return new Acceptance.Stored(stored, head, reserved, raised);
  }

  // ---- the way of a message

  Rows.@Nullable Raw reserve(long row, Reservation reservation) throws SQLException {
    accounts.check(reservation.lease());
    long at = Rows.micros(reservation.at());
    Rows.Raw message =
        session.one(Sql.RESERVE, found -> Rows.raw(found, accounts), at, row, at, at);
    if (message != null) {
      reservation.spent().forEach(this::save);
    }
    return message;
  }

  boolean progress(
      StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history)
      throws SQLException {
    accounts.check(lease);
    boolean applied =
        session.update(Sql.PROGRESS, Codec.progress(progress), message.row(), message.reservation())
            > 0;
    if (applied) {
      addHistory(message.row(), history);
    }
    return applied;
  }

  /** A settlement as the writer leaves it; see {@link Settled}. */
  record Written(boolean applied, @Nullable Head next, Rows.@Nullable Raw reserved) {
    static final Written NO_NEXT = new Written(true, null, null);

    Settled decode() {
      return applied
          ? new Settled(true, next, reserved == null ? null : reserved.decode())
          : Settled.STALE;
    }
  }

  Written settle(Settlement settlement, byte @Nullable [] progress) throws SQLException {
    accounts.check(settlement.lease());
    StoredMessage message = settlement.message();
    boolean ended = settlement.status().ended();
    int flags =
        (settlement.late() ? Rows.LATE : 0)
            | (settlement.possibleDuplicate() ? Rows.POSSIBLE_DUPLICATE : 0);
    int applied =
        session.update(
            Sql.SETTLE,
            Rows.status(settlement.status()),
            ended ? 0 : 1,
            Rows.micros(settlement.dueAt()),
            ended ? Rows.micros(settlement.at()) : null,
            settlement.charged() ? 0 : 1,
            progress,
            settlement.error(),
            settlement.reason(),
            flags,
            message.row(),
            message.reservation());
    if (applied == 0) {
      return new Written(false, null, null);
    }
    settlement.closed().forEach(this::save);
    addHistory(message.row(), settlement.history());
    if (!ended || message.message().ordering() == Ordering.NONE) {
      return Written.NO_NEXT;
    }
    return promote(message.message(), settlement.at(), settlement.thenReserve());
  }

  /**
   * Makes the lane's next message its head, and reserves it where that is wished and it may be
   * sent.
   */
  private Written promote(Message ended, Instant at, @Nullable Reservation reservation)
      throws SQLException {
    record Next(long row, long expires) {}
    int account = accounts.idOrNew(session, ended.account());
    Next next =
        session.one(
            Sql.NEXT_OF_LANE,
            found -> new Next(found.getLong(1), found.getLong(2)),
            account,
            ended.to());
    if (next == null) {
      return Written.NO_NEXT;
    }
    long now = Rows.micros(at);
    if (reservation != null && next.expires > now) {
      Rows.Raw reserved =
          session.one(
              Sql.PROMOTE_AND_RESERVE, found -> Rows.raw(found, accounts), now, next.row, now);
      if (reserved != null) {
        reservation.spent().forEach(this::save);
        return new Written(true, null, reserved);
      }
    }
    Head head = session.one(Sql.PROMOTE, found -> Rows.head(found, ended.account()), now, next.row);
    return new Written(true, head, null);
  }

  /** The message gets its place in the lane now; gives it if it is the head, or nothing. */
  @Nullable Head enter(long row, Instant at) throws SQLException {
    record Place(int account, String chat, int priority) {}
    Place place =
        session.one(
            Sql.SCHEDULED,
            found -> new Place(found.getInt(1), found.getString(2), found.getInt(3)),
            row,
            Rows.micros(at));
    if (place == null) {
      return null;
    }
    Long last = longOf(Sql.LAST_OF_LANE, place.account, place.chat);
    if (last != null && place.priority == 0 && anyBulk) {
      session.update(Sql.RAISE_LANE, place.account, place.chat);
    }
    Head entered =
        session.one(
            Sql.ENTER,
            found -> Rows.head(found, accounts.name(place.account)),
            last == null ? 1 : last + 1,
            last == null ? 1 : 0,
            row);
    return last == null ? entered : null;
  }

  List<Ended> expire(Instant now, int limit) throws SQLException {
    List<Long> rows = session.all(Sql.EXPIRING, found -> found.getLong(1), Rows.micros(now), limit);
    return endAll(
        rows, Status.EXPIRED, "expired", "its time was over before it could be sent", now);
  }

  List<Ended> failQueued(String account, String reason, Instant now, int limit)
      throws SQLException {
    Integer id = accounts.id(account);
    if (id == null) {
      return List.of();
    }
    List<Long> rows = session.all(Sql.QUEUED_OF_ACCOUNT, found -> found.getLong(1), id, limit);
    return endAll(rows, Status.FAILED, reason, "account '" + account + "' is not configured", now);
  }

  private List<Ended> endAll(
      List<Long> rows, Status status, String reason, String error, Instant now)
      throws SQLException {
    List<Ended> all = new ArrayList<>(rows.size());
    for (long row : rows) {
      Ended ended = end(row, status, reason, error, now);
      if (ended != null) {
        all.add(ended);
      }
    }
    return all;
  }

  private @Nullable Ended end(
      long row, Status status, @Nullable String reason, @Nullable String error, Instant now)
      throws SQLException {
    record Found(StoredMessage message, boolean headOfLane) {}
    Found found =
        session.one(
            Sql.END_QUEUED,
            ended -> {
              boolean inLane = ended.getObject(5) != null;
              return new Found(Rows.message(ended, accounts), inLane && ended.getInt(6) == 1);
            },
            Rows.status(status),
            Rows.micros(now),
            reason,
            error,
            row);
    if (found == null) {
      return null;
    }
    Head next = found.headOfLane ? promote(found.message.message(), now, null).next() : null;
    return new Ended(found.message, next);
  }

  private void addHistory(long row, @Nullable HistoryEntry entry) throws SQLException {
    if (entry != null) {
      session.update(
          Sql.ADD_HISTORY,
          row,
          Rows.micros(entry.at()),
          entry.attempt(),
          entry.part(),
          entry.outcome(),
          entry.error(),
          Rows.nullableMicros(entry.nextAt()));
    }
  }

  // ---- operating on messages

  Change cancel(MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(id);
    Ended ended = message == null ? null : end(message.row(), Status.CANCELLED, null, null, now);
    return ended == null
        ? new Change(message, false, null)
        : new Change(ended.message(), true, ended.next());
  }

  Change hurry(MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(id);
    if (message == null) {
      return new Change(null, false, null);
    }
    Head head =
        session.one(
            Sql.HURRY,
            found -> Rows.head(found, message.message().account()),
            Rows.micros(now),
            message.row());
    return new Change(head == null ? message : find(id), head != null, head);
  }

  boolean discard(MessageId id) throws SQLException {
    StoredMessage message = find(id);
    if (message == null || !message.status().deadLetter()) {
      return false;
    }
    delete(message.row());
    return true;
  }

  private @Nullable StoredMessage find(MessageId id) throws SQLException {
    return session.one(Sql.BY_UID, row -> Rows.message(row, accounts), (Object) Rows.uid(id));
  }

  Pruned prune(Retention retention, int limit) throws SQLException {
    long keys = Rows.micros(retention.keysBefore());
    long delivered = Rows.micros(retention.deliveredBefore());
    long dead = Rows.micros(retention.deadLettersBefore());
    List<Row> old = new ArrayList<>(old(Sql.OLD_DONE, delivered, limit));
    old.addAll(old(Sql.OLD_DONE_KEYED, Math.min(delivered, keys), limit - old.size()));
    old.addAll(old(Sql.OLD_DEAD, dead, keys, limit - old.size()));
    Map<String, Integer> deadLetters = new HashMap<>();
    for (Row row : old) {
      delete(row.id);
      if (Rows.status(row.status).deadLetter()) {
        deadLetters.merge(accounts.name(row.account), 1, Integer::sum);
      }
    }
    session.update(Sql.DELETE_BUDGETS, keys);
    return new Pruned(old.size(), deadLetters);
  }

  private List<Row> old(String sql, Object... values) throws SQLException {
    return session.all(sql, row -> new Row(row.getLong(1), row.getInt(2), row.getInt(3)), values);
  }

  private void delete(long row) throws SQLException {
    session.update(Sql.DELETE_MESSAGE, row);
    session.update(Sql.DELETE_HISTORY, row);
  }

  private @Nullable Long longOf(String sql, Object... values) throws SQLException {
    return session.one(
        sql,
        row -> {
          long value = row.getLong(1);
          return row.wasNull() ? null : value;
        },
        values);
  }
}
