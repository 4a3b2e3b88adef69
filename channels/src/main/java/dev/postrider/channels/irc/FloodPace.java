package dev.postrider.channels.irc;

import dev.postrider.time.Scheduler;
import java.time.Duration;

/**
 * A gap between lines, once a server has complained of too many: twice as long after each
 * complaint, and a quarter shorter after every few lines that went well. How much a network allows
 * is written nowhere. Outlives connections. Thread-safe.
 */
final class FloodPace {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration NONE_BELOW = Duration.ofMillis(500);
  private static final int WENT_WELL = 10;

  private final Scheduler time;
  private Duration gap = Duration.ZERO;
  private Duration next = Duration.ZERO;
  private int lines;

  FloodPace(Scheduler time) {
    this.time = time;
  }

  /** How long to wait before the next line; if that is zero, the line counts as said. */
  synchronized Duration take() {
    Duration now = time.elapsed();
    if (gap.isZero() || next.compareTo(now) <= 0) {
      next = now.plus(gap);
      return Duration.ZERO;
    }
    return next.minus(now);
  }

  /** The server has complained, or hung up on us for it. */
  synchronized void warned() {
    Duration longer = gap.isZero() ? FIRST : gap.multipliedBy(2);
    gap = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    next = time.elapsed().plus(gap);
    lines = 0;
  }

  /** A line went well. */
  synchronized void taken() {
    lines++;
    if (lines % WENT_WELL == 0) {
      gap = gap.multipliedBy(3).dividedBy(4);
      gap = gap.compareTo(NONE_BELOW) < 0 ? Duration.ZERO : gap;
    }
  }

  synchronized Duration gap() {
    return gap;
  }
}
