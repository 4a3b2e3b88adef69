package dev.postrider.postgres.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.store.inbound.StoredInbound;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rare writes about inbound messages and sessions, each in a transaction of its own. */
public final class InboundWriter {
  private final Accounts accounts;

  public InboundWriter(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- leases

  public @Nullable RawInbound take(
      JdbcSession session, StoredInbound upTo, UUID lease, Instant now, Instant until)
      throws SQLException {
    return session.one(
        TurnSql.TAKE_HEAD,
        new PostgresReader(session, accounts)::rawEvent,
        lease,
        Values.micros(now),
        Values.micros(until),
        upTo.sessionId(),
        upTo.row());
  }

  public int disown(JdbcSession session, @Nullable String holder, Instant now) throws SQLException {
    long at = Values.micros(now);
    return session.update(TurnSql.DISOWN, at, holder, at);
  }

  // ---- dead letters

  public @Nullable RawInbound replay(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      InboundId dead,
      InboundId as,
      Instant now)
      throws SQLException {
    PostgresReader rows = new PostgresReader(session, accounts);
    RawInbound old = session.one(InboundSql.EVENT_BY_UID, rows::rawEvent, dead.value());
    if (old == null) {
      return null;
    }
    InboundMessage arrival = old.decode().arrival();
    int account = accounts.idOrNew(old.account());
    SessionRows sessions = new SessionRows(session, columns);
    sessions.expect(
        old.session(), account, Rows.cleaned(arrival.chat()), Rows.clean(arrival.threadId()), now);
    sessions.lock();
    boolean mine =
        session.one(TurnSql.MARK_EVENT_REPLAYED, row -> row.getLong(1), as.value(), dead.value())
            != null;
    if (mine) {
      SessionRows.Lane lane = sessions.of(old.session());
      lane.spoke(Values.micros(now));
      add(session, columns, sideEffects, old, as, now, account, lane);
    }
    sessions.save();
    return mine ? session.one(InboundSql.EVENT_BY_UID, rows::rawEvent, as.value()) : null;
  }

  private static void add(
      JdbcSession session,
      BatchColumns columns,
      BatchSideEffects sideEffects,
      RawInbound old,
      InboundId as,
      Instant now,
      int account,
      SessionRows.Lane lane)
      throws SQLException {
    int head = lane.join();
    Long row = session.one(InboundSql.NEXT_EVENTS, next -> next.getLong(1), 1);
    if (row == null) {
      throw new IllegalStateException("no row was given to an event");
    }
    long at = Values.micros(now);
    session.update(TurnSql.ADD_REPLAY, row, at, old.contentFor(as), as.value(), old.row());
    session.update(
        TurnSql.ADD_TO_INBOX,
        columns.longs(List.of(row), one -> one),
        columns.ints(List.of(account), one -> one),
        columns.texts(List.of(lane), SessionRows.Lane::name),
        columns.ints(List.of(head), one -> one),
        columns.longs(List.of(at), one -> one));
    sideEffects.inboundAdded(account);
    if (head == SessionRows.HEAD) {
      sideEffects.available();
    }
  }

  public boolean discard(JdbcSession session, BatchSideEffects sideEffects, InboundId id)
      throws SQLException {
    Integer account = session.one(TurnSql.DISCARD, row -> row.getInt(2), id.value());
    if (account != null) {
      sideEffects.inboundDeadLetterRemoved(account);
    }
    return account != null;
  }

  // ---- sessions

  public boolean pause(
      JdbcSession session, BatchColumns columns, String id, String reason, Instant now)
      throws SQLException {
    String name = locked(session, columns, id);
    boolean there =
        session.update(SessionSql.PAUSE_SESSION, Rows.cleaned(reason), Values.micros(now), name)
            > 0;
    if (there) {
      session.update(TurnSql.SET_HEAD, SessionRows.HEAD_OF_PAUSED, name);
    }
    return there;
  }

  public boolean resume(
      JdbcSession session, BatchColumns columns, BatchSideEffects sideEffects, String id)
      throws SQLException {
    String name = locked(session, columns, id);
    boolean resumed = session.update(SessionSql.RESUME_SESSION, name) > 0;
    if (resumed && session.update(TurnSql.SET_HEAD, SessionRows.HEAD, name) > 0) {
      sideEffects.available();
    }
    return resumed;
  }

  /** The name of the session that is meant, which nobody else changes until this is committed. */
  private static String locked(JdbcSession session, BatchColumns columns, String id)
      throws SQLException {
    SessionRows sessions = new SessionRows(session, columns);
    sessions.expect(id);
    sessions.lock();
    SessionRows.Lane lane = sessions.find(id);
    return lane == null ? id : lane.name();
  }

  // ---- pruning

  public int prune(JdbcSession session, BatchSideEffects sideEffects, Instant instant, int limit)
      throws SQLException {
    long before = Values.micros(instant);
    int gone = pruneEvents(session, sideEffects, before, limit);
    gone += session.update(SessionSql.DELETE_SAID, before, limit - gone);
    gone += session.update(SessionSql.DELETE_SESSIONS, before, limit - gone);
    return gone + session.update(InboundSql.DELETE_UNCLAIMED, before, limit - gone);
  }

  private static int pruneEvents(
      JdbcSession session, BatchSideEffects sideEffects, long before, int limit)
      throws SQLException {
    record Gone(int account, InboundStatus status) {}
    List<Gone> events =
        session.all(
            TurnSql.DELETE_EVENTS,
            row -> new Gone(row.getInt(1), Values.inboundStatus(row.getInt(2))),
            before,
            limit);
    events.stream()
        .filter(event -> event.status == InboundStatus.FAILED)
        .forEach(event -> sideEffects.inboundDeadLetterRemoved(event.account));
    return events.size();
  }

  // ---- how the queues went

  public void save(JdbcSession session, String node, QueueMinute minute, boolean depths)
      throws SQLException {
    QueueMinute.Flow in = minute.inbound();
    QueueMinute.Flow out = minute.outbound();
    session.update(
        SessionSql.SAVE_MINUTE,
        Values.micros(minute.at()),
        node,
        in.taken(),
        in.done(),
        in.errors(),
        in.lost(),
        out.taken(),
        out.done(),
        out.errors(),
        out.lost(),
        depths ? in.waiting() : null,
        depths ? in.underWay() : null,
        depths ? in.deadLetters() : null,
        depths ? out.waiting() : null,
        depths ? out.underWay() : null,
        depths ? out.deadLetters() : null);
  }
}
