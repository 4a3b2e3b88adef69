package dev.postrider.reminder.internal.run;

import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.time.OnClose;
import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowOpening;
import dev.postrider.store.reminder.StoredRun;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a run may do at a moment, as far as the clock is concerned. */
public sealed interface WindowState {

  /**
   * It may send.
   *
   * @param until before this moment; null if nothing ends it
   */
  record Go(@Nullable Instant until) implements WindowState {
    /** Whether there is time to begin with another target. */
    boolean hasTime(Instant now) {
      return until == null || now.isBefore(until.minus(CLOSING));
    }
  }

  /** It must wait. */
  record Wait(String reason, @Nullable Instant until) implements WindowState {
    boolean isBefore(Wait other) {
      return until != null && (other.until == null || until.isBefore(other.until));
    }
  }

  /** Its time is over: what is pending is skipped. */
  record Over(String reason) implements WindowState {}

  /** So much before the end nothing more is begun: what is queued is withdrawn, not expired. */
  Duration CLOSING = Duration.ofMillis(20);

  String WINDOW_NOT_OPEN = "the delivery window is closed";
  String OVER_BEFORE_WINDOW = "its time is over before the delivery window opens";
  String WINDOW_CLOSED = "delivery window closed";
  String RUN_EXPIRED = "the run's time was over";

  /** When the run began to send, or began again after its end; null if it has not. */
  static @Nullable Instant began(StoredRun run) {
    return run.resumedAt() == null ? run.startedAt() : run.resumedAt();
  }

  /**
   * @param window of some of the run's targets; null for any hour
   */
  static WindowState of(
      StoredRun run, FrozenReminder script, @Nullable Window window, Instant now) {
    Instant expires = script.expiresIn() == null ? null : run.createdAt().plus(script.expiresIn());
    if (expires != null && !now.isBefore(expires)) {
      return new Over(RUN_EXPIRED);
    }
    if (window == null) {
      return new Go(expires);
    }
    WindowOpening span = window.next(now);
    Instant began = window.onClose() == OnClose.STOP ? began(run) : null;
    if (began != null && !now.isBefore(window.next(began).closes())) {
      return new Over(WINDOW_CLOSED); // that of the opening in which it began, or the next one
    }
    if (!span.contains(now)) {
      return expires != null && !expires.isAfter(span.opens())
          ? new Wait(OVER_BEFORE_WINDOW, expires)
          : new Wait(WINDOW_NOT_OPEN, span.opens());
    }
    return new Go(expires == null || span.closes().isBefore(expires) ? span.closes() : expires);
  }
}
