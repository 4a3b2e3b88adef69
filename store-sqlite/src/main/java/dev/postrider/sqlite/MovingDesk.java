package dev.postrider.sqlite;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.InboundReader;
import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.inbound.SessionWriter;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.TurnSql;
import dev.postrider.store.Transfer.Event;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about events and sessions. */
final class MovingDesk {
  private final JdbcSession writer;
  private final Accounts accounts;
  private final SessionWriter sessions;
  private final StoreAccess access;

  MovingDesk(JdbcSession writer, Accounts accounts, SessionWriter sessions, StoreAccess access) {
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

  private InboundReader desk(JdbcSession session) {
    return new InboundReader(new SqliteReader(session, accounts));
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
                    (Object) Rows.bytes(event.inbound().id().value()));
            if (one != null) {
              found.add(one);
            }
          }
          return withNotes(session, found);
        });
  }

  private Event event(JdbcSession session, ResultSet row) throws SQLException {
    return new Event(
        new SqliteReader(session, accounts).event(row),
        row.getInt(SqlReader.EVENT_WIDTH + 1),
        row.getInt(SqlReader.EVENT_WIDTH + 2),
        List.of());
  }

  private static List<Event> withNotes(JdbcSession session, List<Event> events)
      throws SQLException {
    List<Event> whole = new ArrayList<>(events.size());
    for (Event one : events) {
      List<InboundNote> notes =
          session.all(InboundSql.NOTES, InboundReader::note, one.inbound().row());
      whole.add(new Event(one.inbound(), one.delivered(), one.lost(), notes));
    }
    return whole;
  }

  void addEvents(List<Event> events) {
    writeEach(events, this::add);
  }

  private void add(Event carried) throws SQLException {
    StoredInbound inbound = carried.inbound();
    HandlingState handling = inbound.handling();
    boolean active = !inbound.status().ended();
    String name =
        inbound.replayOf() == null ? inbound.arrival().platformId() : inbound.id().toString();
    Long row =
        writer.one(
            InboundSql.ADD_CARRIED_EVENT,
            added -> added.getLong(1),
            Rows.bytes(inbound.id().value()),
            accounts.idOrNew(writer, inbound.account()),
            Rows.bytes(Fingerprint.of(name)),
            inbound.sessionId(),
            Values.status(inbound.status()),
            active ? 1 : 0,
            handling.attempts(),
            handling.deaths(),
            Values.micros(inbound.receivedAt()),
            Values.micros(handling.dueAt()),
            bytes(handling.lease()),
            Values.nullableMicros(handling.handedOutAt()),
            Values.nullableMicros(handling.endedAt()),
            handling.error(),
            Values.nullableTurn(handling.turn()),
            Values.nullableMicros(handling.turnEndedAt()),
            carried.delivered(),
            carried.lost(),
            bytes(inbound.replayOf()),
            bytes(inbound.replayedAs()),
            accounts
                .cipher()
                .seal(Column.EVENT, inbound.id().value(), InboundCodec.arrival(inbound.arrival())));
    if (row == null) {
      return;
    }
    for (InboundNote note : carried.notes()) {
      LeaseWriter.addNote(writer, row, note);
    }
    if (active) {
      sessions.join(inbound.sessionId(), row);
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
        session -> session.all(TurnSql.CARRY_SESSIONS, desk(session)::view, afterId, limit));
  }

  void addSessions(List<SessionView> views) {
    writeEach(
        views,
        view ->
            writer.update(
                TurnSql.ADD_CARRIED_SESSION,
                view.id(),
                accounts.idOrNew(writer, view.account()),
                view.chat(),
                view.threadId(),
                Values.micros(view.lastAt()),
                view.pausedBecause(),
                Values.nullableMicros(view.pausedSince())));
  }

  List<SessionReply> mirrored(@Nullable SessionReply after, int limit) {
    return access.read(
        session ->
            session.all(
                TurnSql.CARRY_MIRRORED,
                desk(session)::mirrored,
                after == null ? "" : after.sessionId(),
                after == null ? Long.MIN_VALUE : Values.micros(after.at()),
                after == null ? new byte[0] : Rows.uid(after.id()),
                limit));
  }

  void addMirrored(List<SessionReply> messages) {
    writeEach(messages, sessions::add);
  }
}
