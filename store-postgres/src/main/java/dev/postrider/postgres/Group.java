package dev.postrider.postgres;

import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.HistoryEntry;
import dev.postrider.store.HandedBack;
import dev.postrider.store.Lease;
import dev.postrider.store.Settlement;
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
final class Group {
  private final Session session;
  private final Batches batches;
  private final Accounts accounts;
  private final Effects effects;
  private final Placing placing;
  private final Receipts receipts;
  private final Sessions sessions;
  private final Following following;
  private final long number;
  private final List<Op.Receive> receives = new ArrayList<>(0);
  private final List<Op.Tell> tells = new ArrayList<>(0);
  private final List<DeskOp.Take> takes = new ArrayList<>(0);
  private final List<DeskOp.Extend> extensions = new ArrayList<>(0);
  private final List<DeskOp.GiveBack> backs = new ArrayList<>(0);
  private final List<DeskOp.Follow> follows = new ArrayList<>(0);
  private final List<RunOp<?>> targets = new ArrayList<>(0);

  /**
   * @param fences of the accounts that are locked
   * @param number the batch's
   */
  Group(
      Session session,
      Batches batches,
      Accounts accounts,
      Effects effects,
      Map<Integer, Long> fences,
      long number) {
    this.session = session;
    this.batches = batches;
    this.accounts = accounts;
    this.effects = effects;
    this.placing = new Placing(session, batches, accounts, effects, fences);
    this.receipts = new Receipts(session, batches, accounts);
    this.sessions = new Sessions(session, batches);
    this.following = new Following(session, batches, accounts, sessions);
    this.number = number;
  }

  void apply(List<Op<?>> ops) throws SQLException {
    List<Op<?>> left = new ArrayList<>(ops.size());
    for (Op<?> op : ops) {
      Lease lease = op.lease();
      boolean lost =
          lease != null
              ? !placing.isCurrent(lease)
              : op instanceof Op.Enter && !placing.isOwned(op.account());
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
    RunOp.applyAll(targets, session, batches, accounts);
  }

  /** Sessions, then events, then messages that answer them, then turns: each kind once. */
  private void workTheDesk() throws SQLException {
    sessions.lock();
    List<Handing.Returned> returned =
        new Handing(session, batches, accounts, effects, sessions).apply(extensions, backs);
    new Inbox(session, batches, accounts, effects, sessions).receive(receives);
    List<Op<?>> answers = new ArrayList<>(0);
    returned.forEach(one -> answers.addAll(one.op().answers));
    for (List<Op<?>> left = answers; !left.isEmpty(); ) {
      left = round(left);
    }
    for (Handing.Returned one : returned) {
      HandedBack.Refusal refusal = one.op().refusal();
      if (refusal != null) {
        throw new AnswerRefused(one.op(), refusal);
      }
    }
    following.write(follows, returned);
    new HandingOut(session, batches, accounts, number).handOut(takes);
    sessions.save();
  }

  /** An event was given back with an answer that cannot be taken: none of it may be committed. */
  static final class AnswerRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient DeskOp.GiveBack op;
    private final transient HandedBack.Refusal refusal;

    AnswerRefused(DeskOp.GiveBack op, HandedBack.Refusal refusal) {
      super("an answer was refused");
      this.op = op;
      this.refusal = refusal;
    }

    /** To be called when what was written is undone. */
    void tell() {
      op.isRefused(refusal);
    }
  }

  private void toTheDesk(DeskOp<?> op) throws SQLException {
    switch (op) {
      case DeskOp.Take take -> takes.add(take);
      case DeskOp.Extend extension -> extensions.add(extension);
      case DeskOp.GiveBack back -> {
        backs.add(back);
        if (back.ends()) {
          sessions.expect(back.back.event().sessionId());
        }
      }
      case DeskOp.Follow follow -> {
        follows.add(follow);
        following.expect(follow);
      }
    }
  }

  private void toTheInbox(Op.Receive op) throws SQLException {
    receives.add(op);
    int account = accounts.idOrNew(op.account);
    for (Op.Event event : op.events) {
      sessions.expect(event.session(), account, event.chat(), event.thread(), event.receivedAt());
    }
  }

  private List<Op<?>> round(List<Op<?>> ops) throws SQLException {
    Set<Object> seen = new HashSet<>();
    List<Op<?>> later = new ArrayList<>(0);
    List<Op.Settle> settles = new ArrayList<>();
    List<Op.TakeIn> takeIns = new ArrayList<>(0);
    List<Op.Enter> enters = new ArrayList<>(0);
    List<Op.Accept> accepts = new ArrayList<>();
    List<Op.Reserve> reserves = new ArrayList<>();
    List<Op.Advance> advances = new ArrayList<>();
    for (Op<?> op : ops) {
      if (!seen.add(op.key())) {
        later.add(op);
        continue;
      }
      switch (op) {
        case Op.Settle settle -> settles.add(settle);
        case Op.TakeIn takeIn -> takeIns.add(takeIn);
        case Op.Enter enter -> enters.add(enter);
        case Op.Accept accept -> accepts.add(accept);
        case Op.Reserve reserve -> reserves.add(reserve);
        case Op.Advance advance -> advances.add(advance);
        case Op.Receive receive -> toTheInbox(receive);
        case Op.Tell tell -> tells.add(tell);
        case DeskOp<?> desk -> toTheDesk(desk);
        case RunOp<?> run -> targets.add(run);
        case Op.Spend spend -> {
          effects.spend(spend.budgets);
          spend.done();
        }
        case Op.MoveLane move ->
            new LaneMove(session, batches, accounts, effects, placing).move(move);
        case Op.Alone<?> alone -> alone.apply(session, batches, effects);
      }
    }
    settle(settles);
    placing.takeIn(takeIns);
    placing.enter(enters);
    placing.accept(accepts);
    reserve(reserves);
    advance(advances);
    return later;
  }

