package dev.postrider.internal.retry;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.config.DeliverySettings;
import dev.postrider.message.EndReason;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an outcome means: the only place that retries anything. Pure but for the jitter,
 * whose randomness is injected.
 */
public final class RetryPolicy {

  private final DeliverySettings settings;
  private final Function<Dispatch, Duration> platformRemembers;
  private final RandomGenerator random;

  /**
   * @param platformRemembers how long the platform recognises a part by its key
   */
  public RetryPolicy(
      DeliverySettings settings,
      Function<Dispatch, Duration> platformRemembers,
      RandomGenerator random) {
    this.settings = settings;
    this.platformRemembers = platformRemembers;
    this.random = random;
  }

  /**
   * Judges one try at one part.
   *
   * @param message as it was reserved: its attempt under way is counted
   * @param progress where its parts stand
   * @param part the part that was tried
   * @param sentAt when its request went out, or may have
   */
  public Verdict judge(
      StoredMessage message,
      Progress progress,
      int part,
      Outcome outcome,
      Instant sentAt,
      Instant now) {
    Progress known =
        outcome instanceof Outcome.Unknown || outcome instanceof Outcome.Hold
            ? progress.with(part, progress.parts().get(part).inDoubt(sentAt))
            : progress;
    Case tried = new Case(message, known, part, outcome, now);
    return switch (outcome) {
      case Outcome.Delivered delivered ->
          tried.dealtWith(
              progress.parts().get(part).delivered(delivered.receipt()),
              delivered.note() == null ? null : tried.entry(delivered.note(), null),
              null,
              false);
      case Outcome.Throttled throttled ->
          tried.waitFor(now.plus(throttled.delay()), throttled.cause());
      case Outcome.AccountBroken broken -> tried.waitFor(now, broken.cause());
      case Outcome.Unreachable(String cause, _) -> outage(tried, now, cause);
      case Outcome.MediaUnreachable(Duration wait, String cause) ->
          outage(tried, now.plus(wait), cause);
      case Outcome.Repairable repairable -> repair(tried, repairable);
      case Outcome.Rejected rejected -> reject(tried, rejected);
      case Outcome.NotSent notSent ->
          tried.failedAttempt(notSent.cause(), delay(tried, true), false);
      case Outcome.Unknown unknown -> unknown(tried, unknown);
      case Outcome.Hold(String cause) ->
          message.message().bestEffort()
              ? tried.fail(cause, EndReason.OUTCOME_UNKNOWN, true)
              : tried.hold(cause);
    };
  }

  /**
   * A server that is away is not the message's fault: nothing is charged, and the history gets one
   * line however long it lasts.
   */
  private Verdict outage(Case tried, Instant until, String cause) {
    if (settings.outageUsesAttempts() || tried.message.message().bestEffort()) {
      return tried.failedAttempt(cause, delay(tried, true), false);
    }
    boolean known = cause.equals(tried.message.error());
    return new Verdict.Later(
        tried.progress, known ? null : tried.entry(cause, null), until, false, false, cause);
  }

  /**
   * Judges a part right before its request. It may have arrived with an earlier try, and whatever
   * came between (a throttle, a pause, an outage) may have taken longer than the platform
   * remembers: then it is held, or stored as a possible duplicate before it goes out.
   *
   * @return null if the request may go out
   */
  public @Nullable Verdict beforeSending(
      StoredMessage message, Progress progress, int part, Instant now) {
    Instant since = progress.parts().get(part).inDoubtSince();
    if (since == null || recognises(message, progress, part, since, now)) {
      return null;
    }
    String cause =
        "the platform no longer recognises this part, which may have arrived on " + since;
    Case again = new Case(message, progress, part, new Outcome.Unknown(cause), now);
    boolean decided = // by the person who replayed it
        message.replayOf() != null && !since.isAfter(message.createdAt());
    if (holds(message) && !decided) {
      return again.hold(cause);
    }
    return message.possibleDuplicate()
        ? null
        : new Verdict.Later(progress, again.entry(cause, now), now, false, true, cause);
  }

  private Verdict repair(Case tried, Outcome.Repairable repairable) {
    PartState state = tried.progress.parts().get(tried.part);
    if (state.has(repairable.fix().getClass())) {
      return reject(
          tried,
          new Outcome.Rejected(Outcome.Blame.MESSAGE, repairable.cause() + " (repaired once)"));
    }
    return new Verdict.Again(
        tried.progress.with(tried.part, state.with(repairable.fix())),
        tried.entry(repairable.cause(), tried.now));
  }

