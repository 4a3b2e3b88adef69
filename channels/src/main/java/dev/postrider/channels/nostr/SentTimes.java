package dev.postrider.channels.nostr;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The second each part of a chat is dated with: that of its first try, kept for every other try,
 * and never the same for two parts. Readers sort by it, and seconds are all there is; parts of one
 * second would be shown in any order. Stored before the request. Thread-safe.
 */
final class SentTimes {
  private static final String KEY = "sent";

  /** More than can be tried again at the same time in one chat. */
  private static final int KEPT = 32;

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
    while (true) {
      String stored = memory.read(chat, KEY).orElse(null);
      List<String> entries = new ArrayList<>(entries(stored));
      for (String entry : entries) {
        if (entry.startsWith(part + ":")) {
          return time(entry);
        }
      }
      long now = clock.instant().getEpochSecond();
      long next = entries.isEmpty() ? now : Math.max(now, time(entries.getLast()) + 1);
      entries.add(part + ":" + next);
      List<String> kept = entries.subList(Math.max(0, entries.size() - KEPT), entries.size());
      if (memory.replace(stored, Remembered.of(chat, KEY, String.join(" ", kept)))) {
        return next;
      }
    }
  }

  private static List<String> entries(@Nullable String stored) {
    return stored == null ? List.of() : List.of(stored.split(" "));
  }

  private static long time(String entry) {
    return Long.parseLong(entry.substring(entry.indexOf(':') + 1));
  }
}
