package dev.postrider.postgres;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.RawEvent;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Minute;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rare writes about events and sessions, each in a transaction of its own. */
final class DeskWriter {
  private final Accounts accounts;

  DeskWriter(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- leases

  int disown(Session session, @Nullable String holder, Instant now) throws SQLException {
    long at = Values.micros(now);
    return session.update(DeskSql.DISOWN, at, holder, at);
  }

  // ---- dead letters

  @Nullable RawEvent replay(
      Session session, Batches batches, Effects effects, InboundId dead, InboundId as, Instant now)
      throws SQLException {
    Reader rows = new Reader(session, accounts);
    RawEvent old = session.one(InboundSql.EVENT_BY_UID, rows::rawEvent, dead.value());
    if (old == null) {
      return null;
    }
    Arrival arrival = old.decode().arrival();
    int account = accounts.idOrNew(old.account());
    Sessions sessions = new Sessions(session, batches);
    sessions.expect(
        old.session(), account, Rows.cleaned(arrival.chat()), Rows.clean(arrival.threadId()), now);
    sessions.lock();
    boolean mine =
        session.one(DeskSql.MARK_EVENT_REPLAYED, row -> row.getLong(1), as.value(), dead.value())
            != null;
    if (mine) {
      Sessions.Lane lane = sessions.of(old.session());
      lane.spoke(Values.micros(now));
      add(session, batches, effects, old, as, now, account, lane.join());
    }
    sessions.save();
    return mine ? session.one(InboundSql.EVENT_BY_UID, rows::rawEvent, as.value()) : null;
  }

  private static void add(
      Session session,
      Batches batches,
      Effects effects,
      RawEvent old,
      InboundId as,
      Instant now,
      int account,
      int head)
      throws SQLException {
    Long row = session.one(InboundSql.NEXT_EVENTS, next -> next.getLong(1), 1);
    if (row == null) {
      throw new IllegalStateException("no row was given to an event");
    }
    long at = Values.micros(now);
    session.update(DeskSql.ADD_REPLAY, row, at, old.contentFor(as), as.value(), old.row());
    session.update(
        DeskSql.ADD_TO_INBOX,
        batches.longs(List.of(row), one -> one),
        batches.ints(List.of(account), one -> one),
        batches.texts(List.of(old.session()), one -> one),
        batches.ints(List.of(head), one -> one),
        batches.longs(List.of(at), one -> one));
    effects.eventCame(account);
    if (head == Sessions.HEAD) {
      effects.available();
    }
  }

  boolean discard(Session session, Effects effects, InboundId id) throws SQLException {
    Integer account = session.one(DeskSql.DISCARD, row -> row.getInt(2), id.value());
    if (account != null) {
      effects.eventBuried(account);
    }
    return account != null;
  }

  // ---- sessions

  boolean pause(Session session, String name, String reason, Instant now) throws SQLException {
    boolean there =
        session.update(SessionSql.PAUSE_SESSION, Rows.cleaned(reason), Values.micros(now), name)
            > 0;
    if (there) {
      session.update(DeskSql.SET_HEAD, Sessions.HEAD_OF_PAUSED, name);
    }
    return there;
  }

  boolean resume(Session session, Effects effects, String name) throws SQLException {
    boolean resumed = session.update(SessionSql.RESUME_SESSION, name) > 0;
    if (resumed && session.update(DeskSql.SET_HEAD, Sessions.HEAD, name) > 0) {
      effects.available();
    }
    return resumed;
  }

  // ---- pruning

  int prune(Session session, Effects effects, Instant instant, int limit) throws SQLException {
    long before = Values.micros(instant);
    int gone = pruneEvents(session, effects, before, limit);
    gone += session.update(SessionSql.DELETE_SAID, before, limit - gone);
    gone += session.update(SessionSql.DELETE_SESSIONS, before, limit - gone);
    return gone + session.update(InboundSql.DELETE_UNCLAIMED, before, limit - gone);
  }

  private static int pruneEvents(Session session, Effects effects, long before, int limit)
      throws SQLException {
    record Gone(int account, InboundStatus status) {}
    List<Gone> events =
        session.all(
            DeskSql.DELETE_EVENTS,
            row -> new Gone(row.getInt(1), Values.inboundStatus(row.getInt(2))),
            before,
            limit);
    events.stream()
        .filter(event -> event.status == InboundStatus.FAILED)
        .forEach(event -> effects.eventBuried(event.account));
    return events.size();
  }

  // ---- how the queues went

  void save(Session session, String node, Minute minute, boolean depths) throws SQLException {
    Minute.Flow in = minute.inbound();
    Minute.Flow out = minute.outbound();
    session.update(
        SessionSql.SAVE_MINUTE,
        Values.micros(minute.at()),
        node,
        in.taken(),
        in.done(),
        in.errors(),
        out.taken(),
        out.done(),
        out.errors(),
        depths ? in.waiting() : null,
        depths ? in.underWay() : null,
        depths ? in.deadLetters() : null,
        depths ? out.waiting() : null,
        depths ? out.underWay() : null,
        depths ? out.deadLetters() : null);
  }
}
