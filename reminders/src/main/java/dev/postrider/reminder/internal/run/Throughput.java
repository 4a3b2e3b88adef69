package dev.postrider.reminder.internal.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** Tells how fast things have ended of late. Thread-safe. */
final class Throughput {
  private static final int SAMPLE = 60;
  private static final Duration LATELY = Duration.ofMinutes(10);

  private final Deque<Instant> ends = new ArrayDeque<>();

  synchronized void ended(Instant at) {
    ends.add(at);
    if (ends.size() > SAMPLE) {
      ends.poll();
    }
  }

  /** Per minute; zero if too little is known. */
  synchronized double perMinute(Instant now) {
    while (!ends.isEmpty() && ends.peek().plus(LATELY).isBefore(now)) {
      ends.poll();
    }
    if (ends.size() < 10) {
      return 0;
    }
    double minutes = Duration.between(ends.peek(), now).toMillis() / 60_000.0;
    return minutes <= 0 ? 0 : (ends.size() - 1) / minutes;
  }
}
