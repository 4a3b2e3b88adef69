package dev.postrider.postgres;

import dev.postrider.channel.Alias;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.inbound.InboundIntake;
import dev.postrider.postgres.inbound.LeaseGrants;
import dev.postrider.postgres.inbound.LeaseWriter;
import dev.postrider.postgres.inbound.MessageEndEffects;
import dev.postrider.postgres.inbound.SessionRows;
import dev.postrider.postgres.message.LaneAssigner;
import dev.postrider.postgres.message.LaneMove;
import dev.postrider.postgres.message.MemoryWriter;
import dev.postrider.postgres.message.ReceiptWriter;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.postgres.write.RunWriteOp;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one batch, applied kind by kind: a statement takes all writes of its kind at once.
 *
 * <p>Writes of one batch were handed in at the same time, so any order among them is a right one,
 * but for two things: messages of one lane keep the order they were handed in, and of several
 * writes about one row (or one idempotency key) the first counts before the second is looked at. So
 * the batch is worked off in rounds, in each of which a row or a key occurs once; nearly always
 * there is one round.
 *
 * <p>The accounts whose lanes change are locked, and the fences known: a write under an older fence
 * is refused here, by itself, and the others go on.
 *
 * <p>What comes from platforms, what is done with it, and what is said of runs' targets is written
 * last, each kind once: it needs no account's lock, and whatever other nodes may hold for a moment
 * is waited for in one order. Messages that answer an event are the exception: whether they are
 * accepted is known only when the event was given back.
 */
final class BatchApplier {
  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final LaneAssigner laneAssigner;
  private final ReceiptWriter receipts;
  private final MemoryWriter memory;
  private final SessionRows sessions;
  private final MessageEndEffects endEffects;
  private final long number;
  private final List<WriteOp.Receive> receives = new ArrayList<>(0);
  private final List<WriteOp.Tell> tells = new ArrayList<>(0);
  private final List<InboundWriteOp.Take> takes = new ArrayList<>(0);
  private final List<InboundWriteOp.Extend> extensions = new ArrayList<>(0);
  private final List<InboundWriteOp.GiveBack> backs = new ArrayList<>(0);
  private final List<InboundWriteOp.Follow> follows = new ArrayList<>(0);
  private final List<RunWriteOp<?>> targets = new ArrayList<>(0);

