package dev.postrider.reminder.run;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.store.Reminders;
import dev.postrider.store.RunStatus;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoredRun;
import dev.postrider.store.TargetStatus;
import dev.postrider.time.Bell;
import dev.postrider.time.Scheduler;
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
 * <p>One strand makes every decision, round by round: which reminders fire, which runs may send,
 * which target is next. So there is nothing to lock, and the order of things can be read here. A
 * target that is begun is sent to on a strand of its own, {@link TargetRun}; when it is done it
 * leaves word and rings, and the next round takes that up. Between rounds the conductor sleeps
 * until somebody rings, or until the moment the last round has named: a window that opens or
 * closes, a reminder that fires, a token.
 *
 * <p>What must survive is in the store before it matters. A target is begun there before its
 * message is handed in; a run's status, and why it waits, are there whenever they change. So the
 * conductor can die at any point: another one reads the runs that have not ended, takes up the
 * targets that were begun, and goes on.
 *
 * <p>An account has at most {@code groupConcurrency} targets under way, of all its runs together,
 * and the runs take turns. The real gate is the account's pace, as for every message.
 */
final class Conductor implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(Conductor.class);
  private static final Duration LOOK = Duration.ofSeconds(15);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int BATCH = 1_000;

  private final Postrider postrider;
  private final Scheduler time;
  private final Reminders store;
  private final ReminderSettings settings;
  private final Firings firings;
  private final Stage stage;
  private final Ending ending;
  private final Hindrances hindrances;
  private final Keeping keeping;
  private final Bell bell;
  private final Map<UUID, Show> shows = new ConcurrentHashMap<>(); // changed by the strand only
  private final Set<String> takenUp = new HashSet<>();
  private volatile boolean dirty = true;
  private volatile boolean stopped;
  private Instant readAt = Instant.EPOCH;

  Conductor(
      Postrider postrider,
      ReminderSettings settings,
      RandomGenerator random,
      Paces paces,
      Firings firings,
      Ending ending) {
    this.postrider = postrider;
    this.time = postrider.time();
    this.store = postrider.store().reminders();
    this.settings = settings;
    this.bell = new Bell(time);
    this.firings = firings;
    this.stage = new Stage(postrider, settings, random, paces, this::ring, this::look);
    this.ending = ending;
    this.hindrances = new Hindrances(postrider);
    this.keeping = new Keeping(postrider);
  }

  // ---- starting and stopping

  void start() {
    postrider.events().subscribe(this);
    new Supervisor(time, e -> e instanceof StoreClosed).start("conductor", this::conduct);
  }

  void stop() {
    stopped = true;
    ring();
  }

  private void ring() {
    bell.ring();
  }

  /** Runs, reminders or accounts have changed: looks at them at once. */
  void look() {
    dirty = true;
    ring();
  }

  /** A run as it is led here; null if it is not. */
  @Nullable Show show(UUID run) {
    return shows.get(run);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.AccountTaken || event instanceof Event.AccountLeft) {
      look();
    } else if (hindrances.note(event)) {
      ring();
    }
  }

  // ---- round by round

  private void conduct() {
    while (!stopped) {
      try (Bell.Ear ear = bell.listen()) {
        ear.await(round());
      }
    }
  }

  /** Does what can be done now; gives when there will be more to do. */
  private Instant round() {
    Instant now = time.instant();
    Agenda agenda = new Agenda(now.plus(LOOK));
    try {
      Set<String> accounts = accounts();
      stage.takeBack().forEach(this::ended);
      boolean anew = dirty || !now.isBefore(readAt.plus(LOOK));
      anew |= firings.fire(accounts, anew, agenda);
      if (anew) {
        read(accounts);
        accounts.forEach(this::takeUp);
        readAt = now;
      }
      List<Show> going = inOrder().stream().filter(show -> goes(show, accounts, agenda)).toList();
      perform(going, accounts, agenda);
      keeping.round(accounts, shows.values(), agenda);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("Runs will be looked at again: {}", e.getMessage());
      dirty = true;
      agenda.at(now.plus(AGAIN));
    }
    return agenda.next();
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
    hindrances.read();
    Set<UUID> there = new HashSet<>();
    for (StoredRun run : store.active(accounts)) {
      there.add(run.id());
      Show known = shows.get(run.id());
      if (known == null) {
        shows.put(run.id(), new Show(run, ScriptJson.read(run.document())));
      } else if (known.changed || known.run.version() != run.version()) {
        known.changed = false;
        known.run = run;
        known.lookAgain();
      }
    }
    for (Show show : List.copyOf(shows.values())) {
      if (!there.contains(show.run.id())) {
        store.run(show.run.id()).ifPresent(run -> show.run = run); // its strands look at it
        if (show.inFlight() == 0) {
          shows.remove(show.run.id());
        }
      }
    }
  }

  /**
   * Takes up targets that are begun and that nobody sends to. Those of a process that died are
   * there when this one has just begun with the account; later there should be none.
   */
  private void takeUp(String account) {
    int taken = stage.takeUp(account, run -> shows.computeIfAbsent(run, this::readEnded));
    if (!takenUp.add(account) && taken > 0) {
      postrider.countRescued(taken);
      log.warn(
          "Safety sweep: account {}: {} targets of runs were begun, and nobody sent to them",
          account,
          taken);
    }
  }

  /** A run that was ended while its last targets were under way. */
  private @Nullable Show readEnded(UUID run) {
    return store
        .run(run)
        .map(found -> new Show(found, ScriptJson.read(found.document())))
        .orElse(null);
  }

  private List<Show> inOrder() {
    return shows.values().stream()
        .filter(show -> !show.run.status().ended())
        .sorted(
            Comparator.comparing((Show show) -> show.run.createdAt())
                .thenComparing(show -> show.run.id()))
        .toList();
  }

  private void ended(Stage.Done done) {
    Show show = done.show();
    TargetRun.Outcome outcome = done.outcome();
    if (outcome == null) {
      return;
    }
    Instant now = time.instant();
    if (outcome.status().ended()) {
      String tooMany = show.ended(outcome.status(), now, settings);
      if (tooMany != null && !show.run.status().ended()) {
        change(show, RunStatus.PAUSED, tooMany, null);
      }
    }
    if (show.run.status().ended() && show.inFlight() == 0) {
      shows.remove(show.run.id());
    } else {
      ending.tell(show, now, false);
    }
  }

  // ---- one run

  /** Whether the run may send now; if not, its status says why. */
  private boolean goes(Show show, Set<String> accounts, Agenda agenda) {
    Hindrances.Hindrance hindrance = hindrances.of(show.script.accounts(), accounts);
    if (show.run.status() == RunStatus.PAUSED) {
      if (!Hindrances.pausedByItself(show.run) || hindrance != null) {
        return false;
      }
    } else if (hindrance != null && hindrance.broken()) {
      change(show, RunStatus.PAUSED, hindrance.reason(), null);
      return false;
    }
    switch (Standing.of(show.run, show.script, time.instant())) {
      case Standing.Over(String reason) -> skipRest(show, reason);
      case Standing.Wait(String reason, Instant until) -> {
        agenda.at(until);
        change(show, RunStatus.WAITING, reason, until);
      }
      case Standing.Go go -> {
        show.until = go.until();
        agenda.at(go.until());
        if (hindrance == null) {
          return go.hasTime(time.instant());
        }
        change(show, RunStatus.WAITING, hindrance.reason(), null);
      }
    }
    return false;
  }

  private void skipRest(Show show, String reason) {
    show.until = time.instant();
    int ended;
    do {
      ended =
          time.await(
              store.endPending(show.run.id(), TargetStatus.SKIPPED, reason, time.instant(), BATCH));
    } while (ended == BATCH);
    show.lookAgain();
    endIfDone(show, reason);
  }

  private void endIfDone(Show show, @Nullable String reason) {
    if (show.inFlight() == 0 && ending.end(show, reason)) {
      shows.remove(show.run.id());
    }
  }

  /** Stores how the run stands now, if that has changed; false if somebody else has changed it. */
  private boolean change(
      Show show, RunStatus status, @Nullable String reason, @Nullable Instant until) {
    StoredRun run = show.run;
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
    show.run = changed.next();
    ending.tell(show, now, true);
    return true;
  }

  // ---- all of them, account by account

  private void perform(List<Show> going, Set<String> accounts, Agenda agenda) {
    Set<String> busy = new LinkedHashSet<>();
    going.forEach(show -> busy.addAll(show.script.accounts()));
    busy.retainAll(accounts);
    stage.rest(busy);
    Set<Show> sending = new HashSet<>();
    for (String account : busy) {
      List<Show> runs = new ArrayList<>();
      going.stream().filter(show -> show.script.accounts().contains(account)).forEach(runs::add);
      Instant now = time.instant();
      Instant fullUntil = stage.fullUntil(account, now);
      Hindrances.Hindrance hindrance = hindrances.of(List.of(account), accounts);
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
      } else if (stage.enter(account)) {
        runs.removeIf(run -> !change(run, RunStatus.RUNNING, null, null));
        sending.addAll(runs);
        stage.fill(account, runs, agenda);
      } else {
        String reason = settings.runConcurrency() + " accounts fan out already; it is next";
        runs.forEach(run -> wait(run, sending, reason, null));
      }
    }
    for (Show show : going) {
      if (show.isIdle(accounts)) {
        endIfDone(show, null);
      }
    }
  }

  private void wait(Show show, Set<Show> sending, String reason, @Nullable Instant until) {
    if (!sending.contains(show) && show.inFlight() == 0) {
      change(show, RunStatus.WAITING, reason, until);
    }
  }
}
