package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.SessionKey;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.PausedLane;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations on a few lanes, against a model that is only lists in memory. After each one,
 * the store has exactly the heads that the model has: one per lane, whatever happened, and none
 * that is due in a lane that is paused. At the end all lanes are resumed: nothing was forgotten.
 */
abstract class RandomLives extends StoreBehaviour {
  private static final List<String> CHATS = List.of("ann", "ben", "cid");

  RandomLives(StoreContract contract) {
    super(contract);
  }

  /** A message as the model knows it. */
  private static final class Known {
    final StoredMessage first;
    final boolean ordered;
    boolean live;
    boolean scheduled;
    Status status;
    Instant dueAt;
    String chat;
    @Nullable StoredMessage attempt;

    Known(AcceptResult.Stored accepted, boolean scheduled) {
      first = accepted.message();
      ordered = first.message().ordering() == Ordering.FIFO;
      live = first.message().priority() == Priority.LIVE;
      this.scheduled = scheduled;
      status = first.status();
      dueAt = first.dueAt();
      chat = first.message().to();
      attempt = accepted.reserved() ? first : null;
    }

    @Override
    public String toString() {
      return first.id() + " " + status + (scheduled ? " scheduled" : "");
    }
  }

  private final Map<Long, Known> active = new LinkedHashMap<>();
  private final Map<String, List<Known>> lanes = new LinkedHashMap<>();
  private final Map<String, String> aliases = new LinkedHashMap<>();
  private final Set<String> paused = new TreeSet<>();
  private Instant now = at(0);

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void a_lane_has_exactly_one_head_whatever_happens(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    CHATS.forEach(chat -> lanes.put(chat, new ArrayList<>()));
    for (int step = 0; step < 150; step++) {
      now = now.plusSeconds(random.nextInt(3));
      String what = act(random);
      assertThat(actual()).as("seed %d, step %d: %s", seed, step, what).isEqualTo(expected());
    }
    if (remembers()) {
      reopen();
      assertThat(actual()).as("seed %d, reopened", seed).isEqualTo(expected());
    }
    for (String chat : List.copyOf(paused)) {
      assertThat(done(store.resumeLane("bot", chat))).isTrue();
      paused.remove(chat);
      assertThat(actual()).as("seed %d, resumed %s", seed, chat).isEqualTo(expected());
    }
  }

  // ---- acting, on the store and on the model

