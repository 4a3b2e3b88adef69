package dev.postrider.postgres;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.jdbc.InboundReader;
import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.inbound.SessionRows;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.store.Transfer.Event;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about events and sessions. */
final class MovingDesk {
  private final Accounts accounts;

  MovingDesk(Accounts accounts) {
    this.accounts = accounts;
  }

  private InboundReader reader(JdbcSession session) {
    return new InboundReader(new PostgresReader(session, accounts));
  }

  // ---- events, out

  List<Event> events(JdbcSession session, BatchColumns arrays, long afterRow, int limit)
      throws SQLException {
    PostgresReader rows = new PostgresReader(session, accounts);
    return withNotes(
        session,
        arrays,
        session.all(InboundSql.CARRY_EVENTS, row -> event(rows, row), afterRow, limit));
  }

  List<Event> find(JdbcSession session, BatchColumns arrays, List<Event> events)
      throws SQLException {
    PostgresReader rows = new PostgresReader(session, accounts);
    return withNotes(
        session,
        arrays,
        session.all(
            InboundSql.CARRY_THESE_EVENTS,
            row -> event(rows, row),
            arrays.uuids(events, one -> one.inbound().id().value())));
  }

  private static Event event(PostgresReader rows, ResultSet row) throws SQLException {
    return new Event(
        rows.event(row),
        row.getInt(SqlReader.EVENT_WIDTH + 1),
        row.getInt(SqlReader.EVENT_WIDTH + 2),
        List.of());
  }

  private static List<Event> withNotes(JdbcSession session, BatchColumns arrays, List<Event> events)
      throws SQLException {
    Map<Long, List<InboundNote>> notes = new HashMap<>();
    session.all(
        InboundSql.CARRY_NOTES,
        row ->
            notes
                .computeIfAbsent(row.getLong(5), _ -> new ArrayList<>())
                .add(InboundReader.note(row)),
        arrays.longs(events, one -> one.inbound().row()));
    return events.stream()
        .map(
            one ->
                new Event(
                    one.inbound(),
                    one.delivered(),
                    one.lost(),
                    notes.getOrDefault(one.inbound().row(), List.of())))
        .toList();
  }

  // ---- events, in

  /** An event with the row it gets. */
  private record Row(long id, int account, Event carried) {
    StoredInbound of() {
      return carried.inbound();
    }

    HandlingState handling() {
      return of().handling();
    }

    UUID name() {
      return of().replayOf() == null
          ? Fingerprint.of(of().arrival().platformId())
          : of().id().value();
    }

    String session() {
      return Rows.asStored(of().sessionId());
    }

    boolean active() {
      return !of().status().ended();
    }

    /** Whether anything is known of its turn that the inbox does not say. */
    boolean turned() {
      return !active() || carried.delivered() > 0 || carried.lost() > 0;
    }
  }

  /** Tells how many were added. */
  int add(JdbcSession session, BatchColumns arrays, List<Event> events) throws SQLException {
    if (events.isEmpty()) {
      return 0;
    }
    List<Long> ids = session.all(InboundSql.NEXT_EVENTS, row -> row.getLong(1), events.size());
    List<Row> rows = new ArrayList<>(events.size());
    for (Event one : events) {
      rows.add(new Row(ids.get(rows.size()), accounts.idOrNew(one.inbound().account()), one));
    }
    Set<Long> fresh = addEvents(session, arrays, rows);
    List<Row> added = rows.stream().filter(row -> fresh.contains(row.id)).toList();
    addActive(session, arrays, added.stream().filter(Row::active).toList());
    addTurns(session, arrays, added.stream().filter(Row::turned).toList());
    addNotes(session, arrays, added);
    count(session, arrays, added);
    return added.size();
  }

  private Set<Long> addEvents(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    return new HashSet<>(
        session.all(
            InboundSql.CARRY_EVENTS_IN,
            row -> row.getLong(1),
            arrays.longs(rows, Row::id),
            arrays.uuids(rows, row -> row.of().id().value()),
            arrays.ints(rows, Row::account),
            arrays.uuids(rows, Row::name),
            arrays.texts(rows, Row::session),
            arrays.longs(rows, row -> Values.micros(row.of().receivedAt())),
            arrays.bytes(
                rows,
                row ->
                    accounts
                        .cipher()
                        .seal(
                            Column.EVENT,
                            row.of().id().value(),
                            InboundCodec.arrival(row.of().arrival()))),
            arrays.uuids(rows, row -> uuid(row.of().replayOf())),
            arrays.uuids(rows, row -> uuid(row.of().replayedAs()))));
  }

  private static @Nullable UUID uuid(@Nullable InboundId id) {
    return id == null ? null : id.value();
  }

