package dev.postrider.reminder.internal.run;

import dev.postrider.message.MessageId;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run as the run scheduler sees it. What it says may be older than what the store says; whatever
 * is decided by it is a compare-and-set there. Belongs to the run scheduler's task but for what is
 * said to be seen by others.
 */
public final class ActiveRun {
  private static final int AHEAD = 50;

  /** For so many targets, what a platform says later counts for whether too many failed. */
  private static final int REMEMBERED = 2_000;

  /** The targets of one account in the same hours, a few ahead. */
  private static final class Feed {
    final Deque<RunTarget> ahead = new ArrayDeque<>();
    boolean exhausted;
  }

  private record Place(String account, Hours hours) {}

  /** Hours in which some of the targets are sent to. Seen by the tasks that send. */
  static final class Hours {
    final FrozenReminder.Hours targets;

    /** Nothing of theirs is sent from this moment on; null if nothing ends it. */
    volatile @Nullable Instant until;

    /** Whether they may be sent to now. */
    boolean open;

    /** Whether their time is over, and those that were pending have been skipped. */
    boolean skipped;

    private Hours(FrozenReminder.Hours targets) {
      this.targets = targets;
    }
  }

  /** Reads pending targets of an account, from one place to before another. */
  @FunctionalInterface
  interface Reader {
    List<RunTarget> pending(UUID run, String account, int from, int to, int limit);
  }

  final FrozenReminder script;
  final List<Hours> hours;
  private final Map<Place, Feed> feeds = new HashMap<>();
  private final Map<String, Integer> inFlight = new HashMap<>();

  /** Those that have targets to send to, as far as is known here. */
  Set<String> accounts;

  /** Whether they failed, for the last targets that ended, by their numbers. */
  private final SequencedMap<Integer, Boolean> failures = new LinkedHashMap<>();

  private final Throughput throughput = new Throughput();

  // ---- seen by the tasks that send

  /** What is on its way, so that it can be withdrawn. */
  public final Set<MessageId> onTheirWay = ConcurrentHashMap.newKeySet();

  public volatile StoredRun run;

  /** Somebody has changed the run, and perhaps which of its targets are pending. */
  public volatile boolean changed;

  private @Nullable Duration toldAt; // on the stopwatch; the run scheduler's own

  ActiveRun(StoredRun run, FrozenReminder script, Set<String> accounts) {
    this.run = run;
    this.script = script;
    this.accounts = accounts;
    this.hours = script.hours().stream().map(Hours::new).toList();
  }

  /** The hours of the target at a place. */
  Hours hoursOf(int place) {
    return hours.stream().filter(one -> place < one.targets.to()).findFirst().orElseThrow();
  }

  private Feed feed(String account, Hours of, Reader reader) {
    Feed feed = feeds.computeIfAbsent(new Place(account, of), _ -> new Feed());
    if (feed.ahead.isEmpty() && !feed.exhausted) {
      feed.ahead.addAll(
          reader.pending(run.id(), account, of.targets.from(), of.targets.to(), AHEAD));
      feed.exhausted = feed.ahead.isEmpty();
    }
    return feed;
  }

  /** Whether one of these accounts has pending targets in these hours. */
  boolean hasPending(Hours of, Set<String> worked, Reader reader) {
    return accounts.stream()
        .filter(worked::contains)
        .anyMatch(account -> !feed(account, of, reader).exhausted);
  }

  /** The next pending target of an account that may be sent to; of those hours that end first. */
  @Nullable RunTarget next(String account, Reader reader) {
    return hours.stream()
        .filter(one -> one.open)
        .sorted(
            Comparator.comparing(one -> one.until, Comparator.nullsLast(Comparator.naturalOrder())))
        .flatMap(one -> Stream.ofNullable(feed(account, one, reader).ahead.poll()))
        .findFirst()
        .orElse(null);
  }

  /** It was not begun after all. */
  void putBack(RunTarget target) {
    Place place = new Place(target.target().account(), hoursOf(target.n()));
    feeds.computeIfAbsent(place, _ -> new Feed()).ahead.addFirst(target);
  }

  /** So many more targets of the account are under way. */
  void underWay(String account, int more) {
    inFlight.merge(account, more, Integer::sum);
  }

  /** Targets may have become pending that were not. */
  void lookAgain() {
    hours.forEach(one -> one.skipped = false);
    feeds
        .values()
        .forEach(
            feed -> {
              feed.ahead.clear();
              feed.exhausted = false;
            });
  }

  int inFlight() {
    return inFlight.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Whether, as far as is known here, nothing is left to do for these accounts. */
  boolean isIdle(Set<String> worked, Reader reader) {
    return inFlight() == 0 && hours.stream().noneMatch(one -> hasPending(one, worked, reader));
  }

  // ---- how it goes

  /** A target has ended; tells why the run should stop if too many failed of late. */
  @Nullable String ended(int target, TargetStatus status, Instant at, ReminderSettings settings) {
    throughput.ended(at);
    failures.putLast(target, status == TargetStatus.FAILED);
    if (failures.size() > Math.max(REMEMBERED, settings.errorSample())) {
      failures.pollFirstEntry();
    }
    return tooMany(target, settings);
  }

  /** The platform took what was sent to a target, and says now that it failed; tells the same. */
  @Nullable String failedLater(int target, ReminderSettings settings) {
    return failures.replace(target, false, true) ? tooMany(target, settings) : null;
  }

  /** Looks at the targets up to this one: of those after it, less is known yet. */
  private @Nullable String tooMany(int last, ReminderSettings settings) {
    List<Boolean> sample =
        failures.sequencedEntrySet().reversed().stream()
            .dropWhile(target -> target.getKey() != last)
            .limit(settings.errorSample())
            .map(Map.Entry::getValue)
            .toList();
    long failed = sample.stream().filter(failure -> failure).count();
    boolean tooMany =
        sample.size() == settings.errorSample()
            && failed >= settings.errorRatio() * settings.errorSample();
    if (!tooMany) {
      return null;
    }
    failures.clear();
    return "%d of the last %d targets failed; look at them, then resume"
        .formatted(failed, settings.errorSample());
  }

  /** Targets per minute of late; zero if too little is known. */
  public double perMinute(Instant now) {
    return throughput.perMinute(now);
  }

  /**
   * Whether it is time to tell how far it has got.
   *
   * @param now what the stopwatch shows
   */
  boolean shallTell(Duration now, Duration interval) {
    if (toldAt != null && now.minus(toldAt).compareTo(interval) < 0) {
      return false;
    }
    toldAt = now;
    return true;
  }
}
