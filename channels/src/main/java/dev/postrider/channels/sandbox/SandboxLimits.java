package dev.postrider.channels.sandbox;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox's own rate limits: so many in any period of that length, per account or per chat. The
 * platform's side of the bargain; what the engine keeps to is its pace. Thread-safe.
 */
final class SandboxLimits {
  private static final int CHATS_KEPT = 10_000;

  private record Limit(ThrottleScope scope, Duration period, int count) {}

  private record Place(Limit limit, String chat) {}

  private final List<Limit> limits;
  private final Map<Place, Deque<Instant>> taken = new SandboxInbox.Recent<>(CHATS_KEPT);

  private SandboxLimits(List<Limit> limits) {
    this.limits = limits;
  }

  static SandboxLimits of(Settings settings) {
    Settings group =
        settings.group(
            "limits", List.of("perSecond", "perMinute", "perSecondPerChat", "perMinutePerChat"));
    return new SandboxLimits(
        Stream.of(
                limit(group, "perSecond", ThrottleScope.ACCOUNT, Duration.ofSeconds(1)),
                limit(group, "perMinute", ThrottleScope.ACCOUNT, Duration.ofMinutes(1)),
                limit(group, "perSecondPerChat", ThrottleScope.CHAT, Duration.ofSeconds(1)),
                limit(group, "perMinutePerChat", ThrottleScope.CHAT, Duration.ofMinutes(1)))
            .flatMap(List::stream)
            .toList());
  }

  private static List<Limit> limit(
      Settings group, String key, ThrottleScope scope, Duration period) {
    Integer count = group.count(key);
    return count == null ? List.of() : List.of(new Limit(scope, period, count));
  }

  /** Takes one from every limit, or from none and says how long to wait. */
  synchronized Outcome.@Nullable Throttled take(String chat, Instant now) {
    Outcome.Throttled longest = null;
    for (Limit limit : limits) {
      Deque<Instant> window = window(limit, chat);
      while (!window.isEmpty() && !window.getFirst().plus(limit.period).isAfter(now)) {
        window.removeFirst();
      }
      if (window.size() >= limit.count) {
        Duration wait = Duration.between(now, window.getFirst().plus(limit.period));
        if (longest == null || wait.compareTo(longest.delay()) > 0) {
          String cause = "more than %d in %s".formatted(limit.count, limit.period);
          longest = new Outcome.Throttled(limit.scope, wait, cause);
        }
      }
    }
    if (longest == null) {
      limits.forEach(limit -> window(limit, chat).addLast(now));
    }
    return longest;
  }

  private Deque<Instant> window(Limit limit, String chat) {
    Place place = new Place(limit, limit.scope == ThrottleScope.CHAT ? chat : "");
    Deque<Instant> window = Objects.requireNonNullElseGet(taken.remove(place), ArrayDeque::new);
    // Put back last, so that the places forgotten first are those unused for longest.
    taken.put(place, window);
    return window;
  }
}