  private static Verdict reject(Case tried, Outcome.Rejected rejected) {
    EndReason reason =
        switch (rejected.blame()) {
          case MESSAGE -> EndReason.REJECTED_MESSAGE;
          case TARGET -> EndReason.REJECTED_TARGET;
        };
    return tried.fail(rejected.cause(), reason, false);
  }

  private Verdict unknown(Case tried, Outcome.Unknown unknown) {
    Duration delay = delay(tried, false);
    Instant since = tried.progress.parts().get(tried.part).inDoubtSince();
    boolean recognised =
        since != null
            && recognises(tried.message, tried.progress, tried.part, since, tried.now.plus(delay));
    return recognised || !holds(tried.message)
        ? tried.failedAttempt(unknown.cause(), delay, !recognised)
        : tried.hold(unknown.cause());
  }

  /** Whether a message in doubt waits for a person; a best-effort one goes on without the part. */
  private boolean holds(StoredMessage message) {
    OnUnknown wish = message.message().onUnknown();
    return !message.message().bestEffort()
        && (wish == null ? settings.onUnknown() : wish) == OnUnknown.HOLD;
  }

  /** Whether the platform knows a part by its key that it saw first then, and drops a repeat. */
  private boolean recognises(
      StoredMessage message, Progress progress, int part, Instant first, Instant when) {
    Dispatch dispatch =
        new Dispatch(
            message.id(),
            message.message(),
            message.plan(),
            part,
            progress.parts().get(part),
            List.of());
    return !when.isBefore(first) // or a clock set back would look like a long memory
        && when.isBefore(first.plus(platformRemembers.apply(dispatch)));
  }

  private Duration delay(Case tried, boolean provenNotSent) {
    int failed = tried.message.attempts();
    if (provenNotSent && failed == 1 && settings.fastFirstRetry().isPositive()) {
      return Backoff.vary(settings.fastFirstRetry(), settings.jitter(), random);
    }
    return Backoff.after(failed, settings.backoff(), settings.jitter(), random);
  }

  /** One try at one part, and the verdicts it can lead to. */
  private final class Case {
    final StoredMessage message;
    final Progress progress;
    final int part;
    final Outcome outcome;
    final Instant now;

    Case(StoredMessage message, Progress progress, int part, Outcome outcome, Instant now) {
      this.message = message;
      this.progress = progress;
      this.part = part;
      this.outcome = outcome;
      this.now = now;
    }

    HistoryEntry entry(String error, @Nullable Instant nextAt) {
      return new HistoryEntry(now, message.attempts(), part, outcome.label(), error, nextAt);
    }

    /** The part needs no more tries; the message goes on, or has ended. */
    Verdict dealtWith(
        PartState state,
        @Nullable HistoryEntry history,
        @Nullable String error,
        boolean possibleDuplicate) {
      Progress after = progress.with(part, state);
      if (after.nextPending() >= 0) {
        return new Verdict.NextPart(after, history);
      }
      return after.allDelivered()
          ? new Verdict.End(after, history, Status.DELIVERED, false, null, null)
          : new Verdict.End(
              after, history, Status.FAILED, possibleDuplicate, error, EndReason.BEST_EFFORT);
    }

    /** Nothing was tried, so nothing is charged. */
    Verdict waitFor(Instant until, String cause) {
      return new Verdict.Later(progress, entry(cause, until), until, false, false, cause);
    }

    Verdict fail(String cause, EndReason reason, boolean possibleDuplicate) {
      HistoryEntry last = entry(cause, null);
      if (message.message().bestEffort()) {
        return dealtWith(progress.parts().get(part).failed(), last, cause, possibleDuplicate);
      }
      return new Verdict.End(progress, last, Status.FAILED, possibleDuplicate, cause, reason);
    }

    Verdict hold(String cause) {
      HistoryEntry last = entry(cause, null);
      return new Verdict.End(progress, last, Status.HELD, true, cause, EndReason.OUTCOME_UNKNOWN);
    }

    Verdict failedAttempt(String cause, Duration delay, boolean possibleDuplicate) {
      Integer wish = message.message().maxAttempts();
      int allowed = wish == null ? settings.maxAttempts() : wish;
      if (message.message().bestEffort() || message.attempts() >= allowed) {
        return fail(cause, EndReason.ATTEMPTS_EXHAUSTED, possibleDuplicate);
      }
      Instant next = now.plus(delay);
      return new Verdict.Later(progress, entry(cause, next), next, true, possibleDuplicate, cause);
    }
  }
}
