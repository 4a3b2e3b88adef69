package dev.postrider.internal.lane;

import dev.postrider.time.Scheduler;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One timer that rings at the earliest moment it was set for, on the clock or on the stopwatch. Not
 * thread-safe; its owner guards it.
 */
final class EarliestTimer<T extends Comparable<? super T>> {
  private final BiFunction<T, Runnable, Scheduler.Timer> timers;
  private final Runnable onRing;
  private @Nullable T setFor;
  private Scheduler.@Nullable Timer timer;

  /**
   * @param timers how to set a timer for a moment
   */
  EarliestTimer(BiFunction<T, Runnable, Scheduler.Timer> timers, Runnable onRing) {
    this.timers = timers;
    this.onRing = onRing;
  }

  /** Rings then, unless it is to ring earlier anyway. */
  void set(T when, T now) {
    if (setFor != null && setFor.compareTo(now) > 0 && when.compareTo(setFor) >= 0) {
      return;
    }
    cancel();
    setFor = when;
    timer = timers.apply(when, onRing);
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
