package dev.postrider.channels.discord;

import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Discord's rate limits, as it tells them: every answer says how many requests of its kind are left
 * and when there will be more. Asking before that would be a 429, and too many of those close the
 * door on the whole address. Thread-safe.
 */
final class RateLimitBuckets {
  private final InstantSource clock;
  private final Map<String, Instant> emptyUntil = new HashMap<>();

  RateLimitBuckets(InstantSource clock) {
    this.clock = clock;
  }

  /** How long nothing may be asked on this route; zero if it may. */
  synchronized Duration empty(String route) {
    Instant until = emptyUntil.get(route);
    Instant now = clock.instant();
    return until != null && until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
  }

  synchronized void hold(String route, Duration delay) {
    Instant now = clock.instant();
    emptyUntil.values().removeIf(until -> !until.isAfter(now));
    emptyUntil.merge(route, now.plus(delay), (one, other) -> one.isAfter(other) ? one : other);
  }

  /** Reads what an answer says about the next request. */
  void note(String route, Response response) {
    String more = response.headers().get("x-ratelimit-reset-after");
    if (more != null && "0".equals(response.headers().get("x-ratelimit-remaining"))) {
      Duration delay = RetryAfter.parse(more, clock.instant());
      if (delay != null) {
        hold(route, delay);
      }
    }
  }
}
