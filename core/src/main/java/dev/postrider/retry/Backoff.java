package dev.postrider.retry;

import dev.postrider.config.DeliverySettings;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** How long to wait before trying again. */
final class Backoff {
  private Backoff() {}

  /**
   * The delay after the n-th failed attempt, n starting at 1; the schedule's last delay repeats.
   */
  static Duration after(int failedAttempts, DeliverySettings settings, RandomGenerator random) {
    List<Duration> schedule = settings.backoff();
    int index = Math.min(Math.max(failedAttempts, 1), schedule.size()) - 1;
    return vary(schedule.get(index), settings.jitter(), random);
  }

  static Duration vary(Duration delay, double jitter, RandomGenerator random) {
    if (jitter == 0) {
      return delay;
    }
    double factor = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.round(delay.toMillis() * factor));
  }
}
