package dev.postrider.reminder.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.MessageId;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.DailyLimit;
import dev.postrider.reminder.estimate.Estimate;
import dev.postrider.reminder.estimate.Rate;
import dev.postrider.reminder.internal.run.ActiveRun;
import dev.postrider.reminder.internal.run.DefaultPaces;
import dev.postrider.reminder.internal.run.Firings;
import dev.postrider.reminder.internal.run.RunEnds;
import dev.postrider.reminder.internal.run.RunScheduler;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.WindowOpening;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Page;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs, for people: to look at, pause, resume and cancel. Each throws {@link Refused} if it cannot
 * be done. Had by {@code Reminders.runs()}. Thread-safe.
 */
public final class Runs {
  private static final int BATCH = 1_000;
  private static final int UNKNOWN_SHOWN = 50;

  private final Postrider postrider;
  private final ReminderStore store;
  private final ReminderSettings settings;
  private final RunScheduler runScheduler;
  private final Firings firings;
  private final DefaultPaces paces;
  private final RunEnds ending;

  public Runs(Postrider postrider, ReminderSettings settings, RandomGenerator random) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.settings = settings;
    this.paces = new DefaultPaces(postrider, settings);
    this.firings = new Firings(postrider, settings, random);
    this.ending = new RunEnds(postrider);
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

  /** Lists runs, the newest first; of one reminder, or of all. */
  public Page<StoredRun> list(@Nullable UUID reminder, @Nullable String cursor, int limit) {
    return store.runs(reminder, cursor, limit);
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
      UUID run, @Nullable TargetStatus status, @Nullable String cursor, int limit) {
    return store.targets(run, status, cursor, limit);
  }

  /** A run as it stands now. */
  public RunView view(StoredRun run) {
    Map<TargetStatus, Integer> counts = store.counts(run.id());
    int pending = counts.getOrDefault(TargetStatus.PENDING, 0);
    int sending = counts.getOrDefault(TargetStatus.SENDING, 0);
    Instant now = postrider.time().instant();
    FrozenReminder script = ScriptJson.read(run.document());
    Optional<WindowOpening> open =
        script.window() == null || run.status().ended()
            ? Optional.empty()
            : script.window().at(now);
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
        open.map(WindowOpening::closes).orElse(null),
        run.status().ended() ? null : eta(run, script, pending + sending, now));
  }

  /** By the pace of late if the run is led here, or else by the pace that is allowed. */
  private @Nullable Instant eta(StoredRun run, FrozenReminder script, int left, Instant now) {
    String account = script.accounts().getFirst();
    if (run.status() == RunStatus.PAUSED || !postrider.accountNames().contains(account)) {
      return null;
    }
    ActiveRun activeRun = runScheduler.show(run.id());
    double real = activeRun == null ? 0 : activeRun.perMinute(now) * script.messages().size();
    Rate rate = real > 0 ? new Rate(real, 1) : paces.rate(account);
    long sends = (long) left * script.messages().size() / script.accounts().size();
    return Estimate.of(sends, rate, limit(account), script.window(), now).doneAt();
  }

  private DailyLimit limit(String account) {
    LocalDate today = LocalDate.ofInstant(postrider.time().instant(), settings.zone());
    return new DailyLimit(
        day -> settings.of(account).on(day), settings.zone(), store.sentOn(account, today));
  }

  /** What a reminder would come to, if it fired now. */
  public RunForecast outlook(FrozenReminder script, List<ReminderTarget> targets) {
    Map<String, List<String>> chats = new HashMap<>();
    targets.forEach(
        target -> chats.computeIfAbsent(target.account(), _ -> new ArrayList<>()).add(target.to()));
    Instant now = postrider.time().instant();
    List<String> unknown = new ArrayList<>();
    Estimate longest = null;
    double perMinute = Double.POSITIVE_INFINITY;
    for (Map.Entry<String, List<String>> account : chats.entrySet()) {
      Set<String> strangers = new HashSet<>(account.getValue());
      strangers.removeAll(store.known(account.getKey(), account.getValue()));
      unknown.addAll(strangers);
      Rate rate = paces.rate(account.getKey());
      perMinute = Math.min(perMinute, rate.perMinute());
      long sends = (long) account.getValue().size() * script.messages().size();
      Estimate estimate = Estimate.of(sends, rate, limit(account.getKey()), script.window(), now);
      longest = longest == null || later(estimate, longest) ? estimate : longest;
    }
    unknown.sort(Comparator.naturalOrder());
    return new RunForecast(
        (long) targets.size() * script.messages().size(),
        Objects.requireNonNull(longest),
        perMinute,
        unknown.subList(0, Math.min(unknown.size(), UNKNOWN_SHOWN)),
        unknown.size());
  }

  private static boolean later(Estimate one, Estimate other) {
    return other.doneAt() != null && (one.doneAt() == null || one.doneAt().isAfter(other.doneAt()));
  }

  // ---- leading

  public RunView fire(StoredReminder reminder) {
    StoredRun run =
        firings
            .fireNow(reminder)
            .orElseThrow(
                () ->
                    new Refused(
                        Refused.Cause.CONFLICT,
                        "reminder "
                            + reminder.id()
                            + " was changed, or has just fired; look again"));
    runScheduler.look();
    return view(run);
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
    StoredRun before = stored(id);
    boolean ended = before.status().ended();
    if (before.total() == 0) {
      throw new Refused(Refused.Cause.CONFLICT, "run " + id + " was missed and has no targets");
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
    return change(
        id,
        run -> {
          StoredRun goesOn = run.with(RunStatus.WAITING, "it is resumed", null);
          return run.status().ended() ? goesOn.revived().unstarted() : goesOn;
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
    while (write(store.endPending(id, TargetStatus.CANCELLED, "the run was cancelled", now, BATCH))
        == BATCH) {
      // in small batches among the other writes
    }
    withdraw(id);
    ending.announce(cancelled, RunEnds.Count.of(store.counts(id)), now);
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
