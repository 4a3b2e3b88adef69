package dev.postrider.message;

import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDv7 ids (RFC 9562) that never go back: inside one millisecond, or when the clock is set
 * back, the 12-bit counter field counts on, and spills into the next millisecond. Thread-safe.
 */
public final class Ids {
  private final InstantSource clock;
  private final RandomGenerator random;
  private long lastTick; // milliseconds << 12 | counter

  public Ids(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  public MessageId nextMessageId() {
    return new MessageId(next());
  }

  public synchronized UUID next() {
    lastTick = Math.max(clock.millis() << 12, lastTick + 1);
    long high = (lastTick >>> 12) << 16 | 0x7000 | (lastTick & 0xFFF);
    long low = random.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
