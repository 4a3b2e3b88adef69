package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A timer for an instant of the clock. The clock may be set, and the machine may sleep: so it looks
 * at the clock again every few seconds instead of counting once how long it will take. Thread-safe.
 */
final class ClockTimer implements Scheduler.Timer {
  private final Scheduler time;
  private final Instant when;
  private final Runnable task;
  private Scheduler.@Nullable Timer next; // guarded by this
  private boolean over; // guarded by this

  ClockTimer(Scheduler time, Instant when, Runnable task) {
    this.time = time;
    this.when = when;
    this.task = task;
  }

  synchronized ClockTimer arm() {
    if (!over) {
      Duration left = Duration.between(time.instant(), when);
      boolean far = left.compareTo(Scheduler.CLOCK_READ_EVERY) > 0;
      next = time.after(far ? Scheduler.CLOCK_READ_EVERY : left, this::look);
    }
    return this;
  }

  private void look() {
    synchronized (this) {
      if (over) {
        return;
      }
      if (time.instant().isBefore(when)) {
        arm();
        return;
      }
      over = true;
    }
    task.run();
  }

  @Override
  public synchronized void cancel() {
    over = true;
    if (next != null) {
      next.cancel();
    }
  }
}
