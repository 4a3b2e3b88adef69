package dev.postrider.server.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Lets the first of a kind through at once, and counts the others until a minute is over, so that a
 * thousand dead letters of one kind are two lines and not a thousand. A kind that stays away for a
 * minute is forgotten, and its next one is a first again. Thread-safe.
 *
 * @param <K> what makes two things of one kind
 */
final class Repeats<K> {
  static final Duration SPAN = Duration.ofMinutes(1);

  private final Map<K, Count> counts = new HashMap<>(); // guarded by this

  private static final class Count {
    Duration since;
    long more;

    Count(Duration since) {
      this.since = since;
    }
  }

  /** How many more of a kind there were since the last line about it. */
  record More<K>(K kind, long count) {}

  /** Whether this one is to be told; otherwise it is counted. */
  synchronized boolean first(K kind, Duration now) {
    Count count = counts.get(kind);
    if (count == null) {
      counts.put(kind, new Count(now));
      return true;
    }
    count.more++;
    return false;
  }

  /** What is to be told of those whose minute is over. */
  synchronized List<More<K>> over(Duration now) {
    return takeUntil(now.minus(SPAN));
  }

  /** What is to be told of all, because nobody will ask again. */
  synchronized List<More<K>> rest() {
    return takeUntil(Duration.ofSeconds(Long.MAX_VALUE));
  }

  private List<More<K>> takeUntil(Duration latest) {
    List<More<K>> told = new ArrayList<>();
    for (Iterator<Map.Entry<K, Count>> all = counts.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<K, Count> each = all.next();
      Count count = each.getValue();
      if (count.since.compareTo(latest) > 0) {
        continue;
      }
      if (count.more == 0) {
        all.remove();
      } else {
        told.add(new More<>(each.getKey(), count.more));
        count.more = 0;
        count.since = count.since.plus(SPAN);
      }
    }
    return told;
  }
}
