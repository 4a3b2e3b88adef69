package dev.postrider.lane;

import dev.postrider.time.Scheduler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One timer that rings at the earliest moment it was set for. Not thread-safe; its owner guards it.
 */
final class Alarm {
  private final Scheduler time;
  private final Runnable onRing;
  private @Nullable Instant setFor;
  private Scheduler.@Nullable Timer timer;

  Alarm(Scheduler time, Runnable onRing) {
    this.time = time;
    this.onRing = onRing;
  }

  /** Rings then, unless it is to ring earlier anyway. */
  void set(Instant when, Instant now) {
    if (setFor != null && setFor.isAfter(now) && !when.isBefore(setFor)) {
      return;
    }
    cancel();
    setFor = when;
    timer = time.at(when, onRing);
  }

  /** To be called when it has rung. */
  void rung() {
    setFor = null;
    timer = null;
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
    }
    rung();
  }
}
