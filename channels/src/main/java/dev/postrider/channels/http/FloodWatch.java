package dev.postrider.channels.http;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells a chat's rate limit from the account's, for platforms that do not say which one was hit:
 * when several chats are turned away within a short time it is the account's. Thread-safe.
 */
public final class FloodWatch {
  private static final int SEVERAL = 3;
  private static final Duration SHORT_TIME = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final Map<String, Instant> turnedAway = new LinkedHashMap<>();

  public FloodWatch(InstantSource clock) {
    this.clock = clock;
  }

  /** The outcome, with a throttle widened to the account if this chat is one of several. */
  public Outcome widen(Outcome outcome, String chat) {
    return outcome instanceof Outcome.Throttled(_, Duration delay, String cause)
            && isOneOfSeveral(chat)
        ? new Outcome.Throttled(ThrottleScope.ACCOUNT, delay, cause)
        : outcome;
  }

  private synchronized boolean isOneOfSeveral(String chat) {
    Instant now = clock.instant();
    turnedAway.values().removeIf(at -> at.isBefore(now.minus(SHORT_TIME)));
    turnedAway.put(chat, now);
    return turnedAway.size() >= SEVERAL;
  }
}
