package dev.postrider.channels.nostr;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The second each part of a chat is dated with: that of its first try, kept for every other try,
 * and never the same for two parts. Readers sort by it, and seconds are all there is; parts of one
 * second would be shown in any order. Stored before the request. Thread-safe.
 */
final class SentTimes {
  private static final String LAST = "sent";
  private static final String OF_PART = "sent:";

  /** For parts that end otherwise than delivered: longer than anything is tried again. */
  private static final Duration KEPT = Duration.ofDays(366);

  private final Memory memory;
  private final InstantSource clock;

  SentTimes(Memory memory, InstantSource clock) {
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * @param part its idempotency key
   */
  long of(String chat, String part) {
    String known = memory.read(chat, OF_PART + part).orElse(null);
    if (known != null) {
      return Long.parseLong(known);
    }
    long second = next(chat);
    memory.write(Remembered.until(clock.instant().plus(KEPT), chat, OF_PART + part, "" + second));
    return second;
  }

  /** A second that no other part of the chat has. */
  private long next(String chat) {
    while (true) {
      @Nullable String last = memory.read(chat, LAST).orElse(null);
      long now = clock.instant().getEpochSecond();
      long next = last == null ? now : Math.max(now, Long.parseLong(last) + 1);
      if (memory.replace(last, Remembered.of(chat, LAST, "" + next))) {
        return next;
      }
    }
  }

  /** The part is delivered: nobody will ask again. */
  static Remembered done(String chat, String part) {
    return Remembered.forget(chat, OF_PART + part);
  }
}
