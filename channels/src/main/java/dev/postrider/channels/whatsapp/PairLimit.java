package dev.postrider.channels.whatsapp;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * How long to leave a user alone who got too much from us. Meta does not say how long; it asks for
 * 4, 16, 64… seconds, longer each time in a row. Thread-safe.
 */
final class PairLimit {
  private static final int MOST = 5; // about a quarter of an hour
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private record Refusals(int inARow, Instant last) {}

  private final InstantSource clock;
  private final Map<String, Refusals> users = new HashMap<>();

  PairLimit(InstantSource clock) {
    this.clock = clock;
  }

  /** The delay after one more refusal. */
  synchronized Duration refused(String user) {
    Instant now = clock.instant();
    users.values().removeIf(one -> one.last.isBefore(now.minus(FORGOTTEN_AFTER)));
    Refusals refusals = users.getOrDefault(user, new Refusals(0, now));
    int inARow = Math.min(refusals.inARow + 1, MOST);
    users.put(user, new Refusals(inARow, now));
    return Duration.ofSeconds(1L << (2 * inARow));
  }

  synchronized void passed(String user) {
    users.remove(user);
  }
}
