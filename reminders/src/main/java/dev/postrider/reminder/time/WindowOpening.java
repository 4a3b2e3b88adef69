package dev.postrider.reminder.time;

import java.time.Duration;
import java.time.Instant;

/**
 * One opening of a window.
 *
 * @param opens the first moment that belongs to it
 * @param closes the first moment that no longer does
 */
public record WindowOpening(Instant opens, Instant closes) {
  public WindowOpening {
    if (!opens.isBefore(closes)) {
      throw new IllegalArgumentException("a span closes after it opens");
    }
  }

  public boolean contains(Instant instant) {
    return !instant.isBefore(opens) && instant.isBefore(closes);
  }

  public Duration length() {
    return Duration.between(opens, closes);
  }
}
