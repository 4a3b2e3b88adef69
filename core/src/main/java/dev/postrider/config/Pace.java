package dev.postrider.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How fast a scope may send: any number of "at most so many per period", all of which hold, each
 * allowing {@code burst} at once after a quiet time. No limits at all means as fast as the platform
 * answers.
 */
public record Pace(Map<Duration, Integer> limits, int burst) {
  public static final Pace UNLIMITED = new Pace(Map.of(), 1);

  public Pace {
    limits = Map.copyOf(limits);
    if (burst < 1) {
      throw new IllegalArgumentException("burst must be at least 1");
    }
    limits.forEach(
        (period, count) -> {
          if (count < 1 || !period.isPositive()) {
            throw new IllegalArgumentException("a pace allows at least 1 per period");
          }
        });
  }

  public static Pace perSecond(int count) {
    return UNLIMITED.and(Duration.ofSeconds(1), count);
  }

  public static Pace perMinute(int count) {
    return UNLIMITED.and(Duration.ofMinutes(1), count);
  }

  public Pace and(Duration period, @Nullable Integer count) {
    if (count == null) {
      return this;
    }
    Map<Duration, Integer> all = new LinkedHashMap<>(limits);
    all.put(period, count);
    return new Pace(all, burst);
  }

  public Pace burst(int tokens) {
    return new Pace(limits, tokens);
  }

  /** As many in a longer time. */
  public Pace slowerBy(double factor) {
    Map<Duration, Integer> all = new LinkedHashMap<>();
    limits.forEach(
        (period, count) -> all.put(Duration.ofNanos((long) (period.toNanos() * factor)), count));
    return new Pace(all, burst);
  }

  public boolean isUnlimited() {
    return limits.isEmpty();
  }
}
