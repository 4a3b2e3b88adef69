package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Base of the suites about handing out what came in; its accounts are {@code bot} and others. */
abstract class InboundStoreBehaviour extends StoreBehaviour {
  /** How long leases last here. */
  static final long LEASE = 30;

  InboundStoreBehaviour(StoreContract contract) {
    super(contract);
  }

  InboundStore desk() {
    return store.inboundStore();
  }

  // ---- what comes in

  static NewInbound said(String session, Instant receivedAt) {
    return said(session, null, receivedAt);
  }

  static NewInbound said(String session, @Nullable String thread, Instant receivedAt) {
    InboundId id = new InboundId(MessageDraft.nextId().value());
    InboundMessage arrival =
        new InboundMessage(
            "platform's " + id,
            InboundMessage.Kind.MESSAGE,
            "chat of " + session,
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", "Ann"),
            "hello",
            List.of(),
            null,
            null,
            thread,
            null,
            Map.of());
    return new NewInbound(id, arrival, session, receivedAt);
  }

  /** Something came for bot. */
  InboundId hear(String session, long second) {
    return hear("bot", session, second);
  }

  InboundId hear(String account, String session, long second) {
    return hear(account, said(session, at(second)));
  }

  InboundId hear(String account, NewInbound event) {
    return done(store.receive(account, List.of(event), null)).getFirst().id();
  }

  // ---- handing out

  static UUID nextLease() {
    return MessageDraft.nextId().value();
  }

  static LeaseRequest wish(int most, Instant now, @Nullable String holder, String... accounts) {
    return wish(most, now, now, holder, accounts);
  }

  /** By a clock that was set back from the latest instant. */
  static LeaseRequest wish(
      int most, Instant now, Instant latest, @Nullable String holder, String... accounts) {
    return new LeaseRequest(
        Set.of(accounts),
        Stream.generate(InboundStoreBehaviour::nextLease).limit(most).toList(),
        now,
        latest,
        now.plusSeconds(LEASE),
        holder);
  }

  /** Hands out events of these accounts to somebody outside. */
  List<StoredInbound> handOut(int most, Instant now, String... accounts) {
    return done(desk().lease(wish(most, now, null, accounts)));
  }

  /** Hands out bot's events, as many as there are. */
  List<StoredInbound> handOut(long second) {
    return handOut(100, at(second), "bot");
  }

  List<InboundId> handOutIds(long second) {
    return ids(handOut(second));
  }

  /** Hands this one out, and no other. */
  StoredInbound handOut(InboundId id, long second) {
    List<StoredInbound> events = handOut(second);
    assertThat(ids(events)).containsExactly(id);
    return events.getFirst();
  }

  static List<InboundId> ids(List<StoredInbound> events) {
    return events.stream().map(StoredInbound::id).toList();
  }

  CompletionResult give(CompletionDraft back) {
    return done(desk().complete(back.build()));
  }

  /** Says that it is handled; it must have been under way. */
  CompletionResult handled(StoredInbound inbound, long second) {
    return applied(give(CompletionDraft.of(inbound).at(at(second))));
  }

  CompletionResult failed(StoredInbound inbound, long second) {
    return applied(give(CompletionDraft.of(inbound).at(at(second)).failed("it cannot be handled")));
  }

  CompletionResult again(StoredInbound inbound, long second, long due) {
    return applied(give(CompletionDraft.of(inbound).at(at(second)).again(at(due), "not now")));
  }

  static CompletionResult applied(CompletionResult back) {
    assertThat(back.applied()).isTrue();
    return back;
  }

  /** A dead letter. */
  InboundId dead(String session, long second) {
    InboundId id = hear(session, second);
    failed(handOut(id, second), second);
    return id;
  }

  // ---- messages that are followed

  /** A message of this turn. */
  static MessageDraft answer(InboundId turn) {
    return to("ann").with(message -> message.turnId(turn.toString()));
  }

  /** A message that was said in this session. */
  static MessageDraft saying(String session, long second) {
    return to("ann").at(at(second)).with(message -> message.sessionId(session));
  }

  EndEffects follow(StoredMessage message, long second) {
    return follow(message.id(), second);
  }

  EndEffects follow(MessageId id, long second) {
    return done(desk().follow(id, at(second)));
  }

  /** A message of this turn that ended so, and was followed. */
  EndEffects endOf(InboundId turn, Status status, long second) {
    return follow(ended(answer(turn).unordered(), status, at(second)), second);
  }

  // ---- looking

  StoredInbound event(InboundId id) {
    return store.inbound(id).orElseThrow(() -> new AssertionError("there is no event " + id));
  }

  InboundStatus status(InboundId id) {
    return event(id).status();
  }

  @Nullable TurnState turn(InboundId id) {
    return event(id).handling().turn();
  }
}
