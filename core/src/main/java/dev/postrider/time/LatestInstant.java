package dev.postrider.time;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The latest instant that a clock has shown, as far as it was looked at. What was due by then stays
 * due when the clock is set back. Thread-safe.
 */
public final class LatestInstant {
  private final AtomicReference<Instant> latest = new AtomicReference<>(Instant.MIN);

  /** Takes note of what the clock shows; gives the latest. */
  public Instant seen(Instant now) {
    return latest.accumulateAndGet(now, (one, other) -> one.isAfter(other) ? one : other);
  }
}
