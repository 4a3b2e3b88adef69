package dev.postrider.sqlite;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.ContentCipher.Column;
import dev.postrider.jdbc.DeskReader;
import dev.postrider.jdbc.Fingerprint;
import dev.postrider.jdbc.InboundCodec;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Handling;
import dev.postrider.store.InboundNote;
import dev.postrider.store.Mirrored;
import dev.postrider.store.SessionView;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.Transfer.Event;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about events and sessions. */
final class MovingDesk {
  private final Session writer;
  private final Accounts accounts;
  private final Sessions sessions;
  private final Access access;

  MovingDesk(Session writer, Accounts accounts, Sessions sessions, Access access) {
    this.writer = writer;
    this.accounts = accounts;
    this.sessions = sessions;
    this.access = access;
  }

  /** Something to do with each of a list. */
  @FunctionalInterface
  private interface Each<T> {
    void accept(T one) throws SQLException;
  }

  private <T> void writeEach(List<T> all, Each<T> write) {
    access.await(
        access.write(
            () -> {
              for (T one : all) {
                write.accept(one);
              }
              return null;
            }));
  }

  private DeskReader desk(Session session) {
    return new DeskReader(new Reader(session, accounts));
  }

  // ---- events

  List<Event> events(long afterRow, int limit) {
    return access.read(
        session ->
            withNotes(
                session,
                session.all(InboundSql.CARRY_EVENTS, row -> event(session, row), afterRow, limit)));
  }

  List<Event> findEvents(List<Event> events) {
    return access.read(
        session -> {
          List<Event> found = new ArrayList<>();
          for (Event event : events) {
            Event one =
                session.one(
                    InboundSql.CARRY_EVENT,
                    row -> event(session, row),
                    (Object) Rows.bytes(event.event().id().value()));
            if (one != null) {
              found.add(one);
            }
          }
          return withNotes(session, found);
        });
  }

  private Event event(Session session, ResultSet row) throws SQLException {
    return new Event(
        new Reader(session, accounts).event(row),
        row.getInt(SqlReader.EVENT_WIDTH + 1),
        row.getInt(SqlReader.EVENT_WIDTH + 2),
        List.of());
  }

  private static List<Event> withNotes(Session session, List<Event> events) throws SQLException {
    List<Event> whole = new ArrayList<>(events.size());
    for (Event one : events) {
      List<InboundNote> notes = session.all(InboundSql.NOTES, DeskReader::note, one.event().row());
      whole.add(new Event(one.event(), one.delivered(), one.lost(), notes));
    }
    return whole;
  }

  void addEvents(List<Event> events) {
    writeEach(events, this::add);
  }

  private void add(Event carried) throws SQLException {
    StoredInbound event = carried.event();
    Handling handling = event.handling();
    boolean active = !event.status().ended();
    String name = event.replayOf() == null ? event.arrival().platformId() : event.id().toString();
    Long row =
        writer.one(
            InboundSql.ADD_CARRIED_EVENT,
            added -> added.getLong(1),
            Rows.bytes(event.id().value()),
            accounts.idOrNew(writer, event.account()),
            Rows.bytes(Fingerprint.of(name)),
            event.sessionId(),
            Values.status(event.status()),
            active ? 1 : 0,
            handling.attempts(),
            handling.deaths(),
            Values.micros(event.receivedAt()),
            Values.micros(handling.dueAt()),
            bytes(handling.lease()),
            Values.nullableMicros(handling.handedOutAt()),
            Values.nullableMicros(handling.endedAt()),
            handling.error(),
            Values.nullableTurn(handling.turn()),
            Values.nullableMicros(handling.turnEndedAt()),
            carried.delivered(),
            carried.lost(),
            bytes(event.replayOf()),
            bytes(event.replayedAs()),
            accounts
                .cipher()
                .seal(Column.EVENT, event.id().value(), InboundCodec.arrival(event.arrival())));
    if (row == null) {
      return;
    }
    for (InboundNote note : carried.notes()) {
      Handing.addNote(writer, row, note);
    }
    if (active) {
      sessions.join(event.sessionId(), row);
    }
  }

  private static byte @Nullable [] bytes(@Nullable InboundId id) {
    return id == null ? null : Rows.bytes(id.value());
  }

  private static byte @Nullable [] bytes(@Nullable UUID id) {
    return id == null ? null : Rows.bytes(id);
  }

  // ---- sessions

  List<SessionView> sessions(String afterId, int limit) {
    return access.read(
        session -> session.all(DeskSql.CARRY_SESSIONS, desk(session)::view, afterId, limit));
  }

  void addSessions(List<SessionView> views) {
    writeEach(
        views,
        view ->
            writer.update(
                DeskSql.ADD_CARRIED_SESSION,
                view.id(),
                accounts.idOrNew(writer, view.account()),
                view.chat(),
                view.threadId(),
                Values.micros(view.lastAt()),
                view.pausedBecause(),
                Values.nullableMicros(view.pausedSince())));
  }

  List<Mirrored> mirrored(@Nullable Mirrored after, int limit) {
    return access.read(
        session ->
            session.all(
                DeskSql.CARRY_MIRRORED,
                desk(session)::mirrored,
                after == null ? "" : after.sessionId(),
                after == null ? Long.MIN_VALUE : Values.micros(after.at()),
                after == null ? new byte[0] : Rows.uid(after.id()),
                limit));
  }

  void addMirrored(List<Mirrored> messages) {
    writeEach(messages, sessions::add);
  }
}
