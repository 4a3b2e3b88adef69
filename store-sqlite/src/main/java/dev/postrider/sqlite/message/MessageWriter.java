package dev.postrider.sqlite.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.message.AcceptedPart;
import dev.postrider.jdbc.message.FailedReceipts;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.EndReason;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Ordering;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.inbound.InboundWriter;
import dev.postrider.sqlite.read.LateIndexes;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.PruneResult;
import dev.postrider.store.Retention;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.OperationResult;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes, each to be called inside the committer's transaction. Belongs to the writer's thread.
 *
 * <p>Lane rule: of a lane's active messages the one with the lowest place, and only that one, has
 * is the head ({@link LanePauses} says with which value). Every method that ends a head promotes
 * the next in the same transaction.
 */
public final class MessageWriter {
  private record Row(long id, int account, int status, String chat) {}

  private final JdbcSession session;
  private final Accounts accounts;
  private final BudgetWrites spending;
  private final InboundWriter inbox;
  private final MessageEndEffects endEffects;
  private final LateIndexes indexes;
  private final LanePauses pauses;

  public MessageWriter(
      JdbcSession session,
      Accounts accounts,
      BudgetWrites spending,
      InboundWriter inbox,
      MessageEndEffects endEffects,
      LateIndexes indexes,
      LanePauses pauses) {
    this.session = session;
    this.accounts = accounts;
    this.spending = spending;
    this.inbox = inbox;
    this.endEffects = endEffects;
    this.indexes = indexes;
    this.pauses = pauses;
  }

  // ---- the way of a message

  public @Nullable RawMessage reserve(long row, Reservation reservation) throws SQLException {
    accounts.check(reservation.lease());
    long at = Values.micros(reservation.at());
    RawMessage message =
        session.one(MessageSql.RESERVE, found -> Rows.raw(found, accounts), at, row, at, at);
    if (message != null) {
      reservation.spent().forEach(spending::save);
    }
    return message;
  }

  public boolean progress(
      StoredMessage message, Lease lease, Progress progress, @Nullable HistoryEntry history)
      throws SQLException {
    accounts.check(lease);
    boolean applied =
        session.update(
                MessageSql.PROGRESS,
                MessageCodec.progress(progress),
                message.row(),
                message.reservation())
            > 0;
    if (applied) {
      addHistory(message.row(), history);
      inbox.claim(message, progress);
    }
    return applied;
  }

  /** A settlement as the writer leaves it; see {@link SettleResult}. */
  public record Written(
      boolean applied,
      @Nullable Head next,
      @Nullable RawMessage reserved,
      @Nullable StoredMessage failed) {
    static final Written NO_NEXT = new Written(true, null, null);

    Written(boolean applied, @Nullable Head next, @Nullable RawMessage reserved) {
      this(applied, next, reserved, null);
    }

    Written with(@Nullable StoredMessage endedFailed) {
      return new Written(applied, next, reserved, endedFailed);
    }

    public SettleResult decode() {
      return applied
          ? new SettleResult(true, next, reserved == null ? null : reserved.decode(), failed)
          : SettleResult.STALE;
    }
  }

