package dev.postrider.internal.inbound;

import dev.postrider.config.InboundSettings;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.internal.retry.Backoff;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Unreadable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of an inbound message that was handed out. Pure but for the jitter, whose
 * randomness is injected.
 */
final class TurnPolicy {
  /** Until it is looked whether a missing key is there: another process may have got it. */
  private static final Duration KEY_PAUSE = Duration.ofMinutes(1);

  private final RandomGenerator random;

  TurnPolicy(RandomGenerator random) {
    this.random = random;
  }

  Completion done(StoredInbound inbound, Instant now, List<NewMessage> answers) {
    return back(inbound, InboundStatus.HANDLED, now, now, false, null, answers);
  }

  Completion putBack(StoredInbound inbound, Instant now) {
    return back(inbound, InboundStatus.PENDING, now, now, false, null, List.of());
  }

  /**
   * Whoever had it could not handle it.
   *
   * @param delay after which they want it again; null for the usual one
   */
  Completion failed(
      StoredInbound inbound,
      InboundSettings settings,
      String error,
      @Nullable Duration delay,
      Instant now) {
    int attempts = inbound.handling().attempts();
    Duration wait =
        delay == null
            ? Backoff.after(attempts, settings.backoff(), settings.jitter(), random)
            : delay;
    return attempts < settings.maxAttempts()
        ? again(inbound, now, now.plus(wait), false, error)
        : dead(inbound, now, false, error);
  }

  /**
   * The lease expired without an answer.
   *
   * @param answered whether they had left an answer; then there is nothing to handle any more
   */
  Completion leaseExpired(
      StoredInbound inbound, InboundSettings settings, boolean answered, Instant now) {
    String error = "the lease expired without an answer";
    HandlingState handling = inbound.handling();
    if (answered) {
      InboundNote note = note(inbound, error + "; it is answered", null, now);
      return back(inbound, InboundStatus.HANDLED, now, now, true, note, List.of());
    }
    boolean old = inbound.receivedAt().plus(settings.revivalAge()).isBefore(now);
    if (old
        || handling.deaths() >= settings.revivals()
        || handling.attempts() >= settings.maxAttempts()) {
      return dead(inbound, now, true, error);
    }
    Instant handedOut = Objects.requireNonNullElse(handling.handedOutAt(), now);
    Instant apart = handedOut.plus(settings.revivalDelay());
    return again(inbound, now, apart.isAfter(now) ? apart : now, true, error);
  }

  /**
   * Nobody can handle what cannot be read. If only a key is missing here, it waits for somebody who
   * has it.
   */
  Completion unreadable(StoredInbound inbound, Unreadable why, Instant now) {
    return why.forGood()
        ? dead(inbound, now, false, why.because())
        : again(inbound, now, now.plus(KEY_PAUSE), false, why.because());
  }

  private static Completion again(
      StoredInbound inbound, Instant now, Instant dueAt, boolean died, String error) {
    InboundNote note = note(inbound, error, dueAt, now);
    return back(inbound, InboundStatus.PENDING, now, dueAt, died, note, List.of());
  }

  private static Completion dead(StoredInbound inbound, Instant now, boolean died, String error) {
    InboundNote note = note(inbound, error, null, now);
    return back(inbound, InboundStatus.FAILED, now, now, died, note, List.of());
  }

  private static InboundNote note(
      StoredInbound inbound, String error, @Nullable Instant next, Instant now) {
    return new InboundNote(now, inbound.handling().attempts(), error, next);
  }

  private static Completion back(
      StoredInbound inbound,
      InboundStatus status,
      Instant now,
      Instant dueAt,
      boolean died,
      @Nullable InboundNote note,
      List<NewMessage> answers) {
    UUID lease = Objects.requireNonNull(inbound.handling().lease(), "not handed out");
    return new Completion(inbound, lease, status, now, dueAt, died, note, answers);
  }
}
