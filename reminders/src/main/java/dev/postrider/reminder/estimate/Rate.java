package dev.postrider.reminder.estimate;

import dev.postrider.config.Pace;
import java.time.Duration;

/**
 * How fast an account sends.
 *
 * @param perMinute sends per minute in the long run; infinite if nothing limits them
 * @param burst how many go out at once after a quiet time
 */
public record Rate(double perMinute, int burst) {
  private static final double MINUTE = Duration.ofMinutes(1).toNanos();

  public Rate {
    if (!(perMinute > 0)) {
      throw new IllegalArgumentException("a rate is above zero");
    }
    if (burst < 1) {
      throw new IllegalArgumentException("burst must be at least 1");
    }
  }

  /** The tightest limit of a pace. */
  public static Rate of(Pace pace) {
    double perMinute =
        pace.limits().entrySet().stream()
            .mapToDouble(limit -> limit.getValue() * MINUTE / limit.getKey().toNanos())
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return new Rate(perMinute, pace.burst());
  }

  /** This one where another one holds as well. */
  public Rate within(Rate other) {
    return new Rate(Math.min(perMinute, other.perMinute), Math.min(burst, other.burst));
  }

  /** The time from one send to the next, in nanoseconds, rounded up: never faster than it is. */
  long interval() {
    return (long) Math.ceil(MINUTE / perMinute);
  }
}
