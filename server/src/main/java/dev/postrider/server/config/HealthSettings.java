package dev.postrider.server.config;

import java.time.Duration;
import java.util.Optional;

/**
 * From when on {@code /healthz} says degraded.
 *
 * @param oldestWaiting how long a message may wait; empty: for ever
 * @param diskFree how many bytes must be free where the store's file is; 0: none
 */
public record HealthSettings(Optional<Duration> oldestWaiting, long diskFree) {
  public static final HealthSettings DEFAULTS =
      new HealthSettings(Optional.of(Duration.ofMinutes(15)), 256L << 20);
}
