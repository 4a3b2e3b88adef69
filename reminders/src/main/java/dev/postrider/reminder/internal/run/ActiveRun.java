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
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
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

  /** The targets of one account, a few ahead. */
  static final class Feed {
    final Deque<RunTarget> ahead = new ArrayDeque<>();
    int inFlight;
    boolean exhausted;
  }

  /** Reads pending targets of an account. */
  @FunctionalInterface
  interface Reader {
    List<RunTarget> pending(UUID run, String account, int limit);
  }

  final FrozenReminder script;
  final Map<String, Feed> feeds = new HashMap<>();

  /** Whether they failed, for the last targets that ended, by their numbers. */
  private final SequencedMap<Integer, Boolean> failures = new LinkedHashMap<>();

  private final Throughput throughput = new Throughput();

  // ---- seen by the tasks that send

  /** What is on its way, so that it can be withdrawn. */
  public final Set<MessageId> onTheirWay = ConcurrentHashMap.newKeySet();

  public volatile StoredRun run;

  /** Somebody has changed the run, and perhaps which of its targets are pending. */
  public volatile boolean changed;

  volatile @Nullable Instant until;
  private volatile Instant toldAt = Instant.EPOCH;

  ActiveRun(StoredRun run, FrozenReminder script) {
    this.run = run;
    this.script = script;
  }

  Feed feed(String account) {
    return feeds.computeIfAbsent(account, _ -> new Feed());
  }

  /** The next pending target of an account; null if there is none. */
  @Nullable RunTarget next(String account, Reader reader) {
    Feed feed = feed(account);
    if (feed.ahead.isEmpty() && !feed.exhausted) {
      feed.ahead.addAll(reader.pending(run.id(), account, AHEAD));
      feed.exhausted = feed.ahead.isEmpty();
    }
    return feed.ahead.poll();
  }

  /** Targets may have become pending that were not. */
  void lookAgain() {
    feeds
        .values()
        .forEach(
            feed -> {
              feed.ahead.clear();
              feed.exhausted = false;
            });
  }

  int inFlight() {
    return feeds.values().stream().mapToInt(feed -> feed.inFlight).sum();
  }

  /** Whether, as far as is known here, nothing is left to do for these accounts. */
  boolean isIdle(Set<String> accounts) {
    return inFlight() == 0
        && script.accounts().stream()
            .filter(accounts::contains)
            .map(feeds::get)
            .allMatch(feed -> feed != null && feed.exhausted);
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

  /** Whether it is time to tell how far it has got. */
  boolean shallTell(Instant now, Duration interval) {
    if (now.isBefore(toldAt.plus(interval))) {
      return false;
    }
    toldAt = now;
    return true;
  }
}