  private String act(RandomGenerator random) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> acceptOne(random);
      case 3, 4 -> reserveOne(random);
      case 5, 6 -> settleOne(random);
      case 7 -> cancelOne(random);
      case 8 -> enterOrExpire(random);
      case 9 -> moveLane(random);
      case 10 -> pauseOrResume(random);
      default -> hurryOne(random);
    };
  }

  private String acceptOne(RandomGenerator random) {
    MessageDraft draft = to(CHATS.get(random.nextInt(CHATS.size()))).at(now);
    boolean unordered = random.nextInt(6) == 0;
    boolean scheduled = random.nextInt(5) == 0;
    if (unordered) {
      draft.unordered();
    }
    if (random.nextBoolean()) {
      draft.bulk();
    }
    if (scheduled) {
      draft.due(now.plusSeconds(1 + random.nextInt(10)));
    }
    if (random.nextInt(4) == 0) {
      draft.expires(now.plusSeconds(1 + random.nextInt(20)));
    }
    if (random.nextBoolean()) {
      draft.reserve(leave(now));
    }
    AcceptResult.Stored stored = accept(draft);
    Known known = new Known(stored, scheduled && !unordered);
    String wished = draft.build().message().to();
    assertThat(known.chat).isEqualTo(aliases.getOrDefault(wished, wished));
    active.put(known.first.row(), known);
    if (!unordered && !scheduled) {
      join(known);
    }
    if (paused.contains(known.chat)) {
      assertThat(stored.reserved()).as("reserved").isFalse();
      assertThat(stored.head() != null).as("may be sent").isEqualTo(known.scheduled);
    }
    return "accept " + known;
  }

  private void join(Known known) {
    List<Known> lane = lane(known);
    if (known.live) {
      lane.forEach(before -> before.live = true);
    }
    lane.add(known);
  }

  private String reserveOne(RandomGenerator random) {
    Known known = any(random, Set.of(Status.QUEUED));
    if (known == null) {
      return "nothing to reserve";
    }
    boolean may =
        !known.scheduled
            && !paused.contains(known.chat)
            && (!known.ordered || lane(known).getFirst() == known)
            && !known.dueAt.isAfter(now)
            && known.first.expiresAt().isAfter(now);
    var reserved = done(store.reserve(known.first.row(), leave(now)));
    assertThat(reserved.isPresent()).as("reserve %s", known).isEqualTo(may);
    reserved.ifPresent(attempt -> sending(known, attempt));
    return "reserve " + known;
  }

  private static void sending(Known known, StoredMessage attempt) {
    known.status = Status.SENDING;
    known.attempt = attempt;
  }

  private String settleOne(RandomGenerator random) {
    Known known = any(random, Set.of(Status.SENDING));
    if (known == null) {
      return "nothing to settle";
    }
    SettlementDraft ending = SettlementDraft.of(present(known.attempt), lease).at(now);
    if (random.nextInt(3) == 0) {
      ending.again(now.plusSeconds(random.nextInt(4)));
      known.status = Status.QUEUED;
      known.dueAt = ending.build().dueAt();
      settle(ending);
      return "retry " + known;
    }
    boolean goOn = random.nextBoolean();
    if (goOn) {
      ending.then(leave(now));
    }
    SettleResult settled =
        settle(ending.status(random.nextBoolean() ? Status.DELIVERED : Status.HELD));
    assertThat(settled.applied()).isTrue();
    Known next = end(known);
    boolean reserves =
        goOn
            && next != null
            && !paused.contains(next.chat)
            && next.first.expiresAt().isAfter(now)
            && !next.dueAt.isAfter(now); // moved here while it waited to be tried again
    assertThat(settled.reserved() == null ? null : settled.reserved().row())
        .isEqualTo(reserves ? present(next).first.row() : null);
    assertThat(settled.next() == null ? null : settled.next().row())
        .isEqualTo(reserves ? null : free(next));
    if (settled.reserved() != null) {
      sending(present(next), settled.reserved());
    }
    return "end " + known;
  }

  private String cancelOne(RandomGenerator random) {
    Known known = any(random, Set.of(Status.QUEUED, Status.SENDING));
    if (known == null) {
      return "nothing to cancel";
    }
    var change = done(store.cancel(known.first.id(), now));
    assertThat(change.applied()).isEqualTo(known.status == Status.QUEUED);
    if (change.applied()) {
      Known next = end(known);
      assertThat(change.next() == null ? null : change.next().row()).isEqualTo(free(next));
    }
    return "cancel " + known;
  }

  private String enterOrExpire(RandomGenerator random) {
    for (Known known : active.values()) {
      if (known.scheduled && !known.dueAt.isAfter(now)) {
        boolean first = lane(known).isEmpty() && !paused.contains(known.chat);
        known.scheduled = false;
        join(known);
        assertThat(done(store.enter("bot", known.first.row(), now)).isPresent()).isEqualTo(first);
        return "enter " + known;
      }
    }
    List<EndedMessage> ended = done(store.expire(now, 1 + random.nextInt(3)));
    for (EndedMessage each : ended) {
      Known known = present(active.get(each.message().row()));
      assertThat(known.status).isEqualTo(Status.QUEUED);
      assertThat(known.first.expiresAt()).isBeforeOrEqualTo(now);
      end(known);
    }
    return "expire " + ended;
  }

  private String hurryOne(RandomGenerator random) {
    Known known = any(random, Set.of(Status.QUEUED));
    if (known == null) {
      return "nothing to hurry";
    }
    if (done(store.retry(known.first.id(), now)).applied() && known.dueAt.isAfter(now)) {
      known.dueAt = now;
    }
    return "hurry " + known;
  }

  private String moveLane(RandomGenerator random) {
    List<String> known = List.copyOf(lanes.keySet());
    String from = known.get(random.nextInt(known.size()));
    String to =
        random.nextBoolean() ? "moved-" + lanes.size() : known.get(random.nextInt(known.size()));
    String target = aliases.getOrDefault(to, to);
    List<Known> old = present(lanes.get(from));
    boolean sending = !old.isEmpty() && old.getFirst().status == Status.SENDING;
    List<Known> moving =
        active.values().stream()
            .filter(each -> each.chat.equals(from) && each.status == Status.QUEUED)
            .toList();
    Optional<Integer> moved = done(store.moveLane(lease, from, to, SessionKey.DEFAULT, now));
    assertThat(moved)
        .isEqualTo(from.equals(target) || sending ? Optional.empty() : Optional.of(moving.size()));
    if (moved.isPresent()) {
      aliases.replaceAll((_, chat) -> chat.equals(from) ? target : chat);
      aliases.put(from, target);
      lanes.putIfAbsent(target, new ArrayList<>());
      moving.forEach(each -> each.chat = target);
      List<Known> inLane = old.stream().filter(moving::contains).toList();
      old.removeAll(inLane);
      inLane.forEach(this::join);
      if (paused.remove(from)) {
        paused.add(target);
      }
    }
    return "move " + from + " to " + to;
  }

  private String pauseOrResume(RandomGenerator random) {
    List<String> known = List.copyOf(lanes.keySet());
    String chat = known.get(random.nextInt(known.size()));
    String target = aliases.getOrDefault(chat, chat);
    if (random.nextBoolean()) {
      done(store.pauseLane(new PausedLane("bot", chat, "test", now)));
      paused.add(target);
      return "pause " + chat;
    }
    assertThat(done(store.resumeLane("bot", chat))).isEqualTo(paused.remove(target));
    return "resume " + chat;
  }

  /** The row that may be sent now that this is its lane's head. */
  private @Nullable Long free(@Nullable Known head) {
    return head == null || paused.contains(head.chat) ? null : Long.valueOf(head.first.row());
  }

  private @Nullable Known any(RandomGenerator random, Set<Status> statuses) {
    List<Known> those =
        active.values().stream().filter(each -> statuses.contains(each.status)).toList();
    return those.isEmpty() ? null : those.get(random.nextInt(those.size()));
  }

  /** Takes an ended message out; gives the lane's new head, if there is a new one. */
  private @Nullable Known end(Known known) {
    active.remove(known.first.row());
    List<Known> lane = lane(known);
    boolean head = !lane.isEmpty() && lane.getFirst() == known;
    lane.remove(known);
    if (!head || lane.isEmpty()) {
      return null;
    }
    Known next = lane.getFirst();
    next.dueAt = next.dueAt.isAfter(now) ? next.dueAt : now;
    return next;
  }

  private List<Known> lane(Known known) {
    return present(lanes.get(known.chat));
  }

  // ---- looking, at the model and at the store

  private Set<String> expected() {
    Set<String> all = new TreeSet<>();
    for (Known known : active.values()) {
      boolean inLane = known.ordered && !known.scheduled;
      boolean head = !inLane || lane(known).getFirst() == known;
      boolean waits = !known.scheduled && paused.contains(known.chat);
      if (known.status == Status.QUEUED && head && !waits) {
        all.add(
            "head "
                + known.first.row()
                + (known.live ? " LIVE" : " BULK")
                + (known.scheduled ? " scheduled" : ""));
      } else if (known.status == Status.SENDING) {
        all.add("sending " + known.first.row());
      }
    }
    lanes.forEach(
        (chat, lane) -> {
          if (!lane.isEmpty()) {
            all.add("lane " + chat + " " + lane.size() + " " + lane.getFirst().first.id());
          }
        });
    return all;
  }

  private Set<String> actual() {
    Set<String> all =
        heads("bot").stream()
            .map(RandomLives::describe)
            .collect(Collectors.toCollection(TreeSet::new));
    store.interrupted("bot").forEach(message -> all.add("sending " + message.row()));
    for (LaneView lane : store.lanes(LaneFilter.of("bot"), null, 100).items()) {
      if (lane.headId() != null) {
        all.add("lane " + lane.chat() + " " + lane.depth() + " " + lane.headId());
      }
    }
    return all;
  }

  private static String describe(Head head) {
    return "head " + head.row() + " " + head.priority() + (head.scheduled() ? " scheduled" : "");
  }
}
