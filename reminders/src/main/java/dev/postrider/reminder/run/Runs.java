package dev.postrider.reminder.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.MessageId;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.FiringForecast;
import dev.postrider.reminder.estimate.RunForecast;
import dev.postrider.reminder.internal.run.ActiveRun;
import dev.postrider.reminder.internal.run.Firings;
import dev.postrider.reminder.internal.run.Forecasts;
import dev.postrider.reminder.internal.run.Handover;
import dev.postrider.reminder.internal.run.RunEnds;
import dev.postrider.reminder.internal.run.RunPaces;
import dev.postrider.reminder.internal.run.RunScheduler;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.WindowOpening;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReasonCount;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs, for people: to look at, pause, resume and cancel. Each throws {@link Refused} if it cannot
 * be done. Had by {@code Reminders.runs()}. Thread-safe.
 */
public final class Runs {
  private static final int BATCH = 1_000;
  private static final int REASONS_SHOWN = 20;

  private final Postrider postrider;
  private final ReminderStore store;
  private final RunScheduler runScheduler;
  private final Firings firings;
  private final Forecasts forecasts;
  private final RunEnds ending;
  private final Handover handover;

  public Runs(Postrider postrider, ReminderSettings settings, RandomGenerator random) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
    RunPaces paces = new RunPaces(postrider, settings);
    this.forecasts = new Forecasts(postrider, settings, paces);
    this.firings = new Firings(postrider, settings, random);
    this.ending = new RunEnds(postrider);
    this.handover = new Handover(postrider);
    this.runScheduler = new RunScheduler(postrider, settings, random, paces, firings, ending);
  }

  public void start() {
    runScheduler.start();
  }

  public void stop() {
    runScheduler.stop();
  }

  /** Reminders have changed. */
  public void look() {
    runScheduler.look();
  }

  // ---- looking

  public Optional<RunView> find(UUID id) {
    return store.run(id).map(this::view);
  }

  /** Lists runs, the newest first. */
  public Page<StoredRun> list(RunFilter filter, @Nullable String cursor, int limit) {
    return store.runs(filter, cursor, limit);
  }

  /** How many runs of accounts worked here have not ended, by the label of their status. */
  public Map<String, Long> activeByStatus() {
    Set<String> here =
        postrider.accountNames().stream().filter(postrider::works).collect(Collectors.toSet());
    return store.active(here).stream()
        .collect(Collectors.groupingBy(run -> run.status().label(), Collectors.counting()));
  }

  /** The targets of a run, in their order. */
  public Page<RunTarget> targets(
      UUID run, RunTargetFilter filter, @Nullable String cursor, int limit) {
    return store.targets(run, filter, cursor, limit);
  }

  /** A target of a run as its reminder had it, with the account that sends to it. */
  public static Target target(FrozenReminder script, RunTarget target) {
    ReminderTarget chat = target.target();
    return new Target(
        chat.to(), chat.account(), chat.variables(), chat.name(), script.ownHours(target.n()));
  }

  /** A run as it stands now. */
  public RunView view(StoredRun run) {
    Map<TargetStatus, Integer> counts = store.counts(run.id());
    int pending = counts.getOrDefault(TargetStatus.PENDING, 0);
    int sending = counts.getOrDefault(TargetStatus.SENDING, 0);
    Instant now = postrider.time().instant();
    FrozenReminder script = ScriptJson.read(run.document());
    Forecasts.Rest rest =
        run.status().ended() || run.status() == RunStatus.PAUSED
            ? null
            : forecasts.rest(run, script, RunEnds.Count.reached(counts), perMinute(run, now));
    return new RunView(
        run,
        RunEnds.Count.reached(counts),
        counts.getOrDefault(TargetStatus.DELIVERED, 0) + counts.getOrDefault(TargetStatus.READ, 0),
        counts.getOrDefault(TargetStatus.READ, 0),
        counts.getOrDefault(TargetStatus.FAILED, 0),
        counts.getOrDefault(TargetStatus.SKIPPED, 0),
        counts.getOrDefault(TargetStatus.CANCELLED, 0),
        pending,
        sending,
        everyStatus(counts),
        run.status().ended() ? null : closesAt(script, now),
        rest == null ? null : rest.eta(),
        rest == null ? null : rest.outlook(),
        rest == null ? null : rest.expected());
  }

  private static Map<TargetStatus, Integer> everyStatus(Map<TargetStatus, Integer> counts) {
    Map<TargetStatus, Integer> all = new EnumMap<>(TargetStatus.class);
    for (TargetStatus status : TargetStatus.values()) {
      all.put(status, counts.getOrDefault(status, 0));
    }
    return all;
  }

  /** When the first window closes of those that are open. */
  private static @Nullable Instant closesAt(FrozenReminder script, Instant now) {
    return script.hours().stream()
        .flatMap(hours -> Stream.ofNullable(hours.window()))
        .flatMap(window -> window.at(now).stream())
        .map(WindowOpening::closes)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private double perMinute(StoredRun run, Instant now) {
    ActiveRun activeRun = runScheduler.show(run.id());
    return activeRun == null ? 0 : activeRun.perMinute(now);
  }

  /** Why targets of a run were not reached, the most frequent reasons first. */
  public List<ReasonCount> reasons(UUID run) {
    return store.reasons(run, REASONS_SHOWN);
  }

  /** The last run of a reminder, if it ever fired. */
  public Optional<StoredRun> lastOf(UUID reminder) {
    return store.runs(RunFilter.of(reminder), null, 1).items().stream().findFirst();
  }

  /** What a reminder would come to if it fired now, and what its next firings will. */
  RunForecast ifFiredNow(FrozenReminder script, List<ReminderTarget> targets) {
    return forecasts.ifFiredNow(script, targets);
  }

  List<FiringForecast> firings(FrozenReminder script, List<ReminderTarget> targets) {
    return forecasts.firings(script, targets);
  }

  // ---- leading

  public RunView fire(StoredReminder reminder) {
    StoredRun run = firings.fireNow(reminder).orElseThrow(() -> notFired(reminder));
    runScheduler.look();
    return view(run);
  }

  private Refused notFired(StoredReminder reminder) {
    String why =
        store
            .going(reminder.id())
            .map(run -> overlaps(run.id()))
            .orElse(
                "reminder %s was changed, or has just fired; look again".formatted(reminder.id()));
    return new Refused(Refused.Cause.CONFLICT, why);
  }

  private static String overlaps(UUID going) {
    return "run %s of this reminder has not ended; wait for it, cancel it, or give the reminder"
            .formatted(going)
        + " \"overlap\": \"allow\"";
  }

  /** Begins with no more targets; those under way are finished. */
  public RunView pause(UUID id, String reason) {
    return change(
        id,
        run -> {
          refuseIfEnded(run, "paused");
          return run.with(RunStatus.PAUSED, reason, null);
        });
  }

  /** Lets a run go on, also one that has ended: with those of its targets that were not reached. */
  public RunView resume(UUID id, ResumeScope scope) {
    return resume(id, scope, null);
  }

  /**
   * The same through another account: it sends to all that are pending then. Targets that an
   * account is sending to stay with it.
   *
   * @param account null to leave each target with its account
   */
  public RunView resume(UUID id, ResumeScope scope, @Nullable String account) {
    StoredRun before = stored(id);
    boolean ended = before.status().ended();
    if (before.total() == 0) {
      throw new Refused(Refused.Cause.CONFLICT, "run " + id + " was missed and has no targets");
    }
    if (ended && ScriptJson.read(before.document()).overlap() == Overlap.REFUSE) {
      store
          .going(before.reminder())
          .ifPresent(
              other -> {
                throw new Refused(Refused.Cause.CONFLICT, overlaps(other.id()));
              });
    }
    if (account != null) {
      handover.check(before, account);
    }
    int revived = 0;
    if (ended || scope != ResumeScope.PENDING) {
      revived = revive(id, scope);
    }
    if (ended && revived == 0) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "run " + id + " has ended, and there is nobody left to send to in this scope");
    }
    if (account != null) {
      handover.move(id, account);
    }
    Instant now = postrider.time().instant();
    return change(
        id,
        run -> {
          StoredRun goesOn = run.with(RunStatus.WAITING, "it is resumed", null);
          return run.status().ended() ? goesOn.resumed(now) : goesOn;
        });
  }

  private int revive(UUID id, ResumeScope scope) {
    int all = 0;
    int some;
    do {
      some = write(store.revive(id, scope.revived(), BATCH));
      all += some;
    } while (some == BATCH);
    return all;
  }

  /**
   * Ends a run: what is pending is cancelled, and so is what is queued. What is being sent at this
   * moment may arrive; the view says how many that are.
   */
  public RunView cancel(UUID id) {
    Instant now = postrider.time().instant();
    RunEnds.Count before = RunEnds.Count.of(store.counts(id));
    String summary = "Cancelled; %d of %d delivered.".formatted(before.sent(), before.total());
    StoredRun cancelled =
        change(
                id,
                run -> {
                  refuseIfEnded(run, "cancelled");
                  return run.ended(RunStatus.CANCELLED, summary, now).started(now);
                })
            .run();
    while (write(
            store.endPending(
                id,
                0,
                Integer.MAX_VALUE,
                TargetStatus.CANCELLED,
                "the run was cancelled",
                now,
                BATCH))
        == BATCH) {
      // in small batches among the other writes
    }
    withdraw(id);
    ending.announce(cancelled, null, RunEnds.Count.of(store.counts(id)), now);
    return view(cancelled);
  }

  private void withdraw(UUID id) {
    ActiveRun activeRun = runScheduler.show(id);
    if (activeRun != null) {
      for (MessageId message : List.copyOf(activeRun.onTheirWay)) {
        try {
          postrider.cancel(message);
        } catch (Refused e) {
          continue; // it is being sent, or has ended
        }
      }
    }
  }

  private static void refuseIfEnded(StoredRun run, String what) {
    if (run.status().ended()) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "run " + run.id() + " has ended as " + run.status().label() + " and cannot be " + what);
    }
  }

  /** Changes a run, whoever else changes it at the same time. */
  private RunView change(UUID id, UnaryOperator<StoredRun> change) {
    StoredRun changed;
    do {
      changed = change.apply(stored(id));
    } while (!write(store.update(changed)));
    ActiveRun activeRun = runScheduler.show(id);
    if (activeRun != null) {
      activeRun.run = changed.next(); // its tasks look at it
      activeRun.changed = true;
    }
    runScheduler.look();
    return view(changed.next());
  }

  private StoredRun stored(UUID id) {
    return store
        .run(id)
        .orElseThrow(() -> new Refused(Refused.Cause.NOT_FOUND, "there is no run " + id));
  }

  /** Waits for a write; a store that does not take it is a refusal. */
  <T> T write(CompletableFuture<T> write) {
    try {
      return postrider.time().await(write);
    } catch (StoreUnavailable e) {
      throw new Refused(Refused.Cause.UNAVAILABLE, "nothing was changed: " + e.getMessage());
    }
  }
}