  public Written settle(Settlement settlement, byte @Nullable [] progress) throws SQLException {
    accounts.check(settlement.lease());
    StoredMessage message = settlement.message();
    boolean ended = settlement.status().ended();
    int flags =
        (settlement.late() ? Values.LATE : 0)
            | (settlement.possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0);
    int applied =
        session.update(
            MessageSql.SETTLE,
            Values.status(settlement.status()),
            ended ? 0 : 1,
            Values.micros(settlement.dueAt()),
            ended ? Values.micros(settlement.at()) : null,
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
    settlement.closed().forEach(spending::save);
    addHistory(message.row(), settlement.history());
    inbox.claim(message, settlement.progress());
    StoredMessage failed = ended ? failedBefore(settlement) : null;
    if (!ended || message.message().ordering() == Ordering.NONE) {
      return Written.NO_NEXT.with(failed);
    }
    return promote(message.message(), settlement.at(), settlement.thenReserve()).with(failed);
  }

  /** The message, if it ended delivered and the platform has said already that it failed. */
  private @Nullable StoredMessage failedBefore(Settlement settlement) throws SQLException {
    return AcceptedPart.of(settlement.progress()).isEmpty()
        ? null
        : receiptsFailed(settlement.message().row(), settlement.onReceiptFailed(), settlement.at());
  }

  // ---- what platforms say later

  public List<ReportResult> report(
      String account, List<DeliveryReport> reports, OnReceiptFailed onFailed, Instant now)
      throws SQLException {
    List<ReportResult> all = new ArrayList<>(reports.size());
    for (InboundWriter.Reported reported : inbox.report(account, reports, now)) {
      ReportResult result = reported.result();
      boolean failed = result.changed() && result.report().state() == DeliveryReport.State.FAILED;
      all.add(
          failed && reported.row() != null
              ? result.with(receiptsFailed(reported.row(), onFailed, now))
              : result);
    }
    return all;
  }

  public void notToRetry(StoredMessage message) throws SQLException {
    session.update(InboundSql.DELETE_RETRY, message.row());
  }

  /** The message as it is then, if it was delivered and has ended as failed. */
  private @Nullable StoredMessage receiptsFailed(long row, OnReceiptFailed onFailed, Instant now)
      throws SQLException {
    if (onFailed == OnReceiptFailed.RECORD) {
      return null;
    }
    List<FailedReceipts.Part> parts =
        session.all(
            InboundSql.FAILED_PARTS,
            found ->
                new FailedReceipts.Part(found.getInt(1), found.getString(2), found.getBoolean(3)),
            row);
    StoredMessage message =
        parts.isEmpty()
            ? null
            : session.one(MessageSql.BY_ROW, found -> Rows.message(found, accounts), row);
    FailedReceipts failed = message == null ? null : FailedReceipts.of(message, parts, now);
    if (failed == null) {
      return null;
    }
    StoredMessage after = failed.after();
    session.update(
        MessageSql.RECEIPTS_FAILED,
        Values.status(after.status()),
        Values.nullableMicros(after.endedAt()),
        MessageCodec.progress(after.progress()),
        after.error(),
        after.reason(),
        row,
        Values.status(failed.before().status()));
    addHistory(row, failed.history());
    if (!failed.mayHelp()) {
      session.update(InboundSql.DELETE_RETRY, row);
    } else if (failed.ends() && onFailed == OnReceiptFailed.RETRY) {
      session.update(InboundSql.ADD_RETRY, row);
    }
    return failed.ends() ? after : null;
  }

  /**
   * Makes the lane's next message its head, and reserves it where that is wished and it may be
   * sent: nothing is from a lane that is paused.
   */
  private Written promote(Message ended, Instant at, @Nullable Reservation reservation)
      throws SQLException {
    int account = accounts.idOrNew(session, ended.account());
    long now = Values.micros(at);
    boolean paused = pauses.isPaused(account, ended.to());
    if (reservation == null || paused) {
      int head = paused ? LanePauses.PAUSED_HEAD : LanePauses.HEAD;
      Head next =
          session.one(
              MessageSql.PROMOTE,
              found -> Values.head(found, 0, ended.account()),
              account,
              ended.to(),
              head,
              now);
      return next == null || paused ? Written.NO_NEXT : new Written(true, next, null);
    }
    Written next =
        session.one(
            MessageSql.PROMOTE_AND_RESERVE,
            found ->
                Values.status(found.getInt(7)) == Status.SENDING
                    ? new Written(true, null, Rows.raw(found, accounts))
                    : new Written(true, Rows.head(found, ended.account()), null),
            account,
            ended.to(),
            now);
    if (next == null) {
      return Written.NO_NEXT;
    }
    if (next.reserved != null) {
      reservation.spent().forEach(spending::save);
    }
    return next;
  }

  public List<EndedMessage> expire(Instant now, int limit) throws SQLException {
    List<Long> rows =
        session.all(MessageSql.EXPIRING, found -> found.getLong(1), Values.micros(now), limit);
    return endAll(
        rows,
        Status.EXPIRED,
        EndReason.EXPIRED.label(),
        "its time was over before it could be sent",
        now);
  }

  public List<EndedMessage> failQueued(String account, String reason, Instant now, int limit)
      throws SQLException {
    Integer id = accounts.id(account);
    if (id == null) {
      return List.of();
    }
    List<Long> rows =
        session.all(MessageSql.QUEUED_OF_ACCOUNT, found -> found.getLong(1), id, limit);
    return endAll(rows, Status.FAILED, reason, "account '" + account + "' is not configured", now);
  }

  private List<EndedMessage> endAll(
      List<Long> rows, Status status, String reason, String error, Instant now)
      throws SQLException {
    List<EndedMessage> all = new ArrayList<>(rows.size());
    for (long row : rows) {
      EndedMessage ended = end(row, status, reason, error, now);
      if (ended != null) {
        all.add(ended);
      }
    }
    return all;
  }

  private @Nullable EndedMessage end(
      long row, Status status, @Nullable String reason, @Nullable String error, Instant now)
      throws SQLException {
    record Found(StoredMessage message, boolean headOfLane) {}
    Found found =
        session.one(
            MessageSql.END_QUEUED,
            ended -> {
              boolean inLane = ended.getObject(5) != null;
              return new Found(
                  Rows.message(ended, accounts), inLane && ended.getInt(6) != LanePauses.BEHIND);
            },
            Values.status(status),
            Values.micros(now),
            reason,
            error,
            row);
    if (found == null) {
      return null;
    }
    Head next = found.headOfLane ? promote(found.message.message(), now, null).next() : null;
    return new EndedMessage(found.message, next);
  }

  private void addHistory(long row, @Nullable HistoryEntry entry) throws SQLException {
    if (entry != null) {
      addHistory(session, row, entry);
    }
  }

  static void addHistory(JdbcSession session, long row, HistoryEntry entry) throws SQLException {
    session.update(
        MessageSql.ADD_HISTORY,
        row,
        Values.micros(entry.at()),
        entry.attempt(),
        entry.part(),
        entry.outcome(),
        entry.error(),
        Values.nullableMicros(entry.nextAt()));
  }

  // ---- operating on messages

  public OperationResult cancel(MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(id);
    EndedMessage ended =
        message == null ? null : end(message.row(), Status.CANCELLED, null, null, now);
    return ended == null
        ? new OperationResult(message, false, null)
        : new OperationResult(ended.message(), true, ended.next());
  }

  public OperationResult retry(MessageId id, Instant now) throws SQLException {
    StoredMessage message = find(id);
    if (message == null) {
      return new OperationResult(null, false, null);
    }
    record Hurried(Head head, boolean paused) {}
    Hurried hurried =
        session.one(
            MessageSql.HURRY,
            found ->
                new Hurried(
                    Values.head(found, 0, message.message().account()),
                    found.getInt(7) == LanePauses.PAUSED_HEAD),
            Values.micros(now),
            message.row());
    return hurried == null
        ? new OperationResult(message, false, null)
        : new OperationResult(find(id), true, hurried.paused ? null : hurried.head);
  }

  public boolean discard(MessageId id) throws SQLException {
    StoredMessage message = find(id);
    if (message == null || !message.status().deadLetter()) {
      return false;
    }
    delete(
        message.row(),
        accounts.idOrNew(session, message.message().account()),
        message.message().to());
    return true;
  }

  private @Nullable StoredMessage find(MessageId id) throws SQLException {
    return session.one(
        MessageSql.BY_UID, row -> Rows.message(row, accounts), (Object) Rows.uid(id));
  }

  public PruneResult prune(Retention retention, int limit) throws SQLException {
    long keys = Values.micros(retention.keysBefore());
    long delivered = Values.micros(retention.deliveredBefore());
    long dead = Values.micros(retention.deadLettersBefore());
    List<Row> old = new ArrayList<>(old(MessageSql.OLD_DONE, delivered, limit));
    old.addAll(old(MessageSql.OLD_DONE_KEYED, Math.min(delivered, keys), limit - old.size()));
    old.addAll(old(MessageSql.OLD_DEAD, dead, keys, limit - old.size()));
    Map<String, Integer> deadLetters = new HashMap<>();
    for (Row row : old) {
      delete(row.id, row.account, row.chat);
      if (Values.status(row.status).deadLetter()) {
        deadLetters.merge(accounts.name(row.account), 1, Integer::sum);
      }
    }
    session.update(MessageSql.DELETE_BUDGETS, keys);
    return new PruneResult(old.size(), deadLetters);
  }

  private List<Row> old(String sql, Object... values) throws SQLException {
    return session.all(
        sql,
        row -> new Row(row.getLong(1), row.getInt(2), row.getInt(3), row.getString(4)),
        values);
  }

  private void delete(long row, int account, String chat) throws SQLException {
    indexes.deleted(row, account, chat);
    endEffects.delete(row);
    session.update(MessageSql.DELETE_MESSAGE, row);
    session.update(MessageSql.DELETE_HISTORY, row);
    inbox.delete(row);
  }
}
