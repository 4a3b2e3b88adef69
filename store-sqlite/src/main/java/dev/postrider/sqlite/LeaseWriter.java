package dev.postrider.sqlite;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.inbound.SessionWriter;
import dev.postrider.sqlite.message.LaneAssigner;
import dev.postrider.sqlite.message.MessageEndEffects;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.read.SqliteReader;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Page;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Hands inbound messages out and takes them back. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
final class LeaseWriter {
  private final JdbcSession session;
  private final Accounts accounts;
  private final SqliteReader rows;
  private final SessionWriter sessions;
  private final MessageEndEffects endEffects;
  private final LaneAssigner laneAssigner;
  private int begun; // so that another account comes first each time

  LeaseWriter(
      JdbcSession session,
      Accounts accounts,
      SessionWriter sessions,
      MessageEndEffects endEffects,
      LaneAssigner laneAssigner) {
    this.session = session;
    this.accounts = accounts;
    this.rows = new SqliteReader(session, accounts);
    this.sessions = sessions;
    this.endEffects = endEffects;
    this.laneAssigner = laneAssigner;
  }

  /** What is stored of an answer; to be called before the writer's turn. */
  LaneAssigner.Encoded encoded(NewMessage answer) {
    return LaneAssigner.Encoded.of(answer, accounts.cipher());
  }

  // ---- leases

  List<RawInbound> lease(LeaseRequest request) throws SQLException {
    Deque<Deque<Long>> due = due(request);
    List<RawInbound> leased = new ArrayList<>();
    long bytes = 0;
    for (UUID lease : request.leases()) {
      Deque<Long> account = due.poll();
      if (account == null || bytes >= Page.MOST_BYTES) {
        break;
      }
      RawInbound event = leaseOne(account.remove(), lease, request);
      leased.add(event);
      bytes += event.content().length;
      if (!account.isEmpty()) {
        due.add(account); // the others are next
      }
    }
    return leased;
  }

  /** Heads that may be handed out, of each account that has any. */
  private Deque<Deque<Long>> due(LeaseRequest request) throws SQLException {
    List<String> names = request.accounts().stream().sorted().toList();
    Deque<Deque<Long>> due = new ArrayDeque<>();
    begun++;
    for (int i = 0; i < names.size(); i++) {
      Integer account = accounts.id(names.get(Math.floorMod(begun + i, names.size())));
      List<Long> heads =
          account == null
              ? List.of()
              : session.all(
                  InboundSql.DUE_EVENTS,
                  row -> row.getLong(1),
                  account,
                  Values.micros(request.latest()),
                  Values.micros(request.now()),
                  request.leases().size());
      if (!heads.isEmpty()) {
        due.add(new ArrayDeque<>(heads));
      }
    }
    return due;
  }

  private RawInbound leaseOne(long row, UUID lease, LeaseRequest request) throws SQLException {
    RawInbound event =
        session.one(
            InboundSql.INBOUND,
            rows::rawEvent,
            Rows.bytes(lease),
            request.holder(),
            Values.micros(request.now()),
            Values.micros(request.until()),
            row);
    if (event == null) {
      throw new IllegalStateException("a head that was just found is gone");
    }
    return event;
  }

  @Nullable RawInbound take(StoredInbound upTo, UUID lease, Instant now, Instant until)
      throws SQLException {
    return session.one(
        InboundSql.TAKE_HEAD,
        rows::rawEvent,
        Rows.bytes(lease),
        Values.micros(now),
        Values.micros(until),
        upTo.sessionId(),
        upTo.row());
  }

  boolean extend(UUID lease, Instant until) throws SQLException {
    return session.update(InboundSql.EXTEND, Values.micros(until), Rows.bytes(lease)) > 0;
  }

  int disown(@Nullable String holder, Instant now) throws SQLException {
    return session.update(InboundSql.DISOWN, Values.micros(now), holder);
  }

  // ---- the result

