package dev.postrider.internal.lane;

import dev.postrider.channel.Outcome;
import dev.postrider.store.message.Head;
import dev.postrider.view.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker that has tripped: the account, or one of its servers, could not be reached, or
 * asked for patience. A few requests go first, and only what becomes of them lets more go.
 *
 * <p>After an outage one request at a time is a probe, on a growing schedule; any answer ends the
 * outage. It is told of when a second request has failed: one may have met a hiccup. After a
 * throttle one request goes as soon as the platform allows, then two, then four, until the
 * account's slots are all in use again.
 *
 * <p>Times are the stopwatch's, so that a clock that is set does not move them. Not thread-safe;
 * the lane scheduler guards it.
 */
final class CircuitBreaker {
  private static final int HELD = 4096;
  private static final List<Duration> PROBES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(40),
          Duration.ofMinutes(1));

  final @Nullable String server; // null: the account as a whole
  private final Deque<Head> held = new ArrayDeque<>();
  private boolean leftSome;
  private @Nullable Instant since;
  private String cause = "";
  private int failures;
  private int probes;
  private Duration probeAt = Duration.ZERO;
  private int width = 1;
  private int trying;

  CircuitBreaker(@Nullable String server) {
    this.server = server;
  }

  // ---- tripping

  /**
   * The platform could not be reached.
   *
   * @param tried whether the request was one that this breaker had let go first
   * @return whether that is news: the second failure in a row
   */
  boolean unreachable(Outcome.Unreachable gone, Instant at, Duration now, boolean tried) {
    boolean begins = since == null;
    if (begins) {
      since = at;
      failures = 0;
      probes = 0;
    }
    cause = gone.cause();
    if (begins || tried) {
      wait(now, gone.notBefore());
    }
    return ++failures == 2;
  }

  /** A probe got no answer; what it was about may have arrived all the same. */
  void silent(Duration now) {
    if (since != null) {
      wait(now, Duration.ZERO);
    }
  }

  private void wait(Duration now, Duration atLeast) {
    Duration usual = PROBES.get(Math.min(probes++, PROBES.size() - 1));
    probeAt = now.plus(usual.compareTo(atLeast) > 0 ? usual : atLeast);
    width = 1;
  }

  /** The platform asked the account for patience. */
  void throttled() {
    since = null;
    width = 1;
  }

  // ---- letting go

  boolean isOutage() {
    return since != null;
  }

  boolean lets(Duration now) {
    return trying < width && (since == null || probeAt.compareTo(now) <= 0);
  }

  void begin() {
    trying++;
  }

  void end() {
    trying--;
  }

  /** One that was let go came through; says how many may go now. */
  int widen() {
    width *= 2;
    return width;
  }

  /** How long until a probe may go; null if time alone changes nothing. */
  @Nullable Duration waits(Duration now) {
    return since != null && trying == 0 && probeAt.compareTo(now) > 0 ? probeAt.minus(now) : null;
  }

  // ---- those who wait for this server

  /** Takes a head that has to wait; false if it is left to the store. */
  boolean hold(Head head) {
    if (held.size() >= HELD) {
      leftSome = true;
      return false;
    }
    held.add(head);
    return true;
  }

  Deque<Head> held() {
    return held;
  }

  /** Whether heads were left to the store. */
  boolean leftSome() {
    return leftSome;
  }

  // ---- for people to look at

  /** Whether it is an outage that people have been told of. */
  boolean isKnown() {
    return since != null && failures > 1;
  }

  @Nullable Outage outage(Instant at, Duration now) {
    Duration waits = waits(now);
    return since == null
        ? null
        : new Outage(server, since, cause, waits == null ? null : at.plus(waits));
  }
}
