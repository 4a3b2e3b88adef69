package dev.postrider.turn;

import dev.postrider.config.InboundSettings;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.retry.Backoff;
import dev.postrider.store.HandBack;
import dev.postrider.store.Handling;
import dev.postrider.store.InboundNote;
import dev.postrider.store.NewMessage;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.Unreadable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of an event that was handed out. Pure but for the jitter, whose randomness
 * is injected.
 */
final class TurnPolicy {
  /** Until it is looked whether a missing key is there: another process may have got it. */
  private static final Duration KEY_PAUSE = Duration.ofMinutes(1);

  private final RandomGenerator random;

  TurnPolicy(RandomGenerator random) {
    this.random = random;
  }

  HandBack done(StoredInbound event, Instant now, List<NewMessage> answers) {
    return back(event, InboundStatus.HANDLED, now, now, false, null, answers);
  }

  /**
   * Whoever had it could not handle it.
   *
   * @param delay after which they want it again; null for the usual one
   */
  HandBack failed(
      StoredInbound event,
      InboundSettings settings,
      String error,
      @Nullable Duration delay,
      Instant now) {
    int attempts = event.handling().attempts();
    Duration wait =
        delay == null
            ? Backoff.after(attempts, settings.backoff(), settings.jitter(), random)
            : delay;
    return attempts < settings.maxAttempts()
        ? again(event, now, now.plus(wait), false, error)
        : dead(event, now, false, error);
  }

  /**
   * Whoever had it was not heard of again.
   *
   * @param answered whether they had left an answer; then there is nothing to handle any more
   */
  HandBack died(StoredInbound event, InboundSettings settings, boolean answered, Instant now) {
    String error = "whoever had it was not heard of again";
    Handling handling = event.handling();
    if (answered) {
      InboundNote note = note(event, error + "; it is answered", null, now);
      return back(event, InboundStatus.HANDLED, now, now, true, note, List.of());
    }
    boolean old = event.receivedAt().plus(settings.revivalAge()).isBefore(now);
    if (old
        || handling.deaths() >= settings.revivals()
        || handling.attempts() >= settings.maxAttempts()) {
      return dead(event, now, true, error);
    }
    Instant handedOut = Objects.requireNonNullElse(handling.handedOutAt(), now);
    Instant apart = handedOut.plus(settings.revivalDelay());
    return again(event, now, apart.isAfter(now) ? apart : now, true, error);
  }

  /**
   * Nobody can handle what cannot be read. If only a key is missing here, it waits for somebody who
   * has it.
   */
  HandBack unreadable(StoredInbound event, Unreadable why, Instant now) {
    return why.forGood()
        ? dead(event, now, false, why.because())
        : again(event, now, now.plus(KEY_PAUSE), false, why.because());
  }

  private static HandBack again(
      StoredInbound event, Instant now, Instant dueAt, boolean died, String error) {
    InboundNote note = note(event, error, dueAt, now);
    return back(event, InboundStatus.PENDING, now, dueAt, died, note, List.of());
  }

  private static HandBack dead(StoredInbound event, Instant now, boolean died, String error) {
    InboundNote note = note(event, error, null, now);
    return back(event, InboundStatus.FAILED, now, now, died, note, List.of());
  }

  private static InboundNote note(
      StoredInbound event, String error, @Nullable Instant next, Instant now) {
    return new InboundNote(now, event.handling().attempts(), error, next);
  }

  private static HandBack back(
      StoredInbound event,
      InboundStatus status,
      Instant now,
      Instant dueAt,
      boolean died,
      @Nullable InboundNote note,
      List<NewMessage> answers) {
    UUID lease = Objects.requireNonNull(event.handling().lease(), "not handed out");
    return new HandBack(event, lease, status, now, dueAt, died, note, answers);
  }
}
