package dev.postrider.testkit.store;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.inbound.StoredInbound;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an inbound store does, in memory, without a thought for speed. */
final class InboundStoreModel {
  final Map<InboundId, Known> events = new LinkedHashMap<>();
  final Map<String, Talk> talks = new LinkedHashMap<>();
  final Map<MessageId, Letter> letters = new LinkedHashMap<>();

  /** When what was said in each session was. */
  final Map<MessageId, Said> said = new LinkedHashMap<>();

  record Said(String session, Instant at) {}

  /** An event. */
  static final class Known {
    final NewInbound as;
    final String account;
    final @Nullable InboundId replayOf;
    @Nullable InboundId replayedAs;
    InboundStatus status = InboundStatus.PENDING;
    int attempts;
    int deaths;
    Instant due;
    @Nullable UUID lease;
    @Nullable String holder;
    @Nullable Instant handedOut;
    @Nullable Instant ended;
    @Nullable String error;
    @Nullable TurnState turn;
    @Nullable Instant turnEnded;
    int delivered;
    int lost;

    Known(NewInbound as, String account, @Nullable InboundId replayOf) {
      this.as = as;
      this.account = account;
      this.replayOf = replayOf;
      this.due = as.receivedAt();
    }

    /** In no particular row. */
    StoredInbound stored() {
      return new StoredInbound(
          0,
          as.id(),
          account,
          as.sessionId(),
          as.arrival(),
          as.receivedAt(),
          status,
          new HandlingState(attempts, deaths, due, lease, handedOut, ended, error, turn, turnEnded),
          replayOf,
          replayedAs);
    }
  }

  /** A session. */
  static final class Talk {
    final String account;
    final String chat;
    Instant last;
    @Nullable String paused;
    @Nullable Instant since;

    Talk(String account, String chat, Instant last) {
      this.account = account;
      this.chat = chat;
      this.last = last;
    }
  }

  /** A message that is followed. */
  static final class Letter {
    final MessageId id;
    final @Nullable InboundId turn;
    final @Nullable String session;
    Status status = Status.QUEUED;
    @Nullable Instant ended;
    boolean followed;

    Letter(MessageId id, @Nullable InboundId turn, @Nullable String session) {
      this.id = id;
      this.turn = turn;
      this.session = session;
    }
  }

  // ---- lanes

  private Stream<Known> lane(String session) {
    return events.values().stream()
        .filter(event -> event.as.sessionId().equals(session) && !event.status.ended());
  }

  boolean mayBeGiven(Known event) {
    return event.status == InboundStatus.PENDING
        && lane(event.as.sessionId()).findFirst().orElseThrow() == event
        && talk(event.as.sessionId()).paused == null;
  }

  /** Heads that are due, of these accounts, the longest first. */
  List<Known> due(Set<String> accounts, Instant now) {
    return events.values().stream()
        .filter(event -> accounts.contains(event.account) && mayBeGiven(event))
        .filter(event -> !event.due.isAfter(now))
        .sorted(Comparator.comparing(event -> event.due))
        .toList();
  }

  Talk talk(String session) {
    return StoreBehaviour.present(talks.get(session));
  }

  private void touch(String session, String account, String chat, Instant at) {
    Talk talk = talks.computeIfAbsent(session, _ -> new Talk(account, chat, at));
    talk.last = talk.last.isAfter(at) ? talk.last : at;
  }

  // ---- events

  void hear(String account, NewInbound event, @Nullable InboundId replayOf) {
    touch(event.sessionId(), account, event.arrival().chat(), event.receivedAt());
    events.put(event.id(), new Known(event, account, replayOf));
  }

  void handOut(Known event, UUID lease, LeaseRequest request) {
    event.status = InboundStatus.LEASED;
    event.attempts++;
    event.lease = lease;
    event.holder = request.holder();
    event.handedOut = request.now();
    event.due = request.until();
    event.turn = event.turn == null ? TurnState.OPEN : event.turn;
  }

  /** How the turn ended with it, if it did. */
  @Nullable TurnState giveBack(Known event, Completion completion) {
    InboundNote note = completion.note();
    event.status = completion.status();
    event.due = completion.dueAt();
    event.deaths += completion.leaseExpired() ? 1 : 0;
    event.error = note == null ? event.error : note.error();
    event.lease = null;
    event.holder = null;
    if (!completion.status().ended()) {
      return null;
    }
    event.ended = completion.at();
    lane(event.as.sessionId())
        .findFirst()
        .ifPresent(
            next -> next.due = next.due.isAfter(completion.at()) ? next.due : completion.at());
    return endTurn(event.as.id(), completion.at());
  }

  // ---- what follows

  /** How its turn ended with it, if it did. */
  @Nullable TurnState follow(Letter letter, Instant now) {
    letter.followed = true;
    Instant ended = StoreBehaviour.present(letter.ended);
    if (letter.status == Status.DELIVERED && letter.session != null) {
      touch(letter.session, "bot", "ann", ended);
      said.put(letter.id, new Said(letter.session, ended));
    }
    if (letter.turn == null) {
      return null;
    }
    Known event = events.get(letter.turn);
    if (event != null) {
      event.delivered += letter.status == Status.DELIVERED ? 1 : 0;
      event.lost += letter.status.deadLetter() ? 1 : 0;
    }
    return endTurn(letter.turn, now);
  }

  private @Nullable TurnState endTurn(InboundId id, Instant now) {
    Known event = events.get(id);
    if (event == null
        || event.turn != TurnState.OPEN
        || !event.status.ended()
        || letters.values().stream().anyMatch(one -> !one.followed && id.equals(one.turn))) {
      return null;
    }
    TurnState empty = event.delivered > 0 ? TurnState.DELIVERED : TurnState.EMPTY;
    boolean good = event.status == InboundStatus.HANDLED && event.lost == 0;
    event.turn = good ? empty : TurnState.FAILED;
    event.turnEnded = now;
    return event.turn;
  }

  /** Tells how much was forgotten. */
  int prune(Instant before) {
    int all = events.size() + said.size() + talks.size();
    events
        .values()
        .removeIf(event -> event.status.ended() && event.as.receivedAt().isBefore(before));
    said.values().removeIf(one -> one.at.isBefore(before));
    talks
        .entrySet()
        .removeIf(
            talk ->
                talk.getValue().last.isBefore(before)
                    && talk.getValue().paused == null
                    && lane(talk.getKey()).findAny().isEmpty());
    return all - events.size() - said.size() - talks.size();
  }

  // ---- looking

  Set<SessionView> sessions() {
    Set<SessionView> views = new HashSet<>();
    talks.forEach(
        (id, talk) ->
            views.add(
                new SessionView(
                    id,
                    talk.account,
                    talk.chat,
                    null,
                    (int) lane(id).count(),
                    talk.last,
                    talk.paused,
                    talk.since)));
    return views;
  }

  List<Known> leased() {
    return events.values().stream()
        .filter(event -> event.status == InboundStatus.LEASED)
        .sorted(Comparator.comparing(event -> event.due))
        .toList();
  }

  /** What was heard and said in a session, in no order. */
  Set<UUID> history(String session) {
    Set<UUID> ids = new HashSet<>();
    events.values().stream()
        .filter(event -> event.as.sessionId().equals(session))
        .forEach(event -> ids.add(event.as.id().value()));
    said.forEach(
        (id, one) -> {
          if (one.session.equals(session)) {
            ids.add(id.value());
          }
        });
    return ids;
  }
}