  /**
   * @param fences of the accounts that are locked
   * @param number the batch's
   */
  BatchApplier(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      Map<Integer, Long> fences,
      long number) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.laneAssigner = new LaneAssigner(session, columns, accounts, sideEffects, fences);
    this.receipts = new ReceiptWriter(session, columns, accounts, sideEffects);
    this.memory = new MemoryWriter(session, columns, accounts);
    this.sessions = new SessionRows(session, columns);
    this.endEffects = new MessageEndEffects(session, columns, accounts, sessions);
    this.number = number;
  }

  void apply(List<WriteOp<?>> ops) throws SQLException {
    List<WriteOp<?>> left = new ArrayList<>(ops.size());
    for (WriteOp<?> op : ops) {
      Lease lease = op.lease();
      boolean lost =
          lease != null
              ? !laneAssigner.isCurrent(lease)
              : op instanceof WriteOp.Enter && !laneAssigner.isOwned(op.account());
      if (lost) {
        op.leaseLost(op.account());
      } else {
        left.add(op);
      }
    }
    while (!left.isEmpty()) {
      left = round(left);
    }
    workTheDesk();
    receipts.write(tells);
    RunWriteOp.applyAll(targets, session, columns, accounts);
    memory.write();
  }

  /** Sessions, then events, then messages that answer them, then turns: each kind once. */
  private void workTheDesk() throws SQLException {
    sessions.lock();
    List<LeaseWriter.Returned> returned =
        new LeaseWriter(session, columns, accounts, sideEffects, sessions).apply(extensions, backs);
    new InboundIntake(session, columns, accounts, sideEffects, sessions).receive(receives);
    for (WriteOp.Receive op : receives) {
      if (op.isNews()) {
        memory.add(op.account, op.memory);
      }
      tell(op);
    }
    List<WriteOp<?>> answers = new ArrayList<>(0);
    returned.forEach(one -> answers.addAll(one.op().answers));
    for (List<WriteOp<?>> left = answers; !left.isEmpty(); ) {
      left = round(left);
    }
    for (LeaseWriter.Returned one : returned) {
      CompletionResult.Refusal refusal = one.op().refusal();
      if (refusal != null) {
        throw new AnswerRefused(one.op(), refusal);
      }
    }
    endEffects.write(follows, returned);
    new LeaseGrants(session, columns, accounts, number).handOut(takes);
    sessions.save();
  }

  /** Names of chats that are rarely told: the owner of the account is to join their lanes. */
  private void tell(WriteOp.Receive op) throws SQLException {
    for (Alias alias : op.aliases) {
      int account = accounts.idOrNew(op.account);
      session.update(MessageSql.TELL_ALIAS, account, alias.former(), alias.chat());
      sideEffects.changed(account);
    }
  }

  /** An event was given back with an answer that cannot be taken: none of it may be committed. */
  static final class AnswerRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient InboundWriteOp.GiveBack op;
    private final transient CompletionResult.Refusal refusal;

    AnswerRefused(InboundWriteOp.GiveBack op, CompletionResult.Refusal refusal) {
      super("an answer was refused");
      this.op = op;
      this.refusal = refusal;
    }

    /** To be called when what was written is undone. */
    void tell() {
      op.isRefused(refusal);
    }
  }

  private void toTheDesk(InboundWriteOp<?> op) throws SQLException {
    switch (op) {
      case InboundWriteOp.Take take -> takes.add(take);
      case InboundWriteOp.Extend extension -> extensions.add(extension);
      case InboundWriteOp.GiveBack back -> {
        backs.add(back);
        if (back.ends()) {
          sessions.expect(back.completion.inbound().sessionId());
        }
      }
      case InboundWriteOp.Follow follow -> {
        follows.add(follow);
        endEffects.expect(follow);
      }
    }
  }

  private void toTheInbox(WriteOp.Receive op) throws SQLException {
    receives.add(op);
    int account = accounts.idOrNew(op.account);
    for (WriteOp.Event event : op.events) {
      sessions.expect(event.session(), account, event.chat(), event.thread(), event.receivedAt());
    }
  }

  private List<WriteOp<?>> round(List<WriteOp<?>> ops) throws SQLException {
    Set<Object> seen = new HashSet<>();
    List<WriteOp<?>> later = new ArrayList<>(0);
    List<WriteOp.Settle> settles = new ArrayList<>();
    List<WriteOp.TakeIn> takeIns = new ArrayList<>(0);
    List<WriteOp.Enter> enters = new ArrayList<>(0);
    List<WriteOp.Accept> accepts = new ArrayList<>();
    List<WriteOp.Reserve> reserves = new ArrayList<>();
    List<WriteOp.Advance> advances = new ArrayList<>();
    for (WriteOp<?> op : ops) {
      if (!seen.add(op.key())) {
        later.add(op);
        continue;
      }
      switch (op) {
        case WriteOp.Settle settle -> settles.add(settle);
        case WriteOp.TakeIn takeIn -> takeIns.add(takeIn);
        case WriteOp.Enter enter -> enters.add(enter);
        case WriteOp.Accept accept -> accepts.add(accept);
        case WriteOp.Reserve reserve -> reserves.add(reserve);
        case WriteOp.Advance advance -> advances.add(advance);
        case WriteOp.Receive receive -> toTheInbox(receive);
        case WriteOp.Tell tell -> tells.add(tell);
        case InboundWriteOp<?> desk -> toTheDesk(desk);
        case RunWriteOp<?> run -> targets.add(run);
        case WriteOp.Spend spend -> {
          sideEffects.spend(spend.budgets);
          spend.done();
        }
        case WriteOp.MoveLane move ->
            new LaneMove(session, columns, accounts, sideEffects, laneAssigner).move(move);
        case WriteOp.Alone<?> alone -> alone.apply(session, columns, sideEffects);
      }
    }
    settle(settles);
    laneAssigner.takeIn(takeIns);
    laneAssigner.enter(enters);
    laneAssigner.accept(accepts);
    reserve(reserves);
    advance(advances);
    return later;
  }

  // ---- settling

  private void settle(List<WriteOp.Settle> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<Long, WriteOp.Settle> byRow = new HashMap<>();
    ops.forEach(op -> byRow.put(op.row, op));
    Map<Long, WriteOp.Written> applied = new HashMap<>();
    session.all(
        MessageSql.SETTLE,
        row -> {
          long id = row.getLong(MessageSql.MESSAGE_WIDTH + 1);
          WriteOp.Settle op = byRow.get(id);
          boolean reserved = row.getBoolean(MessageSql.MESSAGE_WIDTH + 2);
          boolean promoted = !reserved && row.getObject(MessageSql.MESSAGE_WIDTH + 3) != null;
          if (!reserved && !promoted) { // whom it promoted stands in a row of its own
            applied.putIfAbsent(id, WriteOp.Written.ALONE);
            return null;
          }
          applied.put(
              id,
              new WriteOp.Written(
                  true,
                  promoted && op != null
                      ? Values.head(row, MessageSql.MESSAGE_WIDTH + 2, op.account())
                      : null,
                  reserved ? Rows.raw(row, accounts) : null,
                  null));
          return null;
        },
        columns.longs(ops, op -> op.row),
        columns.ints(ops, op -> op.settlement.message().reservation()),
        columns.ints(ops, op -> Values.status(op.settlement.status())),
        columns.longs(ops, op -> Values.micros(op.settlement.at())),
        columns.longs(ops, op -> Values.micros(op.settlement.dueAt())),
        columns.ints(ops, op -> op.settlement.charged() ? 0 : 1),
        columns.bytes(ops, op -> op.progress),
        columns.texts(ops, op -> Rows.clean(op.settlement.error())),
        columns.texts(ops, op -> Rows.clean(op.settlement.reason())),
        columns.ints(ops, op -> flags(op.settlement)),
        columns.flags(ops, op -> op.settlement.message().message().idempotencyKey() != null),
        columns.flags(ops, op -> op.settlement.thenReserve() != null));
    List<Note> notes = new ArrayList<>(0);
    for (WriteOp.Settle op : ops) {
      WriteOp.Written written = applied.getOrDefault(op.row, WriteOp.Written.STALE);
      if (written.applied()) {
        settled(op, written, notes);
      }
      op.is(written);
    }
    write(notes);
  }

  private static int flags(Settlement settlement) {
    return (settlement.late() ? Values.LATE : 0)
        | (settlement.possibleDuplicate() ? Values.POSSIBLE_DUPLICATE : 0);
  }

  private void settled(WriteOp.Settle op, WriteOp.Written written, List<Note> notes)
      throws SQLException {
    Settlement settlement = op.settlement;
    sideEffects.spend(settlement.closed());
    note(op.row, settlement.history(), notes);
    receipts.claim(op, written);
    memory.add(op.account(), op.memory);
    if (settlement.status().ended()) {
      int account = accounts.idOrNew(op.account());
      sideEffects.messageEnded(account);
      if (settlement.status().deadLetter()) {
        sideEffects.deadLetterAdded(account);
      }
    }
    if (written.reserved() != null && settlement.thenReserve() != null) {
      sideEffects.spend(settlement.thenReserve().spent());
    }
  }

  // ---- reserving and advancing

  private void reserve(List<WriteOp.Reserve> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<Long, RawMessage> reserved = new HashMap<>();
    List<Integer> owners = new ArrayList<>(ops.size());
    for (WriteOp.Reserve op : ops) {
      owners.add(accounts.idOrNew(op.account()));
    }
    session.all(
        MessageSql.RESERVE,
        row -> reserved.put(row.getLong(1), Rows.raw(row, accounts)),
        columns.longs(ops, op -> op.row),
        columns.longs(ops, op -> Values.micros(op.reservation.at())),
        columns.ints(owners, id -> id));
    for (WriteOp.Reserve op : ops) {
      RawMessage raw = reserved.get(op.row);
      if (raw != null) {
        sideEffects.spend(op.reservation.spent());
      }
      op.is(raw);
    }
  }

  private void advance(List<WriteOp.Advance> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Set<Long> applied =
        new HashSet<>(
            session.all(
                MessageSql.PROGRESS,
                row -> row.getLong(1),
                columns.longs(ops, op -> op.row),
                columns.ints(ops, op -> op.message.reservation()),
                columns.bytes(ops, op -> op.progress)));
    List<Note> notes = new ArrayList<>(0);
    for (WriteOp.Advance op : ops) {
      boolean done = applied.contains(op.row);
      if (done) {
        note(op.row, op.history, notes);
        receipts.claim(op.message, op.accepted);
        memory.add(op.account(), op.memory);
      }
      op.is(done);
    }
    write(notes);
  }

  // ---- history

  private record Note(long row, HistoryEntry entry) {}

  private static void note(long row, @Nullable HistoryEntry entry, List<Note> notes) {
    if (entry != null) {
      notes.add(new Note(row, entry));
    }
  }

  private void write(List<Note> notes) throws SQLException {
    if (!notes.isEmpty()) {
      session.update(
          MessageSql.ADD_HISTORY,
          columns.longs(notes, note -> note.row),
          columns.longs(notes, note -> Values.micros(note.entry.at())),
          columns.ints(notes, note -> note.entry.attempt()),
          columns.ints(notes, note -> note.entry.part()),
          columns.texts(notes, note -> note.entry.outcome()),
          columns.texts(notes, note -> Rows.clean(note.entry.error())),
          columns.nullableLongs(notes, note -> Values.nullableMicros(note.entry.nextAt())));
    }
  }
}