  /**
   * @param answers the answers' stored form, in the same order
   */
  CompletionResult complete(Completion completion, List<LaneAssigner.Encoded> answers)
      throws SQLException {
    StoredInbound inbound = completion.inbound();
    for (int i = 0; i < answers.size(); i++) {
      AcceptResult refusal = laneAssigner.refusal(completion.answers().get(i), answers.get(i));
      if (refusal != null) {
        return CompletionResult.refused(i, refusal);
      }
    }
    Held held = held(completion);
    if (held == null) {
      return CompletionResult.STALE;
    }
    boolean ended = completion.status().ended();
    if (ended) {
      end(completion);
    } else {
      putBack(completion);
    }
    InboundNote note = completion.note();
    if (note != null) {
      addNote(session, inbound.row(), note);
    }
    List<AcceptResult> accepted = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      accepted.add(laneAssigner.place(completion.answers().get(i), answers.get(i)));
    }
    if (!ended) {
      if (!held.isHead) {
        sessions.waitAgain(held.session, completion.at());
      }
      return CompletionResult.applied(null, accepted);
    }
    sessions.leave(held.session, held.isHead, completion.at());
    EndEffects.TurnEnd turn = endEffects.endTurn(inbound.id(), completion.at());
    return CompletionResult.applied(turn == null ? null : turn.state(), accepted);
  }

  /** An inbound message that somebody has, and the session it belongs to by now. */
  private record Held(String session, boolean isHead) {}

  private @Nullable Held held(Completion completion) throws SQLException {
    return session.one(
        InboundSql.HELD,
        row -> new Held(row.getString(1), row.getInt(2) != SessionWriter.BEHIND),
        completion.inbound().row(),
        Rows.bytes(completion.lease()));
  }

  private void putBack(Completion completion) throws SQLException {
    session.update(
        InboundSql.PUT_BACK,
        Values.micros(completion.dueAt()),
        completion.leaseExpired() ? 1 : 0,
        error(completion),
        completion.inbound().row(),
        Rows.bytes(completion.lease()));
  }

  private void end(Completion completion) throws SQLException {
    session.update(
        InboundSql.END_EVENT,
        Values.status(completion.status()),
        Values.micros(completion.at()),
        Values.micros(completion.dueAt()),
        completion.leaseExpired() ? 1 : 0,
        error(completion),
        completion.inbound().row(),
        Rows.bytes(completion.lease()));
  }

  private static @Nullable String error(Completion completion) {
    InboundNote note = completion.note();
    return note == null ? null : note.error();
  }

  static void addNote(JdbcSession session, long row, InboundNote note) throws SQLException {
    session.update(
        InboundSql.ADD_NOTE,
        row,
        Values.micros(note.at()),
        note.attempt(),
        note.error(),
        Values.nullableMicros(note.nextAt()));
  }

  // ---- dead letters

  @Nullable RawInbound replay(InboundId dead, InboundId as, Instant now) throws SQLException {
    byte[] uid = Rows.bytes(as.value());
    RawInbound old =
        session.one(InboundSql.REPLAYED, rows::rawEvent, uid, Rows.bytes(dead.value()));
    if (old == null) {
      return null;
    }
    InboundMessage arrival = old.decode().arrival();
    int account = accounts.idOrNew(session, old.account());
    long at = Values.micros(now);
    int head = sessions.join(old.session(), account, arrival.chat(), arrival.threadId(), at);
    session.update(
        InboundSql.ADD_EVENT,
        uid,
        account,
        Rows.bytes(Fingerprint.of(as.toString())),
        old.session(),
        head,
        at,
        Rows.bytes(dead.value()),
        old.contentFor(as));
    return session.one(InboundSql.EVENT_BY_UID, rows::rawEvent, (Object) uid);
  }

  boolean discard(InboundId id) throws SQLException {
    return session.update(InboundSql.DISCARD_EVENT, (Object) Rows.bytes(id.value())) > 0;
  }
}
