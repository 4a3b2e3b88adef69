package dev.postrider.internal.lane;

import dev.postrider.message.Priority;
import dev.postrider.store.Store;
import dev.postrider.store.message.Head;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The safety net under an account's lanes: finds heads that are due and that nobody looks at. It
 * should never find any; what it finds is a defect, so it is started, counted and logged.
 *
 * <p>A head is only forgotten if two rounds in a row found it so, unchanged: in between everybody
 * who was about to look has had the time. While the window does not show everything that is due, it
 * looks for itself, and nothing is read here: so a backlog costs nothing. Otherwise one page per
 * priority is read in each round, on the index by due time.
 */
final class LaneSweep {
  /** How often to look; twice this is how long a forgotten head waits. */
  static final Duration INTERVAL = Duration.ofSeconds(7);

  private static final Logger log = LoggerFactory.getLogger(LaneSweep.class);

  /** What a round has found of one priority, and where the next one begins. */
  private static final class Round {
    Map<Long, Head> suspects = new HashMap<>();
    @Nullable Head after;
  }

  private final String account;
  private final Store store;
  private final Scheduler time;
  private final Object lock;
  private final LaneScheduler lanes;
  private final Map<Priority, Round> rounds = new EnumMap<>(Priority.class);
  private boolean stuck; // guarded by the lock
  private long moves; // guarded by the lock
  private @Nullable Duration lookedAt; // guarded by the lock

  LaneSweep(String account, Store store, Scheduler time, Object lock, LaneScheduler lanes) {
    this.account = account;
    this.store = store;
    this.time = time;
    this.lock = lock;
    this.lanes = lanes;
    for (Priority priority : Priority.values()) {
      rounds.put(priority, new Round());
    }
  }

  void look(IntConsumer onRescued) {
    boolean lostTimer;
    synchronized (lock) {
      if (wasAsleep()) {
        rounds.values().forEach(round -> round.suspects.clear());
        stuck = false;
      }
      boolean now = lanes.isStuck();
      lostTimer = now && stuck && moves == lanes.moves();
      stuck = now;
      moves = lanes.moves();
    }
    if (lostTimer) {
      log.warn(
          "Safety sweep: account {}: its lanes could go on and nothing moved them; moved on now",
          account);
      onRescued.accept(1);
      lanes.lookAgain();
    }
    rounds.forEach((priority, round) -> look(priority, round, onRescued));
  }

  /** The process was stopped for a while: whoever was about to look has not had the time. */
  private boolean wasAsleep() {
    Duration now = time.elapsed();
    boolean asleep =
        lookedAt != null && now.minus(lookedAt).compareTo(INTERVAL.multipliedBy(2)) >= 0;
    lookedAt = now;
    return asleep;
  }

  private void look(Priority priority, Round round, IntConsumer onRescued) {
    Head after;
    synchronized (lock) {
      if (!lanes.showsEverything(priority)) {
        round.suspects.clear();
        round.after = null;
        return;
      }
      after = round.after;
    }
    store
        .due(account, priority, lanes.dueNow(), after, DueHeads.PAGE)
        .thenAccept(page -> compare(priority, round, page, onRescued));
  }

  private void compare(Priority priority, Round round, List<Head> page, IntConsumer onRescued) {
    List<Head> forgotten = new ArrayList<>(0);
    synchronized (lock) {
      Map<Long, Head> suspects = new HashMap<>();
      if (lanes.showsEverything(priority)) {
        for (Head head : page) {
          if (!lanes.isLookedAfter(head)) {
            suspects.put(head.row(), head);
            if (head.equals(round.suspects.get(head.row()))) {
              forgotten.add(head);
            }
          }
        }
      }
      round.suspects = suspects;
      if (suspects.isEmpty()) {
        round.after = page.size() == DueHeads.PAGE ? page.getLast() : null;
      }
    }
    if (!forgotten.isEmpty()) {
      Head first = forgotten.getFirst();
      log.warn(
          "Safety sweep: account {}: {} lanes were due and nobody looked at them;"
              + " started now. The first: chat"
              + " {}, row {}, {}, due since {}{}{}",
          account,
          forgotten.size(),
          first.chat(),
          first.row(),
          priority,
          first.dueAt(),
          first.scheduled() ? ", scheduled" : "",
          first.ordered() ? "" : ", unordered");
      onRescued.accept(forgotten.size());
      forgotten.forEach(lanes::offer);
    }
  }
}
