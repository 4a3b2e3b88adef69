package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.store.InboundStoreModel.Known;
import dev.postrider.testkit.store.InboundStoreModel.Letter;
import dev.postrider.testkit.store.InboundStoreModel.Talk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random work at the inbound store, against a model in memory: after each step, both hold the same.
 */
abstract class RandomInboundStore extends InboundStoreBehaviour {
  private static final List<String> ACCOUNTS = List.of("bot", "other");
  private static final List<String> SESSIONS = List.of("a", "b", "c", "d");

  private final InboundStoreModel model = new InboundStoreModel();
  private final List<StoredInbound> given = new ArrayList<>(); // with leases old and new
  private RandomGenerator random = RandomGenerator.getDefault();
  private Instant now = at(0);

  RandomInboundStore(StoreContract contract) {
    super(contract);
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44, 45})
  void whatever_happens_the_store_holds_the_inbound_messages_it_should(long seed) {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int step = 0; step < 200; step++) {
      now = now.plusSeconds(random.nextInt(3));
      String what = act();
      compare("seed %d, step %d: %s".formatted(seed, step, what));
    }
    if (remembers()) {
      reopen();
      compare("seed %d, reopened".formatted(seed));
    }
    clear("seed %d, at the end".formatted(seed));
  }

  private String act() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> hearOne();
      case 4, 5, 6, 7 -> leaseSome();
      case 8, 9, 10 -> giveOneBack();
      case 11 -> extendOne();
      case 12 -> random.nextBoolean() ? replayOne() : discardOne();
      case 13 -> pauseOrResume();
      case 14, 15 -> sayOne();
      case 16 -> endOne();
      case 17, 18 -> followOne();
      default -> random.nextInt(4) == 0 ? forget() : disown();
    };
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private @Nullable Known anyEvent(Predicate<Known> which) {
    List<Known> those = model.events.values().stream().filter(which).toList();
    return those.isEmpty() ? null : any(those);
  }

  // ---- events

  private String hearOne() {
    String account = any(ACCOUNTS);
    NewInbound event = said(any(SESSIONS), now.minusSeconds(random.nextInt(3)));
    hear(account, event);
    model.hear(account, event, null);
    return "hear " + event.id();
  }

  private String leaseSome() {
    String[] accounts =
        random.nextBoolean() ? new String[] {"bot", "other"} : new String[] {any(ACCOUNTS)};
    LeaseRequest request =
        wish(1 + random.nextInt(3), now, random.nextBoolean() ? "node" : null, accounts);
    List<Known> due = model.due(request.accounts(), now);

    List<StoredInbound> leased = done(desk().lease(request));

    assertThat(leased).hasSize(Math.min(due.size(), request.leases().size()));
    for (String account : accounts) {
      List<Instant> longest =
          due.stream().filter(event -> event.account.equals(account)).map(e -> e.due).toList();
      List<Instant> got =
          leased.stream()
              .filter(inbound -> inbound.account().equals(account))
              .map(inbound -> present(model.events.get(inbound.id())).due)
              .toList();
      assertThat(got).as("the longest due").isEqualTo(longest.subList(0, got.size()));
    }
    Set<UUID> names = new HashSet<>(request.leases());
    for (StoredInbound inbound : leased) {
      UUID lease = present(inbound.handling().lease());
      assertThat(names.remove(lease)).as("a lease of its own").isTrue();
      Known known = present(model.events.get(inbound.id()));
      assertThat(due).contains(known);
      model.handOut(known, lease, request);
      assertThat(inbound.at(0)).isEqualTo(known.stored());
      given.add(inbound);
    }
    return "lease " + leased.size() + " of " + List.of(accounts);
  }

  private String giveOneBack() {
    if (given.isEmpty()) {
      return "nobody has anything";
    }
    StoredInbound inbound = any(given);
    CompletionDraft back = CompletionDraft.of(inbound).at(now);
    switch (random.nextInt(4)) {
      case 0 -> back.again(now.plusSeconds(random.nextInt(4)), "again at " + now);
      case 1 -> back.failed("failed at " + now);
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      back.died();
    }
    Letter letter = null;
    if (random.nextInt(3) == 0) {
      MessageDraft answer = draft(inbound.id(), random.nextBoolean() ? any(SESSIONS) : null);
      letter = new Letter(answer.id(), inbound.id(), answer.build().message().sessionId());
      back.answer(answer);
    }
    Completion said = back.build();
    Known known = model.events.get(inbound.id());
    boolean current = known != null && said.lease().equals(known.lease);

    CompletionResult answered = done(desk().complete(said));

    assertThat(answered.applied()).isEqualTo(current);
    if (current && known != null) {
      if (letter != null) {
        model.letters.put(letter.id, letter);
      }
      assertThat(answered.turn()).isEqualTo(model.giveBack(known, said));
    }
    return "give back " + inbound.id() + " as " + said.status();
  }

  private String extendOne() {
    if (given.isEmpty()) {
      return "nobody has anything";
    }
    StoredInbound inbound = any(given);
    UUID lease = present(inbound.handling().lease());
    Instant until = now.plusSeconds(random.nextInt(100));
    Known known = model.events.get(inbound.id());
    boolean current = known != null && lease.equals(known.lease);
    assertThat(done(desk().extend(lease, until))).isEqualTo(current);
    if (current && known != null) {
      known.due = until;
    }
    return "extend " + inbound.id();
  }

  private String disown() {
    String holder = random.nextBoolean() ? "node" : null;
    List<Known> held =
        model.leased().stream()
            .filter(event -> event.holder != null && event.due.isAfter(now))
            .toList();
    assertThat(done(desk().disown(holder, now))).isEqualTo(held.size());
    held.forEach(event -> event.due = now);
    return "disown " + holder;
  }

  private String replayOne() {
    Known known =
        anyEvent(random.nextInt(4) > 0 ? event -> event.status == InboundStatus.FAILED : _ -> true);
    if (known == null) {
      return "nothing to replay";
    }
    NewInbound as =
        new NewInbound(new InboundId(nextLease()), known.as.arrival(), known.as.sessionId(), now);
    boolean may = known.status == InboundStatus.FAILED && known.replayedAs == null;
    Optional<StoredInbound> taken = done(desk().replay(known.as.id(), as.id(), now));
    assertThat(taken.isPresent()).isEqualTo(may);
    if (may) {
      known.replayedAs = as.id();
      model.hear(known.account, as, known.as.id());
    }
    return "replay " + known.as.id();
  }

  private String discardOne() {
    Known known =
        anyEvent(random.nextInt(4) > 0 ? event -> event.status == InboundStatus.FAILED : _ -> true);
    if (known == null) {
      return "nothing to discard";
    }
    boolean may = known.status == InboundStatus.FAILED;
    assertThat(done(desk().discard(known.as.id(), now))).isEqualTo(may);
    if (may) {
      known.status = InboundStatus.DISCARDED;
    }
    return "discard " + known.as.id();
  }

  private String pauseOrResume() {
    String session = any(SESSIONS);
    Talk talk = model.talks.get(session);
    if (random.nextInt(3) > 0) {
      assertThat(done(desk().resumeSession(session)))
          .isEqualTo(talk != null && talk.paused != null);
      if (talk != null) {
        talk.paused = null;
        talk.since = null;
      }
      return "resume " + session;
    }
    assertThat(done(desk().pauseSession(session, "since " + now, now))).isEqualTo(talk != null);
    if (talk != null && talk.paused == null) {
      talk.paused = "since " + now;
      talk.since = now;
    }
    return "pause " + session;
  }

  private String forget() {
    Instant before = now.minusSeconds(random.nextInt(60));
    int forgotten = model.prune(before);
    assertThat(done(store.pruneInbound(before, 10_000))).isEqualTo(forgotten);
    return "forget " + forgotten;
  }

  // ---- messages

  private MessageDraft draft(@Nullable InboundId turn, @Nullable String session) {
    return to("ann")
        .unordered()
        .at(now)
        .with(message -> message.turnId(turn == null ? null : turn.toString()).sessionId(session));
  }

  private String sayOne() {
    Known known = random.nextInt(4) > 0 ? anyEvent(_ -> true) : null;
    InboundId turn = known == null ? null : known.as.id();
    String session = random.nextBoolean() ? any(SESSIONS) : null;
    MessageDraft draft = draft(turn, session);
    accept(draft);
    if (turn != null || session != null) {
      model.letters.put(draft.id(), new Letter(draft.id(), turn, session));
    }
    return "say " + draft.id() + " of turn " + turn + " in " + session;
  }

  private @Nullable Letter anyLetter(Predicate<Letter> which) {
    List<Letter> those = model.letters.values().stream().filter(which).toList();
    return those.isEmpty() ? null : any(those);
  }

  private String endOne() {
    Letter letter = anyLetter(one -> one.status == Status.QUEUED);
    if (letter == null) {
      return "nothing on its way";
    }
    Status status = any(List.of(Status.DELIVERED, Status.DELIVERED, Status.HELD, Status.CANCELLED));
    if (status == Status.CANCELLED) {
      assertThat(done(store.cancel(letter.id, now)).applied()).isTrue();
    } else {
      StoredMessage sending = reserve(find(letter.id), now);
      settle(SettlementDraft.of(sending, lease).status(status).at(now));
    }
    letter.status = status;
    letter.ended = now;
    return "end " + letter.id + " as " + status;
  }

  private String followOne() {
    Letter letter = anyLetter(_ -> true);
    if (letter == null) {
      return "nothing to follow";
    }
    if (letter.status == Status.HELD && random.nextInt(4) == 0) {
      assertThat(done(store.discard(letter.id))).isTrue();
      if (!letter.followed) {
        model.follow(letter, present(letter.ended));
      }
      model.letters.remove(letter.id);
      return "delete " + letter.id;
    }
    boolean may = letter.status.ended() && !letter.followed;
    EndEffects followed = done(desk().follow(letter.id, now));
    if (!may) {
      assertThat(followed).isEqualTo(EndEffects.NOTHING);
      return "not follow " + letter.id;
    }
    TurnState state = model.follow(letter, now);
    EndEffects.TurnEnd end = followed.turn();
    assertThat(end == null ? null : end.state()).isEqualTo(state);
    assertThat(end == null ? null : end.id()).isEqualTo(state == null ? null : letter.turn);
    assertThat(followed.mirrored() != null)
        .isEqualTo(letter.status == Status.DELIVERED && letter.session != null);
    return "follow " + letter.id;
  }

  // ---- looking

  private void compare(String when) {
    Map<InboundId, StoredInbound> expected = new HashMap<>();
    Map<InboundId, StoredInbound> actual = new HashMap<>();
    model.events.forEach((id, known) -> expected.put(id, known.stored()));
    for (StoredInbound inbound : store.inbound(InboundFilter.ALL, null, 1_000).items()) {
      actual.put(inbound.id(), inbound.at(0));
    }
    assertThat(actual).as(when).isEqualTo(expected);
    assertThat(new HashSet<>(desk().sessions(null, null, 100).items()))
        .as(when)
        .isEqualTo(model.sessions());
    assertThat(desk().expiredLeases(FAR, 1_000).stream().map(inbound -> inbound.handling().dueAt()))
        .as(when)
        .containsExactlyElementsOf(model.leased().stream().map(event -> event.due).toList());
    assertThat(done(desk().nextDue(Set.copyOf(ACCOUNTS), now)))
        .as(when)
        .isEqualTo(
            model.events.values().stream()
                .filter(event -> model.mayBeGiven(event) && event.due.isAfter(now))
                .map(event -> event.due)
                .min(Instant::compareTo));
    Set<MessageId> unfollowed = new HashSet<>();
    model.letters.values().stream()
        .filter(letter -> letter.status.ended() && !letter.followed)
        .forEach(letter -> unfollowed.add(letter.id));
    assertThat(new HashSet<>(desk().unfollowed(null, 1_000).messages()))
        .as(when)
        .isEqualTo(unfollowed);
    for (String session : SESSIONS) {
      Set<UUID> entries = new HashSet<>();
      desk().history(session, null, 1_000).items().forEach(entry -> entries.add(id(entry)));
      assertThat(entries).as(when).isEqualTo(model.history(session));
    }
  }

  private static UUID id(SessionEntry entry) {
    return switch (entry) {
      case SessionEntry.Heard heard -> heard.inbound().id().value();
      case SessionEntry.Said said -> said.message().id().value();
    };
  }

  /** Handles whatever is left: every session goes on in its order to its end. */
  private void clear(String when) {
    for (StoredInbound inbound : desk().expiredLeases(FAR, 1_000)) {
      again(inbound, 10_000, 10_000);
    }
    for (String session : model.talks.keySet()) {
      done(desk().resumeSession(session));
    }
    Map<String, List<InboundId>> expected = new HashMap<>();
    Map<String, List<InboundId>> actual = new HashMap<>();
    model.events.values().stream()
        .filter(event -> !event.status.ended())
        .forEach(
            event ->
                expected
                    .computeIfAbsent(event.as.sessionId(), _ -> new ArrayList<>())
                    .add(event.as.id()));
    List<StoredInbound> next = handOut(100, at(20_000), "bot", "other");
    while (!next.isEmpty()) {
      for (StoredInbound inbound : next) {
        actual.computeIfAbsent(inbound.sessionId(), _ -> new ArrayList<>()).add(inbound.id());
        handled(inbound, 20_000);
      }
      next = handOut(100, at(20_000), "bot", "other");
    }
    assertThat(actual).as(when).isEqualTo(expected);
  }
}
