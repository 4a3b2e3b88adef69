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
import dev.postrider.postgres.inbound.SessionMove;
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
import java.util.TreeSet;
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
 * <p>The accounts whose lanes change are locked first, and their fences read. A write under an
 * older fence is refused, by itself: the batch is undone and applied again without it.
 *
 * <p>A database may be some milliseconds away, so statements are put off until the result of one is
 * needed, and then go together. A batch of the usual kinds takes two round trips: the locks, what
 * ends, and what is to be known of new messages; then all that is added, and the commit.
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
  private final Map<Integer, Long> fences = new HashMap<>();
  private final LaneAssigner laneAssigner;
  private final ReceiptWriter receipts;
  private final MemoryWriter memory;
  private final SessionRows sessions;
  private final SessionMove sessionMove;
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
   * @param number the batch's
   */
  BatchApplier(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      long number) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.laneAssigner = new LaneAssigner(session, columns, accounts, sideEffects, fences);
    this.receipts = new ReceiptWriter(session, columns, accounts, sideEffects);
    this.memory = new MemoryWriter(session, columns, accounts);
    this.sessions = new SessionRows(session, columns);
    this.sessionMove = new SessionMove(session, columns, accounts);
    this.endEffects = new MessageEndEffects(session, columns, accounts, sessions);
    this.number = number;
  }

  /**
   * @param mark names the row that takes the batch's number
   * @throws LeasesLost if others hold the leases of some writes by now
   */
  void apply(List<WriteOp<?>> ops, String mark) throws SQLException {
    lock(ops, mark);
    if (!ops.stream().allMatch(BatchApplier::canBeUndone)) {
      checkLeases(ops);
    }
    for (List<WriteOp<?>> left = ops; !left.isEmpty(); ) {
      left = round(left);
    }
    workTheDesk();
    receipts.write(tells);
    RunWriteOp.applyAll(targets, session, columns, accounts);
    memory.write();
  }

  /**
   * Whether a write may be applied before it is known that its lease is in force, since it is not
   * committed then: so it needs not wait for the answer.
   */
  private static boolean canBeUndone(WriteOp<?> op) {
    return switch (op) {
      case WriteOp.Settle _, WriteOp.Reserve _, WriteOp.Advance _ -> true;
      case WriteOp.Enter _ -> false;
      default -> op.lease() == null;
    };
  }

  private void checkLeases(List<WriteOp<?>> ops) throws SQLException {
    session.flush();
    List<WriteOp<?>> lost = new ArrayList<>(0);
    for (WriteOp<?> op : ops) {
      Lease lease = op.lease();
      boolean current =
          lease != null
              ? laneAssigner.isCurrent(lease)
              : !(op instanceof WriteOp.Enter) || laneAssigner.isOwned(op.account());
      if (!current) {
        lost.add(op);
      }
    }
    if (!lost.isEmpty()) {
      throw new LeasesLost(lost);
    }
  }

  /** Others hold the leases of these writes by now: nothing of the batch may be committed. */
  static final class LeasesLost extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient List<WriteOp<?>> lost;

    LeasesLost(List<WriteOp<?>> lost) {
      super("the leases of " + lost.size() + " writes are lost");
      this.lost = lost;
    }

    /** Tells whoever handed them in; gives the others of the batch. */
    List<WriteOp<?>> refuseAmong(List<WriteOp<?>> ops) {
      lost.forEach(op -> op.leaseLost(op.account()));
      return ops.stream().filter(op -> !lost.contains(op)).toList();
    }
  }

  /** Locks the accounts whose lanes may change, and learns their fences. */
  private void lock(List<WriteOp<?>> ops, String mark) throws SQLException {
    TreeSet<Integer> touched = new TreeSet<>();
    for (WriteOp<?> op : ops) {
      String account = op.account();
      if (account != null) {
        touched.add(accounts.idOrNew(account));
      }
      String counted = op.counts();
      if (counted != null) {
        touched.add(accounts.idOrNew(counted));
      }
      for (String of : op.accepts()) {
        if (accounts.held(of) != null) {
          touched.add(accounts.idOrNew(of));
        }
      }
    }
    session.later(
        MessageSql.BEGIN,
        row -> fences.put(row.getInt(1), row.getLong(2)),
        mark,
        number,
        columns.ints(List.copyOf(touched), id -> id));
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
        sessions.expect(back.completion.inbound().sessionId());
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
    for (Alias alias : op.aliases) {
      if (chatNow(account, alias.former()).equals(alias.former())) { // else it is elsewhere
        sessionMove.move(account, alias.former(), chatNow(account, alias.chat()), op.sessionKey);
      }
    }
    for (WriteOp.Event event : op.events) {
      sessions.expect(event.session(), account, event.chat(), event.thread(), event.receivedAt());
    }
  }

  private String chatNow(int account, String name) throws SQLException {
    String moved = session.one(MessageSql.CHAT_NOW, row -> row.getString(1), account, name);
    return moved == null ? name : moved;
  }

  /** Applies what does not depend on each other; gives the rest. */
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
            new LaneMove(session, columns, accounts, sideEffects, laneAssigner, sessionMove)
                .move(move);
        case WriteOp.Alone<?> alone -> alone.apply(session, columns, sideEffects);
      }
    }
    LaneAssigner.@Nullable Newcomers newcomers =
        accepts.isEmpty() ? null : laneAssigner.lookUp(accepts);
    Map<Long, WriteOp.Written> settled = settle(settles);
    laneAssigner.takeIn(takeIns);
    laneAssigner.enter(enters);
    Map<Long, RawMessage> reserved = reserve(reserves);
    Set<Long> advanced = advance(advances);
    if (newcomers != null) {
      newcomers.askForLanes();
    }
    if (newcomers != null || !settles.isEmpty() || !reserves.isEmpty() || !advances.isEmpty()) {
      checkLeases(ops);
    }
    settled(settles, settled);
    reserved(reserves, reserved);
    advanced(advances, advanced);
    if (newcomers != null) {
      laneAssigner.accept(newcomers);
    }
    return later;
  }

  // ---- settling

  /** Gives what comes of it, by row, as soon as statements have been flushed. */
  private Map<Long, WriteOp.Written> settle(List<WriteOp.Settle> ops) throws SQLException {
    Map<Long, WriteOp.Written> applied = new HashMap<>();
    if (ops.isEmpty()) {
      return applied;
    }
    Map<Long, WriteOp.Settle> byRow = new HashMap<>();
    ops.forEach(op -> byRow.put(op.row, op));
    session.later(
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
    return applied;
  }

  private void settled(List<WriteOp.Settle> ops, Map<Long, WriteOp.Written> applied)
      throws SQLException {
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

  private Map<Long, RawMessage> reserve(List<WriteOp.Reserve> ops) throws SQLException {
    Map<Long, RawMessage> reserved = new HashMap<>();
    if (ops.isEmpty()) {
      return reserved;
    }
    List<Integer> owners = new ArrayList<>(ops.size());
    for (WriteOp.Reserve op : ops) {
      owners.add(accounts.idOrNew(op.account()));
    }
    session.later(
        MessageSql.RESERVE,
        row -> reserved.put(row.getLong(1), Rows.raw(row, accounts)),
        columns.longs(ops, op -> op.row),
        columns.longs(ops, op -> Values.micros(op.reservation.at())),
        columns.ints(owners, id -> id));
    return reserved;
  }

  private void reserved(List<WriteOp.Reserve> ops, Map<Long, RawMessage> reserved) {
    for (WriteOp.Reserve op : ops) {
      RawMessage raw = reserved.get(op.row);
      if (raw != null) {
        sideEffects.spend(op.reservation.spent());
      }
      op.is(raw);
    }
  }

  private Set<Long> advance(List<WriteOp.Advance> ops) throws SQLException {
    Set<Long> applied = new HashSet<>();
    if (!ops.isEmpty()) {
      session.later(
          MessageSql.PROGRESS,
          row -> applied.add(row.getLong(1)),
          columns.longs(ops, op -> op.row),
          columns.ints(ops, op -> op.message.reservation()),
          columns.bytes(ops, op -> op.progress));
    }
    return applied;
  }

  private void advanced(List<WriteOp.Advance> ops, Set<Long> applied) throws SQLException {
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
      session.updateLater(
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
