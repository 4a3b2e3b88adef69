package dev.postrider.internal.retry;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** How long to wait before trying again. */
public final class Backoff {
  private Backoff() {}

  /**
   * The delay after the n-th failed attempt, n starting at 1; the schedule's last delay repeats.
   */
  public static Duration after(
      int failedAttempts, List<Duration> schedule, double jitter, RandomGenerator random) {
    int index = Math.min(Math.max(failedAttempts, 1), schedule.size()) - 1;
    return vary(schedule.get(index), jitter, random);
  }

  static Duration vary(Duration delay, double jitter, RandomGenerator random) {
    if (jitter == 0) {
      return delay;
    }
    double factor = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.round(delay.toMillis() * factor));
  }
}
