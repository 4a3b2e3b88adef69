package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.inbound.InboundId;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.trace.Spans;
import org.jspecify.annotations.Nullable;

/** Where the engine behind the API stands: opening, open, stopping. Thread-safe. */
public final class EngineState {
  private volatile @Nullable Postrider postrider;
  private volatile @Nullable Reminders reminders;
  private volatile @Nullable Spans spans;
  private volatile boolean stopping;

  /** What happens is told as spans; to be said before the engine is open. */
  public void traced(Spans made) {
    spans = made;
  }

  /** Where an inbound message is in its trace; null if there are no traces. */
  public @Nullable String traceparent(InboundId id) {
    @Nullable Spans made = spans;
    return made == null ? null : made.traceparent(id).toString();
  }

  public void opened(Postrider opened, Reminders withReminders) {
    reminders = withReminders;
    postrider = opened;
  }

  /** From now on the server is not ready, though what can still be answered is answered. */
  public void stopping() {
    stopping = true;
  }

  boolean isStopping() {
    return stopping;
  }

  /**
   * The engine.
   *
   * @throws HttpProblem 503 as long as it is not open
   */
  public Postrider postrider() {
    return open(postrider);
  }

  /**
   * The engine's reminders.
   *
   * @throws HttpProblem 503 as long as it is not open
   */
  public Reminders reminders() {
    return open(reminders);
  }

  private static <T> T open(@Nullable T opened) {
    if (opened == null) {
      throw HttpProblem.notReady("The store is being opened.");
    }
    return opened;
  }
}