  private static void addActive(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    SessionRows sessions = new SessionRows(session, arrays);
    rows.forEach(row -> sessions.expect(row.session()));
    sessions.lock();
    List<Integer> heads = new ArrayList<>(rows.size());
    rows.forEach(row -> heads.add(sessions.of(row.session()).join()));
    session.update(
        InboundSql.CARRY_INBOX,
        arrays.longs(rows, Row::id),
        arrays.ints(rows, Row::account),
        arrays.texts(rows, Row::session),
        arrays.ints(heads, head -> head),
        arrays.ints(rows, row -> Values.status(row.of().status())),
        arrays.ints(rows, row -> row.handling().attempts()),
        arrays.ints(rows, row -> row.handling().deaths()),
        arrays.longs(rows, row -> Values.micros(row.handling().dueAt())),
        arrays.uuids(rows, row -> row.handling().lease()),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.handling().handedOutAt())),
        arrays.texts(rows, row -> Rows.clean(row.handling().error())));
    sessions.save();
  }

  private static void addTurns(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    session.update(
        InboundSql.CARRY_TURNS,
        arrays.longs(rows, Row::id),
        arrays.ints(rows, row -> turn(row.handling())),
        arrays.ints(rows, row -> row.carried.delivered()),
        arrays.ints(rows, row -> row.carried.lost()),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.handling().turnEndedAt())),
        arrays.nullableLongs(rows, row -> ended(row, Values.status(row.of().status()))),
        arrays.nullableLongs(rows, row -> ended(row, Values.micros(row.of().receivedAt()))),
        arrays.nullableLongs(rows, row -> ended(row, row.handling().attempts())),
        arrays.nullableLongs(rows, row -> ended(row, row.handling().deaths())),
        arrays.nullableLongs(rows, row -> ended(row, Values.micros(row.handling().dueAt()))),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.handling().handedOutAt())),
        arrays.nullableLongs(rows, row -> Values.nullableMicros(row.handling().endedAt())),
        arrays.texts(rows, row -> Rows.clean(row.handling().error())));
  }

  private static int turn(HandlingState handling) {
    TurnState state = handling.turn();
    return Values.turn(state == null ? TurnState.OPEN : state);
  }

  private static @Nullable Long ended(Row row, long value) {
    return row.active() ? null : value;
  }

  private static void addNotes(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    record Line(long row, int n, InboundNote note) {}
    List<Line> lines = new ArrayList<>();
    for (Row row : rows) {
      int n = 1;
      for (InboundNote note : row.carried.notes()) {
        lines.add(new Line(row.id, n++, note));
      }
    }
    session.update(
        InboundSql.CARRY_NOTES_IN,
        arrays.longs(lines, Line::row),
        arrays.ints(lines, Line::n),
        arrays.longs(lines, line -> Values.micros(line.note.at())),
        arrays.ints(lines, line -> line.note.attempt()),
        arrays.texts(lines, line -> Rows.clean(line.note.error())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.note.nextAt())));
  }

  private static void count(JdbcSession session, BatchColumns arrays, List<Row> rows)
      throws SQLException {
    BatchSideEffects sideEffects = new BatchSideEffects();
    for (Row row : rows) {
      if (row.active()) {
        sideEffects.eventCame(row.account);
      } else if (row.of().status() == InboundStatus.FAILED) {
        sideEffects.eventDied(row.account);
      }
    }
    sideEffects.write(session, arrays);
  }

  // ---- sessions

  List<SessionView> sessions(JdbcSession session, String afterId, int limit) throws SQLException {
    return session.all(SessionSql.CARRY_SESSIONS, reader(session)::view, afterId, limit);
  }

  int addSessions(JdbcSession session, BatchColumns arrays, List<SessionView> views)
      throws SQLException {
    record Line(int account, SessionView view) {}
    List<Line> lines = new ArrayList<>(views.size());
    for (SessionView view : views) {
      lines.add(new Line(accounts.idOrNew(view.account()), view));
    }
    return session.update(
        SessionSql.CARRY_SESSIONS_IN,
        arrays.texts(lines, line -> Rows.asStored(line.view.id())),
        arrays.ints(lines, Line::account),
        arrays.texts(lines, line -> Rows.clean(line.view.chat())),
        arrays.texts(lines, line -> Rows.clean(line.view.threadId())),
        arrays.longs(lines, line -> Values.micros(line.view.lastAt())),
        arrays.texts(lines, line -> Rows.clean(line.view.pausedBecause())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.view.pausedSince())));
  }

  List<SessionReply> mirrored(JdbcSession session, @Nullable SessionReply after, int limit)
      throws SQLException {
    return session.all(
        SessionSql.CARRY_SAID,
        reader(session)::mirrored,
        after == null ? "" : after.sessionId(),
        after == null ? Long.MIN_VALUE : Values.micros(after.at()),
        after == null ? new UUID(0, 0) : after.id().value(),
        limit);
  }

  int addMirrored(JdbcSession session, BatchColumns arrays, List<SessionReply> messages)
      throws SQLException {
    record Line(int account, SessionReply said) {}
    List<Line> lines = new ArrayList<>(messages.size());
    for (SessionReply said : messages) {
      lines.add(new Line(accounts.idOrNew(said.message().account()), said));
    }
    return session.update(
        SessionSql.MIRROR,
        arrays.texts(lines, line -> line.said.sessionId()),
        arrays.longs(lines, line -> Values.micros(line.said.at())),
        arrays.uuids(lines, line -> line.said.id().value()),
        arrays.ints(lines, Line::account),
        arrays.texts(lines, line -> line.said.message().to()),
        arrays.bytes(
            lines,
            line ->
                accounts
                    .cipher()
                    .seal(
                        Column.MESSAGE,
                        line.said.id().value(),
                        MessageCodec.content(line.said.message()))),
        arrays.bytes(lines, line -> SessionMirror.receipts(line.said.receipts())));
  }
}
