package dev.postrider.internal.media;

import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Servers of files that could not be reached. Each is asked again by one at a time, after a delay
 * as long as it has been away, from a second to a minute. Thread-safe.
 */
final class UnreachableHosts {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /** Times are the stopwatch's. */
  private record Gone(Duration since, Duration tryAt, String cause) {}

  /** A server cannot be reached. */
  static final class Away extends IOException {
    private static final long serialVersionUID = 1L;
    private final Duration delay;

    Away(String message, Duration delay) {
      super(message);
      this.delay = delay;
    }

    /** When it is worth trying again. */
    Duration delay() {
      return delay;
    }
  }

  private final Scheduler time;
  private final Map<String, Gone> gone = new HashMap<>();

  UnreachableHosts(Scheduler time) {
    this.time = time;
  }

  /**
   * Lets one try at a time.
   *
   * @throws Away if the server is known to be away and it is too early to try again
   */
  synchronized void mayAsk(String server) throws Away {
    Gone known = gone.get(server);
    if (known == null) {
      return;
    }
    Duration now = time.elapsed();
    if (known.tryAt.compareTo(now) > 0) {
      throw new Away(known.cause, known.tryAt.minus(now));
    }
    gone.put(server, new Gone(known.since, now.plus(delay(known.since, now)), known.cause));
  }

  synchronized void answered(String server) {
    gone.remove(server);
  }

  /** Nobody is there. */
  synchronized Away away(String server, String cause) {
    Duration now = time.elapsed();
    gone.values().removeIf(each -> each.tryAt.plus(FORGOTTEN).compareTo(now) < 0);
    Gone known = gone.get(server);
    Duration since = known == null ? now : known.since;
    Duration delay = delay(since, now);
    gone.put(server, new Gone(since, now.plus(delay), cause));
    return new Away(cause, delay);
  }

  private static Duration delay(Duration since, Duration now) {
    Duration length = now.minus(since);
    if (length.compareTo(SHORTEST) < 0) {
      return SHORTEST;
    }
    return length.compareTo(LONGEST) > 0 ? LONGEST : length;
  }
}
