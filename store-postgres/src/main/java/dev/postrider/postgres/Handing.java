package dev.postrider.postgres;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.HandBack;
import dev.postrider.store.InboundNote;
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
final class Handing {
  private final Session session;
  private final Batches batches;
  private final Accounts accounts;
  private final Effects effects;
  private final Sessions sessions;

  Handing(Session session, Batches batches, Accounts accounts, Effects effects, Sessions sessions) {
    this.session = session;
    this.batches = batches;
    this.accounts = accounts;
    this.effects = effects;
    this.sessions = sessions;
  }

  /** An event that somebody has, locked. */
  record Held(
      long row,
      UUID lease,
      int attempts,
      int deaths,
      @Nullable Long handedOut,
      @Nullable String error) {}

  /** An event that is given back. */
  record Returned(DeskOp.GiveBack op, Held held) {
    HandBack back() {
      return op.back;
    }

    int deaths() {
      return held.deaths + died();
    }

    int died() {
      return back().died() ? 1 : 0;
    }

    /** What went wrong last. */
    @Nullable String error() {
      InboundNote note = back().note();
      return note == null ? held.error : Rows.clean(note.error());
    }
  }

  /** Gives those that apply; of what ends, the sessions are locked. */
  List<Returned> apply(List<DeskOp.Extend> extensions, List<DeskOp.GiveBack> backs)
      throws SQLException {
    Map<UUID, Held> held = lock(extensions, backs);
    extend(extensions, held);
    List<Returned> returned = new ArrayList<>(backs.size());
    for (DeskOp.GiveBack op : backs) {
      Held of = held.get(op.back.lease());
      if (of != null && of.row == op.back.event().row()) {
        held.remove(of.lease); // from here on it is nobody's
        returned.add(new Returned(op, of));
      } else {
        op.isStale();
      }
    }
    waitAgain(returned.stream().filter(one -> !one.op.ends()).toList());
    end(returned.stream().filter(one -> one.op.ends()).toList());
    note(returned.stream().filter(one -> one.back().note() != null).toList());
    return returned;
  }

  private Map<UUID, Held> lock(List<DeskOp.Extend> extensions, List<DeskOp.GiveBack> backs)
      throws SQLException {
    List<UUID> leases =
        Stream.concat(
                extensions.stream().map(op -> op.lease), backs.stream().map(op -> op.back.lease()))
            .distinct()
            .toList();
    Map<UUID, Held> held = new HashMap<>();
    if (!leases.isEmpty()) {
      session
          .all(DeskSql.LOCK_LEASES, Handing::held, batches.uuids(leases, lease -> lease))
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
        row.getString(6));
  }

  private void extend(List<DeskOp.Extend> ops, Map<UUID, Held> held) throws SQLException {
    Map<Long, Instant> until = new HashMap<>(); // of several about one lease the last counts
    for (DeskOp.Extend op : ops) {
      Held of = held.get(op.lease);
      if (of != null) {
        until.put(of.row, op.until);
      }
      op.is(of != null);
    }
    if (!until.isEmpty()) {
      List<Map.Entry<Long, Instant>> all = List.copyOf(until.entrySet());
      session.update(
          DeskSql.EXTEND,
          batches.longs(all, Map.Entry::getKey),
          batches.longs(all, entry -> Values.micros(entry.getValue())));
    }
  }

  private void waitAgain(List<Returned> again) throws SQLException {
    if (again.isEmpty()) {
      return;
    }
    session.update(
        DeskSql.WAIT_AGAIN,
        batches.longs(again, one -> one.held.row),
        batches.longs(again, one -> Values.micros(one.back().dueAt())),
        batches.ints(again, Returned::died),
        batches.texts(again, Returned::error));
    effects.available();
  }

  private void end(List<Returned> gone) throws SQLException {
    if (gone.isEmpty()) {
      return;
    }
    session.update(DeskSql.LEAVE_INBOX, batches.longs(gone, one -> one.held.row));
    List<Promotion> promotions = new ArrayList<>();
    for (Returned one : gone) {
      HandBack back = one.back();
      int account = accounts.idOrNew(back.event().account());
      effects.eventWent(account);
      if (back.status() == InboundStatus.FAILED) {
        effects.eventDied(account);
      }
      Sessions.Lane lane = sessions.of(back.event().sessionId());
      if (lane.leave()) {
        promotions.add(new Promotion(lane, back.at()));
      }
    }
    promote(promotions);
  }

  private record Promotion(Sessions.Lane lane, Instant at) {}

  private void promote(List<Promotion> promotions) throws SQLException {
    if (promotions.isEmpty()) {
      return;
    }
    session.update(
        DeskSql.PROMOTE_NEXT,
        batches.texts(promotions, one -> one.lane.name()),
        batches.ints(promotions, one -> one.lane.head()),
        batches.longs(promotions, one -> Values.micros(one.at)));
    if (promotions.stream().anyMatch(one -> one.lane.head() == Sessions.HEAD)) {
      effects.available();
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
          DeskSql.ADD_NOTES,
          batches.longs(notes, Note::row),
          batches.longs(notes, note -> Values.micros(note.of.at())),
          batches.ints(notes, note -> note.of.attempt()),
          batches.texts(notes, note -> Rows.clean(note.of.error())),
          batches.nullableLongs(notes, note -> Values.nullableMicros(note.of.nextAt())));
    }
  }
}
