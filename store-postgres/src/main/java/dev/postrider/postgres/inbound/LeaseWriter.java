package dev.postrider.postgres.inbound;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.InboundNote;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a batch says of leases. Any node may say it, two of them of the same lease at the same
 * moment: the rows of all leases that a batch speaks of are locked in one order, and only then is
 * it known which of them still hold.
 */
public final class LeaseWriter {
  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final SessionRows sessions;

  public LeaseWriter(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      SessionRows sessions) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.sessions = sessions;
  }

  /** An inbound message that somebody has, locked. */
  public record Held(
      long row,
      UUID lease,
      int attempts,
      int deaths,
      @Nullable Long handedOut,
      @Nullable String error,
      boolean isHead) {}

  /** An inbound message that is given back. */
  public record Returned(InboundWriteOp.GiveBack op, Held held) {
    Completion back() {
      return op.completion;
    }

    int deaths() {
      return held.deaths + died();
    }

    int died() {
      return back().leaseExpired() ? 1 : 0;
    }

    /** What went wrong last. */
    @Nullable String error() {
      InboundNote note = back().note();
      return note == null ? held.error : Rows.clean(note.error());
    }
  }

  /** Gives those that apply; their sessions are locked. */
  public List<Returned> apply(
      List<InboundWriteOp.Extend> extensions, List<InboundWriteOp.GiveBack> backs)
      throws SQLException {
    Map<UUID, Held> held = lock(extensions, backs);
    extend(extensions, held);
    List<Returned> returned = new ArrayList<>(backs.size());
    for (InboundWriteOp.GiveBack op : backs) {
      Held of = held.get(op.completion.lease());
      if (of != null && of.row == op.completion.inbound().row()) {
        held.remove(of.lease); // from here on it is nobody's
        returned.add(new Returned(op, of));
      } else {
        op.isStale();
      }
    }
    waitAgain(returned.stream().filter(one -> !one.op.ends()).toList());
    end(returned.stream().filter(one -> one.op.ends()).toList());
    promote(returned);
    note(returned.stream().filter(one -> one.back().note() != null).toList());
    return returned;
  }

  private Map<UUID, Held> lock(
      List<InboundWriteOp.Extend> extensions, List<InboundWriteOp.GiveBack> backs)
      throws SQLException {
    List<UUID> leases =
        Stream.concat(
                extensions.stream().map(op -> op.lease),
                backs.stream().map(op -> op.completion.lease()))
            .distinct()
            .toList();
    Map<UUID, Held> held = new HashMap<>();
    if (!leases.isEmpty()) {
      session
          .all(TurnSql.LOCK_LEASES, LeaseWriter::held, columns.uuids(leases, lease -> lease))
          .forEach(one -> held.put(one.lease, one));
    }
    return held;
  }

  private static Held held(ResultSet row) throws SQLException {
    return new Held(
        row.getLong(1),
        row.getObject(2, UUID.class),
        row.getInt(3),
        row.getInt(4),
        row.getObject(5, Long.class),
        row.getString(6),
        row.getInt(7) != SessionRows.BEHIND);
  }

  private void extend(List<InboundWriteOp.Extend> ops, Map<UUID, Held> held) throws SQLException {
    Map<Long, Instant> until = new HashMap<>(); // of several about one lease the last counts
    for (InboundWriteOp.Extend op : ops) {
      Held of = held.get(op.lease);
      if (of != null) {
        until.put(of.row, op.until);
      }
      op.is(of != null);
    }
    if (!until.isEmpty()) {
      List<Map.Entry<Long, Instant>> all = List.copyOf(until.entrySet());
      session.update(
          TurnSql.EXTEND,
          columns.longs(all, Map.Entry::getKey),
          columns.longs(all, entry -> Values.micros(entry.getValue())));
    }
  }

  private void waitAgain(List<Returned> again) throws SQLException {
    if (again.isEmpty()) {
      return;
    }
    session.update(
        TurnSql.WAIT_AGAIN,
        columns.longs(again, one -> one.held.row),
        columns.longs(again, one -> Values.micros(one.back().dueAt())),
        columns.ints(again, Returned::died),
        columns.texts(again, Returned::error));
    sideEffects.available();
  }

  private void end(List<Returned> gone) throws SQLException {
    if (gone.isEmpty()) {
      return;
    }
    session.update(TurnSql.LEAVE_INBOX, columns.longs(gone, one -> one.held.row));
    for (Returned one : gone) {
      Completion completion = one.back();
      int account = accounts.idOrNew(completion.inbound().account());
      sideEffects.inboundEnded(account);
      if (completion.status() == InboundStatus.FAILED) {
        sideEffects.inboundDeadLetterAdded(account);
      }
      session(one).leave();
    }
  }

  private SessionRows.Lane session(Returned one) {
    return sessions.of(one.back().inbound().sessionId());
  }

  /** After what has ended, and after what is no head: others of its session may be handed out. */
  private void promote(List<Returned> returned) throws SQLException {
    List<Returned> heads = returned.stream().filter(one -> one.held.isHead).toList();
    promote(TurnSql.PROMOTE_NEXT, heads.stream().filter(one -> one.op.ends()).toList());
    promote(TurnSql.PROMOTE_IF_ALONE, returned.stream().filter(one -> !one.held.isHead).toList());
  }

  private void promote(String sql, List<Returned> after) throws SQLException {
    List<Returned> all = after.stream().filter(one -> session(one).isWaitedIn()).toList();
    if (all.isEmpty()) {
      return;
    }
    session.update(
        sql,
        columns.texts(all, one -> session(one).name()),
        columns.ints(all, one -> session(one).head()),
        columns.longs(all, one -> Values.micros(one.back().at())));
    if (all.stream().anyMatch(one -> session(one).head() == SessionRows.HEAD)) {
      sideEffects.available();
    }
  }

  private void note(List<Returned> noted) throws SQLException {
    record Note(long row, InboundNote of) {}
    List<Note> notes = new ArrayList<>(noted.size());
    for (Returned one : noted) {
      InboundNote note = one.back().note();
      if (note != null) {
        notes.add(new Note(one.held.row, note));
      }
    }
    if (!notes.isEmpty()) {
      session.update(
          TurnSql.ADD_NOTES,
          columns.longs(notes, Note::row),
          columns.longs(notes, note -> Values.micros(note.of.at())),
          columns.ints(notes, note -> note.of.attempt()),
          columns.texts(notes, note -> Rows.clean(note.of.error())),
          columns.nullableLongs(notes, note -> Values.nullableMicros(note.of.nextAt())));
    }
  }
}
