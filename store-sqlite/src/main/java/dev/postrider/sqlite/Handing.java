package dev.postrider.sqlite;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.Fingerprint;
import dev.postrider.jdbc.RawEvent;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Acceptance;
import dev.postrider.store.Followed;
import dev.postrider.store.HandBack;
import dev.postrider.store.HandOut;
import dev.postrider.store.HandedBack;
import dev.postrider.store.InboundNote;
import dev.postrider.store.NewMessage;
import dev.postrider.store.Page;
import dev.postrider.store.StoredInbound;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Hands events out and takes them back. To be called inside the committer's transaction; belongs to
 * the writer's thread.
 */
final class Handing {
  private final Session session;
  private final Accounts accounts;
  private final Reader rows;
  private final Sessions sessions;
  private final Following following;
  private final Placer placer;
  private int begun; // so that another account comes first each time

  Handing(
      Session session, Accounts accounts, Sessions sessions, Following following, Placer placer) {
    this.session = session;
    this.accounts = accounts;
    this.rows = new Reader(session, accounts);
    this.sessions = sessions;
    this.following = following;
    this.placer = placer;
  }

  /** What is stored of an answer; to be called before the writer's turn. */
  Placer.Encoded encoded(NewMessage answer) {
    return Placer.Encoded.of(answer, accounts.cipher());
  }

  // ---- leases

  List<RawEvent> lease(HandOut wish) throws SQLException {
    Deque<Deque<Long>> due = due(wish);
    List<RawEvent> leased = new ArrayList<>();
    long bytes = 0;
    for (UUID lease : wish.leases()) {
      Deque<Long> account = due.poll();
      if (account == null || bytes >= Page.MOST_BYTES) {
        break;
      }
      RawEvent event = handOut(account.remove(), lease, wish);
      leased.add(event);
      bytes += event.content().length;
      if (!account.isEmpty()) {
        due.add(account); // the others are next
      }
    }
    return leased;
  }

  /** Heads that may be handed out, of each account that has any. */
  private Deque<Deque<Long>> due(HandOut wish) throws SQLException {
    List<String> names = wish.accounts().stream().sorted().toList();
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
                  Values.micros(wish.now()),
                  wish.leases().size());
      if (!heads.isEmpty()) {
        due.add(new ArrayDeque<>(heads));
      }
    }
    return due;
  }

  private RawEvent handOut(long row, UUID lease, HandOut wish) throws SQLException {
    RawEvent event =
        session.one(
            InboundSql.HAND_OUT,
            rows::rawEvent,
            Rows.bytes(lease),
            wish.holder(),
            Values.micros(wish.now()),
            Values.micros(wish.until()),
            row);
    if (event == null) {
      throw new IllegalStateException("a head that was just found is gone");
    }
    return event;
  }

  boolean extend(UUID lease, Instant until) throws SQLException {
    return session.update(InboundSql.EXTEND, Values.micros(until), Rows.bytes(lease)) > 0;
  }

  int disown(@Nullable String holder, Instant now) throws SQLException {
    return session.update(InboundSql.DISOWN, Values.micros(now), holder);
  }

  // ---- what came of it

  /**
   * @param answers the answers' stored form, in the same order
   */
  HandedBack giveBack(HandBack back, List<Placer.Encoded> answers) throws SQLException {
    StoredInbound event = back.event();
    for (int i = 0; i < answers.size(); i++) {
      Acceptance refusal = placer.refusal(back.answers().get(i), answers.get(i));
      if (refusal != null) {
        return HandedBack.refused(i, refusal);
      }
    }
    boolean ended = back.status().ended();
    if (!(ended ? end(back) : putBack(back))) {
      return HandedBack.STALE;
    }
    InboundNote note = back.note();
    if (note != null) {
      addNote(session, event.row(), note);
    }
    List<Acceptance> accepted = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      accepted.add(placer.place(back.answers().get(i), answers.get(i)));
    }
    if (!ended) {
      return HandedBack.applied(null, accepted);
    }
    sessions.leave(event.sessionId(), back.at());
    Followed.TurnEnd turn = following.endTurn(event.id(), back.at());
    return HandedBack.applied(turn == null ? null : turn.state(), accepted);
  }

  private boolean putBack(HandBack back) throws SQLException {
    return session.update(
            InboundSql.PUT_BACK,
            Values.micros(back.dueAt()),
            back.died() ? 1 : 0,
            error(back),
            back.event().row(),
            Rows.bytes(back.lease()))
        > 0;
  }

  private boolean end(HandBack back) throws SQLException {
    return session.update(
            InboundSql.END_EVENT,
            Values.status(back.status()),
            Values.micros(back.at()),
            Values.micros(back.dueAt()),
            back.died() ? 1 : 0,
            error(back),
            back.event().row(),
            Rows.bytes(back.lease()))
        > 0;
  }

  private static @Nullable String error(HandBack back) {
    InboundNote note = back.note();
    return note == null ? null : note.error();
  }

  static void addNote(Session session, long row, InboundNote note) throws SQLException {
    session.update(
        InboundSql.ADD_NOTE,
        row,
        Values.micros(note.at()),
        note.attempt(),
        note.error(),
        Values.nullableMicros(note.nextAt()));
  }

  // ---- dead letters

  @Nullable RawEvent replay(InboundId dead, InboundId as, Instant now) throws SQLException {
    byte[] uid = Rows.bytes(as.value());
    RawEvent old = session.one(InboundSql.REPLAYED, rows::rawEvent, uid, Rows.bytes(dead.value()));
    if (old == null) {
      return null;
    }
    Arrival arrival = old.decode().arrival();
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