  // ---- settling

  private void settle(List<Op.Settle> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<Long, Op.Settle> byRow = new HashMap<>();
    ops.forEach(op -> byRow.put(op.row, op));
    Map<Long, Op.Written> applied = new HashMap<>();
    session.all(
        Sql.SETTLE,
        row -> {
          long id = row.getLong(Sql.MESSAGE_WIDTH + 1);
          Op.Settle op = byRow.get(id);
          boolean reserved = row.getBoolean(Sql.MESSAGE_WIDTH + 2);
          boolean promoted = !reserved && row.getObject(Sql.MESSAGE_WIDTH + 3) != null;
          if (!reserved && !promoted) { // whom it promoted stands in a row of its own
            applied.putIfAbsent(id, Op.Written.ALONE);
            return null;
          }
          applied.put(
              id,
              new Op.Written(
                  true,
                  promoted && op != null
                      ? Values.head(row, Sql.MESSAGE_WIDTH + 2, op.account())
                      : null,
                  reserved ? Rows.raw(row, accounts) : null));
          return null;
        },
        batches.longs(ops, op -> op.row),
        batches.ints(ops, op -> op.settlement.message().reservation()),
        batches.ints(ops, op -> Values.status(op.settlement.status())),
        batches.longs(ops, op -> Values.micros(op.settlement.at())),
        batches.longs(ops, op -> Values.micros(op.settlement.dueAt())),
        batches.ints(ops, op -> op.settlement.charged() ? 0 : 1),
        batches.bytes(ops, op -> op.progress),
        batches.texts(ops, op -> Rows.clean(op.settlement.error())),
        batches.texts(ops, op -> Rows.clean(op.settlement.reason())),
        batches.ints(ops, op -> flags(op.settlement)),
        batches.flags(ops, op -> op.settlement.message().message().idempotencyKey() != null),
        batches.flags(ops, op -> op.settlement.thenReserve() != null));
    List<Note> notes = new ArrayList<>(0);
    for (Op.Settle op : ops) {
      Op.Written written = applied.getOrDefault(op.row, Op.Written.STALE);
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

  private void settled(Op.Settle op, Op.Written written, List<Note> notes) throws SQLException {
    Settlement settlement = op.settlement;
    effects.spend(settlement.closed());
    note(op.row, settlement.history(), notes);
    receipts.claim(settlement.message(), op.accepted);
    if (settlement.status().ended()) {
      int account = accounts.idOrNew(op.account());
      effects.went(account);
      if (settlement.status().deadLetter()) {
        effects.died(account);
      }
    }
    if (written.reserved() != null && settlement.thenReserve() != null) {
      effects.spend(settlement.thenReserve().spent());
    }
  }

  // ---- reserving and advancing

  private void reserve(List<Op.Reserve> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<Long, Raw> reserved = new HashMap<>();
    List<Integer> owners = new ArrayList<>(ops.size());
    for (Op.Reserve op : ops) {
      owners.add(accounts.idOrNew(op.account()));
    }
    session.all(
        Sql.RESERVE,
        row -> reserved.put(row.getLong(1), Rows.raw(row, accounts)),
        batches.longs(ops, op -> op.row),
        batches.longs(ops, op -> Values.micros(op.reservation.at())),
        batches.ints(owners, id -> id));
    for (Op.Reserve op : ops) {
      Raw raw = reserved.get(op.row);
      if (raw != null) {
        effects.spend(op.reservation.spent());
      }
      op.is(raw);
    }
  }

  private void advance(List<Op.Advance> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Set<Long> applied =
        new HashSet<>(
            session.all(
                Sql.PROGRESS,
                row -> row.getLong(1),
                batches.longs(ops, op -> op.row),
                batches.ints(ops, op -> op.message.reservation()),
                batches.bytes(ops, op -> op.progress)));
    List<Note> notes = new ArrayList<>(0);
    for (Op.Advance op : ops) {
      boolean done = applied.contains(op.row);
      if (done) {
        note(op.row, op.history, notes);
        receipts.claim(op.message, op.accepted);
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
          Sql.ADD_HISTORY,
          batches.longs(notes, note -> note.row),
          batches.longs(notes, note -> Values.micros(note.entry.at())),
          batches.ints(notes, note -> note.entry.attempt()),
          batches.ints(notes, note -> note.entry.part()),
          batches.texts(notes, note -> note.entry.outcome()),
          batches.texts(notes, note -> Rows.clean(note.entry.error())),
          batches.nullableLongs(notes, note -> Values.nullableMicros(note.entry.nextAt())));
    }
  }
}
