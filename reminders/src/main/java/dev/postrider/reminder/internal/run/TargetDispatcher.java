package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where runs send: begins with targets, a few of each account at a time, the account's runs in
 * turn. Belongs to the run scheduler's task, but for {@link #send}, which is a task per target.
 */
final class TargetDispatcher {
  private static final Logger log = LoggerFactory.getLogger(TargetDispatcher.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Postrider postrider;
  private final Scheduler time;
  private final ReminderStore store;
  private final ReminderSettings settings;
  private final RandomGenerator random;
  private final RunPaces paces;
  private final Runnable ring;
  private final Runnable look;
  private final Set<Key> underWay = new HashSet<>();
  private final Map<String, Integer> inFlight = new HashMap<>();
  private final Map<String, UUID> servedLast = new HashMap<>();
  private final Set<String> onStage = new HashSet<>();
  private final Map<String, LocalDate> full = new HashMap<>(); // accounts with no room on that day
  private final Queue<Done> done = new ConcurrentLinkedQueue<>();

  /** Which target of which run. */
  private record Key(UUID run, int n) {
    static Key of(RunTarget target) {
      return new Key(target.run(), target.n());
    }
  }

  /**
   * A target that is not under way any more.
   *
   * @param outcome null if nobody knows: the process stops
   */
  record Done(ActiveRun activeRun, RunTarget target, TargetRun.@Nullable Outcome outcome) {
    String account() {
      return target.target().account();
    }
  }

  /**
   * @param ring lets the run scheduler go through another round
   * @param look lets it read the runs anew before
   */
  TargetDispatcher(
      Postrider postrider,
      ReminderSettings settings,
      RandomGenerator random,
      RunPaces paces,
      Runnable ring,
      Runnable look) {
    this.postrider = postrider;
    this.time = postrider.time();
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.settings = settings;
    this.random = random;
    this.paces = paces;
    this.ring = ring;
    this.look = look;
  }

  // ---- who may

  /** Lets the account fan out, if there is room for one more; it keeps its place until it rests. */
  boolean enter(String account) {
    if (!onStage.contains(account) && onStage.size() >= settings.runConcurrency()) {
      return false;
    }
    onStage.add(account);
    return true;
  }

  /** Accounts that have nothing to do make room for others. */
  void rest(Set<String> busy) {
    onStage.removeIf(account -> !busy.contains(account) && count(account) == 0);
  }

  /** Until when the account's runs have sent all they may on this day; null if they have not. */
  @Nullable Instant fullUntil(String account, Instant now) {
    LocalDate today = LocalDate.ofInstant(now, settings.zone());
    if (!today.equals(full.get(account))) { // nor is it if the clock was set back to another day
      full.remove(account);
      return null;
    }
    return today.plusDays(1).atStartOfDay(settings.zone()).toInstant();
  }

  private int count(String account) {
    return inFlight.getOrDefault(account, 0);
  }

  // ---- beginning

  /** Begins with as many targets as the account may have under way now. */
  void fill(String account, List<ActiveRun> runs, NextWakeUp agenda) {
    List<ActiveRun> ready = new ArrayList<>(runs);
    while (!ready.isEmpty()) {
      ActiveRun activeRun = nextAfter(servedLast.get(account), ready);
      if (count(account) >= most(account, activeRun)) {
        ready.remove(activeRun);
        continue;
      }
      Instant now = time.instant();
      Instant opens = paces.opensAt(account, activeRun.script, now);
      if (opens.isAfter(now)) {
        agenda.at(opens);
        ready.remove(activeRun);
        continue;
      }
      RunTarget target = activeRun.next(account, store::pending);
      if (target == null) {
        ready.remove(activeRun);
      } else if (!begin(account, activeRun, target, now)) {
        return;
      }
    }
  }

  /**
   * How many targets an account may have under way for a run to begin with one more: where one
   * request can bring the same to many, as many as that.
   */
  private int most(String account, ActiveRun activeRun) {
    return Math.max(settings.groupConcurrency(), paces.recipients(account, activeRun.script));
  }

  /** The runs of an account take turns. */
  private static ActiveRun nextAfter(@Nullable UUID last, List<ActiveRun> ready) {
    if (last != null) {
      for (int i = 0; i < ready.size(); i++) {
        if (ready.get(i).run.id().equals(last)) {
          return ready.get((i + 1) % ready.size());
        }
      }
    }
    return ready.getFirst();
  }

  /** Begins with a target; false if the account can begin with no other today. */
  private boolean begin(String account, ActiveRun activeRun, RunTarget target, Instant now) {
    LocalDate day = LocalDate.ofInstant(now, settings.zone());
    int sends = activeRun.script.messages().size() - target.step();
    OptionalInt most = settings.of(account).on(day);
    Integer ceiling = most.isPresent() ? most.getAsInt() : null;
    switch (time.await(store.begin(target, sends, day, ceiling, now))) {
      case YES -> {
        paces.take(account, activeRun.script, sends);
        servedLast.put(account, activeRun.run.id());
        start(activeRun, begun(target, now), false);
        return true;
      }
      case FULL -> {
        full.put(account, day);
        activeRun.putBack(target);
        return false;
      }
      case STALE -> {
        activeRun.lookAgain();
        look.run();
        return false;
      }
    }
    return false;
  }

  private static RunTarget begun(RunTarget target, Instant now) {
    return new RunTarget(
        target.run(),
        target.n(),
        target.target(),
        TargetStatus.SENDING,
        target.step(),
        target.tries() + 1,
        target.messages(),
        null,
        now,
        null);
  }

  /**
   * Takes up the targets that are begun in the store and that nobody here sends to: those of a
   * process that did not finish with them. Gives how many.
   */
  int takeUp(String account, Function<UUID, @Nullable ActiveRun> shows) {
    int taken = 0;
    for (RunTarget target : store.sending(account)) {
      ActiveRun activeRun = underWay.contains(Key.of(target)) ? null : shows.apply(target.run());
      if (activeRun != null) {
        start(activeRun, target, true);
        taken++;
      }
    }
    return taken;
  }

  private void start(ActiveRun activeRun, RunTarget target, boolean takenUp) {
    String account = target.target().account();
    underWay.add(Key.of(target));
    inFlight.merge(account, 1, Integer::sum);
    activeRun.underWay(account, 1);
    time.start("target", () -> send(activeRun, target, takenUp));
  }

  // ---- as a task of its own

  private void send(ActiveRun activeRun, RunTarget target, boolean takenUp) {
    TargetRun.Outcome outcome = null;
    try {
      outcome = insist(activeRun, target, takenUp);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("Target {} of run {} is left to the next start", target.n(), target.run());
    } finally {
      done.add(new Done(activeRun, target, outcome));
      ring.run();
    }
  }

  /**
   * Sends until it is known how that ended. Whatever fails on the way, the next try asks first what
   * the last one has handed in, so nothing is sent twice.
   */
  private TargetRun.Outcome insist(ActiveRun activeRun, RunTarget target, boolean takenUp) {
    boolean ask = takenUp;
    while (true) {
      try {
        TargetRun.Outcome outcome =
            new TargetRun(postrider, settings, this::gap, activeRun, target).run(ask);
        settle(target, outcome);
        return outcome;
      } catch (Scheduler.Interrupted | StoreClosed e) {
        throw e;
      } catch (StoreUnavailable e) {
        ask = true; // everybody is told of it elsewhere
        time.pause(AGAIN);
      } catch (RuntimeException | Error e) {
        log.error(
            "Run {}: sending to target {} failed and is tried again", target.run(), target.n(), e);
        ask = true;
        time.pause(AGAIN);
      }
    }
  }

  private Duration gap(Duration shortest, Duration longest) {
    long spread = longest.minus(shortest).toMillis();
    return spread <= 0 ? shortest : shortest.plusMillis(random.nextLong(spread + 1));
  }

  private void settle(RunTarget target, TargetRun.Outcome outcome) {
    time.await(
        store.settle(
            target,
            outcome.status(),
            outcome.step(),
            outcome.messages(),
            outcome.error(),
            time.instant()));
  }

  // ---- back on the run scheduler's task

  /** What is not under way any more since this was last asked. */
  List<Done> takeBack() {
    List<Done> all = new ArrayList<>();
    for (Done one = done.poll(); one != null; one = done.poll()) {
      underWay.remove(Key.of(one.target()));
      inFlight.merge(one.account(), -1, Integer::sum);
      one.activeRun().underWay(one.account(), -1);
      if (one.outcome() != null && one.outcome().status() == TargetStatus.PENDING) {
        one.activeRun().lookAgain();
      }
      all.add(one);
    }
    return all;
  }
}
