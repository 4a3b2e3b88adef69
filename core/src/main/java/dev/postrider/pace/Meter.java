package dev.postrider.pace;

import dev.postrider.channel.Scope;
import dev.postrider.config.Pace;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The token buckets of one scope, each kept as a single instant (the generic cell rate algorithm).
 *
 * <p>A limit of {@code count} per {@code period} spends one interval {@code period / count} per
 * token. Its {@code paidUntil} is the time by which everything spent so far will have been earned;
 * a token may be taken while that lies less than {@code burst} intervals ahead. So in any window w
 * at most {@code w / interval + burst} tokens are taken, and a full bucket is simply one whose
 * {@code paidUntil} has passed: it needs no state at all. A throttle by the platform is one more
 * instant, before which nothing may be taken.
 *
 * <p>A meter adapts: each complaint of the platform halves the share of the configured rate that is
 * used, each quiet minute gives a tenth of it back.
 *
 * <p>Not thread-safe; its owner guards it.
 */
public final class Meter {
  static final double LOWEST_SHARE = 0.1;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long CUT_INTERVAL = 5 * MICROS_PER_SECOND;
  private static final long QUIET_INTERVAL = 60 * MICROS_PER_SECOND;

  private static final class Limit {
    final Duration period;
    final long interval; // microseconds, rounded up: never faster than configured
    final int burst;
    long paidUntil;

    Limit(Duration period, int count, int burst) {
      this.period = period;
      long micros = period.toNanos() / 1000;
      this.interval = Math.max(1, (micros + count - 1) / count);
      this.burst = burst;
    }
  }

  private final List<Limit> limits = new ArrayList<>();
  private long closedUntil;
  private double share = 1;
  private long shareChangedAt;
  private long revision;

  public Meter(Pace pace) {
    pace.limits().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey()))
        .forEach(limit -> limits.add(new Limit(limit.getKey(), limit.getValue(), pace.burst())));
  }

  boolean isUnlimited() {
    return limits.isEmpty();
  }

  /** The part of the configured rate in use, from {@link #LOWEST_SHARE} to 1. */
  double share(Instant now) {
    speedUp(micros(now));
    return share;
  }

  /**
   * The platform complained: halve the rate, once per {@link #CUT_INTERVAL} however many answers
   * say so.
   */
  void slowDown(Instant now) {
    long micros = micros(now);
    if (share == 1 || micros - shareChangedAt >= CUT_INTERVAL) {
      share = Math.max(LOWEST_SHARE, share / 2);
      shareChangedAt = micros;
    }
  }

  /** A quiet minute gives a tenth of the configured rate back. */
  private void speedUp(long now) {
    if (share < 1 && now - shareChangedAt >= QUIET_INTERVAL) {
      long steps = (now - shareChangedAt) / QUIET_INTERVAL;
      share = Math.min(1, share + 0.1 * steps);
      shareChangedAt += steps * QUIET_INTERVAL;
    }
  }

  /** When the next token may be taken; not after {@code now} means at once. */
  public Instant opensAt(Instant now) {
    return instant(opens(micros(now)));
  }

  /** The same for people, with whose pace it is. */
  Opening opening(Scope scope, Instant now) {
    long opens = opens(micros(now));
    return opens > micros(now)
        ? new Opening(instant(opens), scope, closedUntil >= opens)
        : Opening.at(now);
  }

  private long opens(long now) {
    speedUp(now);
    long opens = closedUntil;
    for (Limit limit : limits) {
      opens = Math.max(opens, paidUntil(limit, now) - ahead(limit));
    }
    return opens;
  }

  /** An honest meter is never more than a burst ahead; one that is has seen the clock set back. */
  private long paidUntil(Limit limit, long now) {
    return Math.min(limit.paidUntil, now + ahead(limit) + interval(limit));
  }

  /**
   * Measured at the full rate: a meter that is slowed down has a smaller burst, not a longer one.
   */
  private long ahead(Limit limit) {
    return (limit.burst - 1) * limit.interval;
  }

  private long interval(Limit limit) {
    return share == 1 ? limit.interval : (long) Math.ceil(limit.interval / share);
  }

  public void take(Instant now) {
    long micros = micros(now);
    for (Limit limit : limits) {
      limit.paidUntil = Math.max(paidUntil(limit, micros), micros) + interval(limit);
    }
  }

  /**
   * Gives back a token that was taken and not used. While it was held it has been earned again in
   * part, and others may have been taken on the strength of that: only the rest is given back. If
   * the rate has changed meanwhile, the token counts as the cheapest there is.
   */
  void giveBack(Instant takenAt, Instant now) {
    long taken = micros(takenAt);
    long held = Math.max(0, micros(now) - taken);
    for (Limit limit : limits) {
      long price = shareChangedAt > taken ? limit.interval : interval(limit);
      limit.paidUntil -= Math.max(0, price - held);
    }
  }

  /** Lets nothing through before this; never shortens an earlier word. */
  void close(Instant until) {
    closedUntil = Math.max(closedUntil, micros(until));
  }

  Instant closedUntil() {
    return instant(closedUntil);
  }

  /** When this meter will be full and open, and can be forgotten. */
  Instant settledAt() {
    long settled = closedUntil;
    if (share < 1) {
      settled = Math.max(settled, shareChangedAt + 10 * QUIET_INTERVAL);
    }
    for (Limit limit : limits) {
      settled = Math.max(settled, limit.paidUntil);
    }
    return instant(settled);
  }

  /** What must be stored of this meter after a change. */
  public Budget budget(String scope, Instant now) {
    revision = Math.max(revision + 1, micros(now));
    return new Budget(scope, revision, settledAt(), state());
  }

  /**
   * {@code closed=MICROS;PT1S=MICROS;…}: limits by period, so that they survive a change of the
   * others.
   */
  private String state() {
    StringBuilder state = new StringBuilder("closed=").append(closedUntil);
    if (share < 1) {
      long percent = Math.round(share * 100);
      state.append(";share=").append(percent).append(";changed=").append(shareChangedAt);
    }
    for (Limit limit : limits) {
      state.append(';').append(limit.period).append('=').append(limit.paidUntil);
    }
    return state.toString();
  }

  public void restore(Budget budget) {
    revision = Math.max(revision, budget.revision());
    for (String item : budget.state().split(";", -1)) {
      int equals = item.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String name = item.substring(0, equals);
      long value = Long.parseLong(item.substring(equals + 1));
      switch (name) {
        case "closed" -> closedUntil = Math.max(closedUntil, value);
        case "share" -> share = value / 100.0;
        case "changed" -> shareChangedAt = value;
        default -> restoreLimit(name, value);
      }
    }
  }

  private void restoreLimit(String period, long paidUntil) {
    for (Limit limit : limits) {
      if (limit.period.toString().equals(period)) {
        limit.paidUntil = Math.max(limit.paidUntil, paidUntil);
      }
    }
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
  }
}
