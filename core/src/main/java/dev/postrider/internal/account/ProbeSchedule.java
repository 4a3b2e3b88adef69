package dev.postrider.internal.account;

import dev.postrider.internal.pace.Moment;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a broken account is probed: after 1, 5, 15, then every 60 minutes of the stopwatch, whatever
 * is done to the clock. Thread-safe.
 */
final class ProbeSchedule {
  private static final List<Duration> INTERVALS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1));

  private final Scheduler time;
  private final BooleanSupplier isBroken;
  private final Runnable probe;
  private @Nullable Duration next; // on the stopwatch; guarded by this
  private int failed; // guarded by this
  private boolean probing; // guarded by this
  private boolean overdue; // as the safety sweep saw it last; guarded by this

  ProbeSchedule(Scheduler time, BooleanSupplier isBroken, Runnable probe) {
    this.time = time;
    this.isBroken = isBroken;
    this.probe = probe;
  }

  /** The account has just broken; gives when it is probed first. */
  synchronized Instant begin() {
    failed = 0;
    return probeAfter(INTERVALS.getFirst());
  }

  /** Probes at once, and goes on from there. */
  synchronized void beginNow() {
    probeAfter(Duration.ZERO);
  }

  /** Probes no more. */
  synchronized void end() {
    next = null;
    failed = 0;
  }

  /** When the next probe is due by the clock as it is now; null if none is. */
  synchronized @Nullable Instant nextAt() {
    return next == null ? null : Moment.of(time).onClock(next);
  }

  private synchronized Instant probeAfter(Duration wait) {
    Duration when = time.elapsed().plus(wait);
    next = when;
    time.after(wait, () -> time.start("probe", () -> probeIfDue(when)));
    return time.instant().plus(wait);
  }

  private void probeIfDue(Duration when) {
    synchronized (this) {
      if (!when.equals(next)) {
        return; // resumed by hand, or probed again, meanwhile
      }
      probing = true;
    }
    try {
      probe.run();
    } finally { // whatever came of it, somebody probes again
      boolean broken = isBroken.getAsBoolean();
      synchronized (this) {
        probing = false;
        if (broken) {
          failed++;
          probeAfter(INTERVALS.get(Math.min(failed, INTERVALS.size() - 1)));
        } else if (when.equals(next)) {
          next = null;
        }
      }
    }
  }

  /** Probes now if the account is broken and nobody was about to; tells whether it did. */
  boolean rescue() {
    boolean broken = isBroken.getAsBoolean();
    synchronized (this) {
      boolean late = broken && !probing && (next == null || next.compareTo(time.elapsed()) < 0);
      boolean before = overdue;
      overdue = late;
      if (!late || !before) { // a process that slept looks like this once
        return false;
      }
      beginNow();
      return true;
    }
  }
}
