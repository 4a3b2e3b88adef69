package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.DailyLimit;
import dev.postrider.reminder.estimate.Estimate;
import dev.postrider.reminder.estimate.FiringForecast;
import dev.postrider.reminder.estimate.Rate;
import dev.postrider.reminder.estimate.RestForecast;
import dev.postrider.reminder.estimate.RunEstimate;
import dev.postrider.reminder.estimate.RunForecast;
import dev.postrider.reminder.estimate.Share;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.StoredRun;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells how runs will go: by the pace, the windows and the ceilings that they will be held to. */
public final class Forecasts {
  private static final int FIRINGS = 5;
  private static final int UNKNOWN_SHOWN = 50;

  private final Postrider postrider;
  private final ReminderStore store;
  private final ReminderSettings settings;
  private final RunPaces paces;

  public Forecasts(Postrider postrider, ReminderSettings settings, RunPaces paces) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.settings = settings;
    this.paces = paces;
  }

  /** How many targets of each account are in each of a script's hours. */
  private record Crowd(FrozenReminder script, Map<String, int[]> counts) {
    static Crowd of(FrozenReminder script, List<ReminderTarget> targets) {
      List<FrozenReminder.Hours> hours = script.hours();
      Map<String, int[]> counts = new TreeMap<>();
      int span = 0;
      for (int n = 0; n < targets.size(); n++) {
        while (n >= hours.get(span).to()) {
          span++;
        }
        counts.computeIfAbsent(targets.get(n).account(), _ -> new int[hours.size()])[span]++;
      }
      return new Crowd(script, counts);
    }

    static Crowd left(FrozenReminder script, StoredRun run, ReminderStore store) {
      List<FrozenReminder.Hours> hours = script.hours();
      Map<String, int[]> counts = new TreeMap<>();
      for (int i = 0; i < hours.size(); i++) {
        int span = i;
        store
            .left(run.id(), hours.get(i).from(), hours.get(i).to())
            .forEach(
                (account, left) ->
                    counts.computeIfAbsent(account, _ -> new int[hours.size()])[span] = left);
      }
      return new Crowd(script, counts);
    }

    int count(String account) {
      return Arrays.stream(counts.getOrDefault(account, new int[0])).sum();
    }

    int total() {
      return counts.keySet().stream().mapToInt(this::count).sum();
    }

    /** What the account has to send, by the hours. */
    List<Share> shares(String account, @Nullable Instant began) {
      List<Share> shares = new ArrayList<>();
      int[] inHours = counts.getOrDefault(account, new int[0]);
      for (int i = 0; i < inHours.length; i++) {
        long sends = (long) inHours[i] * script.messages().size();
        if (sends > 0) {
          FrozenReminder.Hours hours = script.hours().get(i);
          shares.add(
              began == null
                  ? Share.of(sends, hours.window())
                  : Share.ofRun(sends, hours.window(), began));
        }
      }
      return shares;
    }
  }

  private DailyLimit limit(String account, Instant from) {
    LocalDate today = LocalDate.ofInstant(postrider.time().instant(), settings.zone());
    boolean isToday = LocalDate.ofInstant(from, settings.zone()).equals(today);
    return new DailyLimit(
        day -> settings.of(account).on(day),
        settings.zone(),
        isToday ? store.sentOn(account, today) : 0);
  }

  private static @Nullable Instant expires(FrozenReminder script, Instant from) {
    return script.expiresIn() == null ? null : from.plus(script.expiresIn());
  }

  // ---- before it fires

  /** What a reminder would come to, if it fired now. */
  public RunForecast ifFiredNow(FrozenReminder script, List<ReminderTarget> targets) {
    Instant now = postrider.time().instant();
    Crowd crowd = Crowd.of(script, targets);
    List<String> unknown = unknown(targets);
    List<Estimate> estimates = new ArrayList<>();
    double perMinute = Double.POSITIVE_INFINITY;
    for (String account : crowd.counts.keySet()) {
      Rate rate = paces.rate(account, script);
      perMinute = Math.min(perMinute, rate.perMinute());
      estimates.add(Estimate.of(crowd.shares(account, null), rate, limit(account, now), now));
    }
    return new RunForecast(
        (long) targets.size() * script.messages().size(),
        estimates.stream()
            .max(
                Comparator.comparing(
                    Estimate::doneAt, Comparator.nullsLast(Comparator.naturalOrder())))
            .orElseThrow(),
        perMinute,
        unknown.subList(0, Math.min(unknown.size(), UNKNOWN_SHOWN)),
        unknown.size(),
        firings(script, crowd));
  }

  private List<String> unknown(List<ReminderTarget> targets) {
    List<String> unknown = new ArrayList<>();
    targets.stream()
        .collect(
            Collectors.groupingBy(
                ReminderTarget::account,
                Collectors.mapping(ReminderTarget::to, Collectors.toList())))
        .forEach(
            (account, chats) -> {
              Set<String> strangers = new HashSet<>(chats);
              strangers.removeAll(store.known(account, chats));
              unknown.addAll(strangers);
            });
    unknown.sort(Comparator.naturalOrder());
    return unknown;
  }

  /** The next firings of the schedule; none if it is not followed. */
  public List<FiringForecast> firings(FrozenReminder script, List<ReminderTarget> targets) {
    return firings(script, Crowd.of(script, targets));
  }

  private List<FiringForecast> firings(FrozenReminder script, Crowd crowd) {
    List<FiringForecast> firings = new ArrayList<>();
    Instant ended = Instant.MIN;
    Optional<Instant> next = next(script, postrider.time().instant());
    while (next.isPresent() && firings.size() < FIRINGS) {
      Instant at = next.get();
      RunEstimate estimate = estimate(script, crowd, at);
      boolean missed = script.afterClose() == AfterClose.MISSED && !estimate.inWindow();
      boolean overlaps = script.overlap() == Overlap.REFUSE && ended.isAfter(at);
      if (missed || overlaps) {
        String why = overlaps ? EstimateWords.OVERLAPS : EstimateWords.MISSED;
        firings.add(nothing(script, at, estimate, why));
      } else {
        firings.add(firing(script, at, estimate));
        ended = estimate.endsAt() == null ? Instant.MAX : estimate.endsAt();
      }
      next = next(script, at);
    }
    return firings;
  }

  private static Optional<Instant> next(FrozenReminder script, Instant after) {
    Schedule schedule = script.schedule();
    return schedule == null || !script.enabled()
        ? Optional.empty()
        : schedule.next(after, script.zone());
  }

  private RunEstimate estimate(FrozenReminder script, Crowd crowd, Instant from) {
    List<RunEstimate.Part> parts =
        crowd.counts.keySet().stream()
            .map(
                account ->
                    new RunEstimate.Part(
                        crowd.count(account),
                        crowd.shares(account, from),
                        paces.rate(account, script),
                        limit(account, from)))
            .toList();
    return RunEstimate.of(parts, script.messages().size(), from, expires(script, from));
  }

  private static FiringForecast firing(FrozenReminder script, Instant at, RunEstimate estimate) {
    return new FiringForecast(
        at.atZone(script.zone()),
        estimate.fits(),
        estimate.doneAt(),
        estimate.inWindow(),
        estimate.startsAt(),
        estimate.reached(),
        estimate.total(),
        new EstimateWords(estimate, at, script.zone(), expires(script, at)).note());
  }

  private static FiringForecast nothing(
      FrozenReminder script, Instant at, RunEstimate estimate, String why) {
    return new FiringForecast(
        at.atZone(script.zone()), false, null, estimate.inWindow(), null, 0, estimate.total(), why);
  }

  // ---- while it runs

  /**
   * How the rest of a run will go.
   *
   * @param eta when it will end; null if that is years away
   */
  public record Rest(@Nullable Instant eta, String outlook, RestForecast expected) {}

  /**
   * By the pace of late if the run is led here, or else by the pace that is allowed; null if an
   * account of it is not configured any more.
   *
   * @param perMinute targets a minute of late; 0 if that is not known
   */
  public @Nullable Rest rest(StoredRun run, FrozenReminder script, int sent, double perMinute) {
    Crowd crowd = Crowd.left(script, run, store);
    if (!postrider.accountNames().containsAll(crowd.counts.keySet())) {
      return null;
    }
    Instant now = postrider.time().instant();
    Instant began = WindowState.began(run);
    List<RunEstimate.Part> parts = new ArrayList<>();
    for (String account : crowd.counts.keySet()) {
      int left = crowd.count(account);
      double real = perMinute * script.messages().size() * left / crowd.total();
      parts.add(
          new RunEstimate.Part(
              left,
              crowd.shares(account, began == null ? now : began),
              real > 0 ? new Rate(real, 1) : paces.rate(account, script),
              limit(account, now)));
    }
    Instant expires = expires(script, run.createdAt());
    RunEstimate estimate = RunEstimate.of(parts, script.messages().size(), now, expires);
    EstimateWords words = new EstimateWords(estimate, now, script.zone(), expires);
    RestForecast expected =
        new RestForecast(
            estimate.inWindow() ? null : estimate.startsAt(),
            sent + estimate.reached(),
            estimate.fits() ? null : estimate.closesAt(),
            estimate.doneAt());
    return new Rest(estimate.endsAt(), words.outlook(sent, run.total()), expected);
  }
}
