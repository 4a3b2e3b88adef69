package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.time.Scheduler;
import dev.postrider.time.Signal;
import dev.postrider.time.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads all runs of the accounts that this process works.
 *
 * <p>One task makes every decision, round by round: which reminders fire, which runs may send,
 * which target is next. So there is nothing to lock, and the order of things can be read here. A
 * target that is begun is sent to as a task of its own, {@link TargetRun}; when it is done it says
 * so and gives a signal, and the next round goes on from there. Between rounds the run scheduler
 * sleeps until somebody rings, or until the moment the last round has named: a window that opens or
 * closes, a reminder that fires, a token.
 *
 * <p>What must survive is in the store before it matters. A target is begun there before its
 * message is handed in; a run's status, and why it waits, are there whenever they change. So the
 * scheduler can die at any point: another one reads the runs that have not ended, takes up the
 * targets that were begun, and goes on.
 *
 * <p>An account has at most {@code groupConcurrency} targets under way, of all its runs together
 * (more where they can share a request), and the runs take turns. The real gate is the account's
 * pace, as for every message.
 */
public final class RunScheduler implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(RunScheduler.class);
  private static final Duration LOOK = Signal.LOOK_AGAIN;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** Between two looks at what platforms said later. */
  private static final Duration FOLLOW = Duration.ofSeconds(1);

  private final Postrider postrider;
  private final Scheduler time;
  private final ReminderStore store;
  private final ReminderSettings settings;
  private final Firings firings;
  private final TargetDispatcher targetDispatcher;
  private final RunEnds ending;
  private final RunHours runHours;
  private final BlockedAccounts blockedAccounts;
  private final UploadKeeper uploadKeeper;
  private final ReceiptFollower receiptFollower;
  private final Signal signal;
  private final Map<UUID, ActiveRun> shows = new ConcurrentHashMap<>(); // changed by the task only
  private final Set<String> takenUp = new HashSet<>();
  private volatile boolean dirty = true;
  private volatile boolean stopped;
  private volatile boolean heard; // a platform has told more of some message
  private @Nullable Duration readAt; // on the stopwatch
  private @Nullable Duration followedAt; // on the stopwatch

  public RunScheduler(
      Postrider postrider,
      ReminderSettings settings,
      RandomGenerator random,
      RunPaces paces,
      Firings firings,
      RunEnds ending) {
    this.postrider = postrider;
    this.time = postrider.time();
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.settings = settings;
    this.signal = new Signal(time);
    this.firings = firings;
    this.targetDispatcher =
        new TargetDispatcher(postrider, settings, random, paces, this::ring, this::look);
    this.ending = ending;
    this.runHours = new RunHours(postrider);
    this.blockedAccounts = new BlockedAccounts(postrider);
    this.uploadKeeper = new UploadKeeper(postrider);
    this.receiptFollower = new ReceiptFollower(postrider, ending, this::failedLater);
  }

  // ---- starting and stopping

  public void start() {
    postrider.events().subscribe(this);
    new Supervisor(time, e -> e instanceof StoreClosed).start("run-scheduler", this::run);
  }

  public void stop() {
    stopped = true;
    ring();
  }

  private void ring() {
    signal.ring();
  }

  /** Runs, reminders or accounts have changed: looks at them at once. */
  public void look() {
    dirty = true;
    ring();
  }

  /** A run as it is led here; null if it is not. */
  public @Nullable ActiveRun show(UUID run) {
    return shows.get(run);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.AccountTaken || event instanceof Event.AccountLeft) {
      look();
    } else if (event instanceof Event.ReceiptUpdated updated && updated.id() != null) {
      heard = true;
      ring();
    } else if (blockedAccounts.note(event)) {
      ring();
    }
  }

  // ---- round by round

  private void run() {
    while (!stopped) {
      try (Signal.Ear ear = signal.listen()) {
        ear.await(round());
      }
    }
  }

  /** Does what can be done now; gives when there will be more to do. */
  private Instant round() {
    Instant now = time.instant();
    NextWakeUp agenda = new NextWakeUp(now.plus(LOOK));
    try {
      Set<String> accounts = accounts();
      targetDispatcher.takeBack().forEach(this::ended);
      boolean anew = dirty || left(readAt, LOOK).isZero();
      anew |= firings.fire(accounts, anew, agenda);
      if (anew) {
        read(accounts);
        accounts.forEach(this::takeUp);
        readAt = time.elapsed();
      }
      List<ActiveRun> going =
          inOrder().stream().filter(activeRun -> goes(activeRun, accounts, agenda)).toList();
      perform(going, accounts, agenda);
      uploadKeeper.round(accounts, shows.values(), agenda);
      follow(accounts, anew, now, agenda);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("Runs will be looked at again: {}", e.getMessage());
      dirty = true;
      agenda.at(now.plus(AGAIN));
    }
    return agenda.next();
  }

  /** How much of so long is left on the stopwatch since then. */
  private Duration left(@Nullable Duration since, Duration length) {
    Duration left = since == null ? Duration.ZERO : since.plus(length).minus(time.elapsed());
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Targets and runs follow what platforms said later. What was told to another node is found by
   * looking.
   */
  private void follow(Set<String> accounts, boolean anew, Instant now, NextWakeUp agenda) {
    if (!heard && !anew) {
      return;
    }
    Duration left = left(followedAt, FOLLOW);
    if (left.isPositive()) {
      agenda.at(now.plus(left));
      return;
    }
    heard = false;
    followedAt = time.elapsed();
    if (receiptFollower.follow(accounts)) {
      heard = true;
      agenda.at(now.plus(FOLLOW));
    }
  }

  /** The accounts that are worked here. */
  private Set<String> accounts() {
    Set<String> worked = new TreeSet<>(postrider.accountNames());
    worked.removeIf(account -> !postrider.works(account));
    takenUp.retainAll(worked);
    return worked;
  }

  /** Reads the runs that have not ended, and which accounts can send. */
  private void read(Set<String> accounts) {
    dirty = false;
    blockedAccounts.read();
    Set<UUID> there = new HashSet<>();
    for (StoredRun run : store.active(accounts)) {
      there.add(run.id());
      ActiveRun known = shows.get(run.id());
      if (known == null) {
        shows.put(run.id(), activeRun(run));
      } else if (known.changed || known.run.version() != run.version()) {
        known.changed = false;
        known.run = run;
        known.accounts = store.accounts(run.id());
        known.lookAgain();
      }
    }
    for (ActiveRun activeRun : List.copyOf(shows.values())) {
      if (!there.contains(activeRun.run.id())) {
        store.run(activeRun.run.id()).ifPresent(run -> activeRun.run = run); // its tasks look at it
        if (activeRun.inFlight() == 0) {
          shows.remove(activeRun.run.id());
        }
      }
    }
  }

  /**
   * Takes up targets that are begun and that nobody sends to. Those of a process that died are
   * there when this one has just begun with the account; later there should be none.
   */
  private void takeUp(String account) {
    int taken =
        targetDispatcher.takeUp(account, run -> shows.computeIfAbsent(run, this::readEnded));
    if (!takenUp.add(account) && taken > 0) {
      postrider.countRescued(taken);
      log.warn(
          "Safety sweep: account {}: {} targets of runs were begun, and nobody sent to them",
          account,
          taken);
    }
  }

  /** A run that was ended while its last targets were under way. */
  private @Nullable ActiveRun readEnded(UUID run) {
    return store.run(run).map(this::activeRun).orElse(null);
  }

  private ActiveRun activeRun(StoredRun run) {
    return new ActiveRun(run, ScriptJson.read(run.document()), store.accounts(run.id()));
  }

  private List<ActiveRun> inOrder() {
    return shows.values().stream()
        .filter(activeRun -> !activeRun.run.status().ended())
        .sorted(
            Comparator.comparing((ActiveRun activeRun) -> activeRun.run.createdAt())
                .thenComparing(activeRun -> activeRun.run.id()))
        .toList();
  }

  private void ended(TargetDispatcher.Done done) {
    ActiveRun activeRun = done.activeRun();
    TargetRun.Outcome outcome = done.outcome();
    if (outcome == null) {
      return;
    }
    Instant now = time.instant();
    if (outcome.status().ended()) {
      pauseIf(activeRun, activeRun.ended(done.target().n(), outcome.status(), now, settings));
    }
    if (activeRun.run.status().ended() && activeRun.inFlight() == 0) {
      shows.remove(activeRun.run.id());
    } else {
      ending.tell(activeRun, now, false);
    }
  }

  private void failedLater(RunTarget target) {
    ActiveRun activeRun = shows.get(target.run());
    if (activeRun != null) {
      pauseIf(activeRun, activeRun.failedLater(target.n(), settings));
    }
  }

  private void pauseIf(ActiveRun activeRun, @Nullable String tooMany) {
    if (tooMany != null && !activeRun.run.status().ended()) {
      change(activeRun, RunStatus.PAUSED, tooMany, null);
    }
  }

  // ---- one run

  /** Whether the run may send now; if not, its status says why. */
  private boolean goes(ActiveRun activeRun, Set<String> accounts, NextWakeUp agenda) {
    BlockedAccounts.Hindrance hindrance = blockedAccounts.of(activeRun.accounts, accounts);
    if (activeRun.run.status() == RunStatus.PAUSED) {
      if (!BlockedAccounts.pausedByItself(activeRun.run) || hindrance != null) {
        return false;
      }
    } else if (hindrance != null && hindrance.broken()) {
      change(activeRun, RunStatus.PAUSED, hindrance.reason(), null);
      return false;
    }
    RunHours.Openings openings = runHours.look(activeRun, accounts, agenda);
    WindowState.Wait wait = openings.waits();
    if (openings.open()) {
      if (hindrance == null) {
        return openings.hasTime();
      }
      change(activeRun, RunStatus.WAITING, hindrance.reason(), null);
    } else if (wait != null && activeRun.inFlight() == 0) {
      change(activeRun, RunStatus.WAITING, wait.reason(), wait.until());
    } else if (wait == null) {
      endIfDone(activeRun, openings.over());
    }
    return false;
  }

  private void endIfDone(ActiveRun activeRun, @Nullable String reason) {
    if (activeRun.inFlight() == 0 && ending.end(activeRun, reason)) {
      shows.remove(activeRun.run.id());
    }
  }

  /** Stores how the run stands now, if that has changed; false if somebody else has changed it. */
  private boolean change(
      ActiveRun activeRun, RunStatus status, @Nullable String reason, @Nullable Instant until) {
    StoredRun run = activeRun.run;
    if (run.status() == status
        && Objects.equals(run.reason(), reason)
        && Objects.equals(run.until(), until)) {
      return true;
    }
    Instant now = time.instant();
    StoredRun changed = run.with(status, reason, until);
    changed = status == RunStatus.RUNNING ? changed.started(now) : changed;
    if (!time.await(store.update(changed))) {
      dirty = true;
      ring();
      return false;
    }
    activeRun.run = changed.next();
    ending.tell(activeRun, now, true);
    return true;
  }

  // ---- all of them, account by account

  private void perform(List<ActiveRun> going, Set<String> accounts, NextWakeUp agenda) {
    Set<String> busy = new LinkedHashSet<>();
    going.forEach(activeRun -> busy.addAll(activeRun.accounts));
    busy.retainAll(accounts);
    targetDispatcher.rest(busy);
    Set<ActiveRun> sending = new HashSet<>();
    for (String account : busy) {
      List<ActiveRun> runs = new ArrayList<>();
      going.stream().filter(activeRun -> activeRun.accounts.contains(account)).forEach(runs::add);
      Instant now = time.instant();
      Instant fullUntil = targetDispatcher.fullUntil(account, now);
      BlockedAccounts.Hindrance hindrance = blockedAccounts.of(List.of(account), accounts);
      if (hindrance != null) {
        runs.forEach(run -> wait(run, sending, hindrance.reason(), null));
      } else if (fullUntil != null) {
        agenda.at(fullUntil);
        runs.forEach(
            run ->
                wait(
                    run,
                    sending,
                    "account '" + account + "' has sent all it may today",
                    fullUntil));
      } else if (targetDispatcher.enter(account)) {
        runs.removeIf(run -> !change(run, RunStatus.RUNNING, null, null));
        sending.addAll(runs);
        targetDispatcher.fill(account, runs, agenda);
      } else {
        String reason = settings.runConcurrency() + " accounts fan out already; it is next";
        runs.forEach(run -> wait(run, sending, reason, null));
      }
    }
    for (ActiveRun activeRun : going) {
      if (activeRun.isIdle(accounts, store::pending)) {
        endIfDone(activeRun, null);
      }
    }
  }

  private void wait(
      ActiveRun activeRun, Set<ActiveRun> sending, String reason, @Nullable Instant until) {
    if (!sending.contains(activeRun) && activeRun.inFlight() == 0) {
      change(activeRun, RunStatus.WAITING, reason, until);
    }
  }
}
