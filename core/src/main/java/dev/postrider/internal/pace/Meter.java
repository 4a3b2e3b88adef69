package dev.postrider.internal.pace;

import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.Pace;
import dev.postrider.store.message.Budget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

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
 * <p>All moments are the stopwatch's: a clock that is set changes nothing. Only what is stored is
 * in the clock's terms, since a stopwatch does not survive its process.
 *
 * <p>A meter adapts: each complaint of the platform halves the share of the configured rate that is
 * used, each quiet minute gives a tenth of it back. A channel may lower it besides, while an
 * account is young, and have tokens cost more than they need, at random, so that requests do not go
 * out like clockwork.
 *
 * <p>Not thread-safe; its owner guards it.
 */
public final class Meter {
  static final double LOWEST_SHARE = 0.1;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long CUT_INTERVAL = 5 * MICROS_PER_SECOND;
  private static final long QUIET_INTERVAL = 60 * MICROS_PER_SECOND;
  private static final long LONG_AGO = Long.MIN_VALUE / 4; // a stopwatch may show less than zero

  private static final class Limit {
    final Duration period;
    final long interval; // microseconds, rounded up: never faster than configured
    final int burst;
    long paidUntil = LONG_AGO;

    Limit(Duration period, int count, int burst) {
      this.period = period;
      long micros = period.toNanos() / 1000;
      this.interval = Math.max(1, (micros + count - 1) / count);
      this.burst = burst;
    }
  }

  private final List<Limit> limits = new ArrayList<>();
  private long closedUntil = LONG_AGO;
  private double share = 1;
  private long shareChangedAt = LONG_AGO;
  private long revision;
  private double ceiling = 1; // of the share, whatever the platform says
  private final double jitter;
  private final RandomGenerator random;

  public Meter(Pace pace) {
    this(pace, 0, () -> 0);
  }

  /**
   * @param jitter each token costs more than it need, by up to this fraction
   */
  Meter(Pace pace, double jitter, RandomGenerator random) {
    this.jitter = jitter;
    this.random = random;
    pace.limits().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey()))
        .forEach(limit -> limits.add(new Limit(limit.getKey(), limit.getValue(), pace.burst())));
  }

  boolean isUnlimited() {
    return limits.isEmpty();
  }

  /** The part of the configured rate in use, from {@link #LOWEST_SHARE} to 1. */
  double share(Moment now) {
    speedUp(now.micros());
    return share;
  }

  /**
   * The platform complained: halve the rate, once per {@link #CUT_INTERVAL} however many answers
   * say so.
   */
  void slowDown(Moment now) {
    long micros = now.micros();
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
  public Duration opensAt(Moment now) {
    return Moment.moment(Math.max(now.micros(), opens(now.micros())));
  }

  /** The same for people, with whose pace it is. */
  PaceOpening opening(ThrottleScope scope, Moment now) {
    long opens = opens(now.micros());
    return opens > now.micros()
        ? new PaceOpening(now.onClock(Moment.moment(opens)), scope, closedUntil >= opens)
        : PaceOpening.at(now.clock());
  }

  private long opens(long now) {
    speedUp(now);
    long opens = closedUntil;
    for (Limit limit : limits) {
      opens = Math.max(opens, limit.paidUntil - ahead(limit));
    }
    return opens;
  }

  /**
   * Measured at the full rate: a meter that is slowed down has a smaller burst, not a longer one.
   */
  private long ahead(Limit limit) {
    return (limit.burst - 1) * limit.interval;
  }

  private long interval(Limit limit) {
    double used = Math.min(share, ceiling);
    return used == 1 ? limit.interval : (long) Math.ceil(limit.interval / used);
  }

  /** At most this part of the configured rate is used from now on. */
  void lower(double most) {
    ceiling = Math.clamp(most, 0.01, 1);
  }

  double ceiling() {
    return ceiling;
  }

  public void take(Moment now) {
    double factor = jitter == 0 ? 1 : 1 + jitter * random.nextDouble();
    for (Limit limit : limits) {
      long price = (long) Math.ceil(interval(limit) * factor);
      limit.paidUntil = Math.max(limit.paidUntil, now.micros()) + price;
    }
  }

  /** As if everything had been spent just now. */
  void empty(Moment now) {
    for (Limit limit : limits) {
      limit.paidUntil = now.micros() + ahead(limit) + interval(limit);
    }
  }

  /** Whether the other, which has the same limits, opens later. */
  boolean isBehind(Meter other) {
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).paidUntil < other.limits.get(i).paidUntil) {
        return true;
      }
    }
    return false;
  }

  /** Opens no earlier than the other, which has the same limits. */
  void catchUpWith(Meter other) {
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      limit.paidUntil = Math.max(limit.paidUntil, other.limits.get(i).paidUntil);
    }
  }

  /**
   * Gives back a token that was taken and not used. While it was held it has been earned again in
   * part, and others may have been taken on the strength of that: only the rest is given back. If
   * the rate has changed meanwhile, the token counts as the cheapest there is.
   */
  void giveBack(Duration takenAt, Moment now) {
    long taken = Moment.micros(takenAt);
    long held = Math.max(0, now.micros() - taken);
    for (Limit limit : limits) {
      long price = shareChangedAt > taken ? limit.interval : interval(limit);
      limit.paidUntil -= Math.max(0, price - held);
    }
  }

  /** Lets nothing through before this; never shortens an earlier word. */
  void close(Duration until) {
    closedUntil = Math.max(closedUntil, Moment.micros(until));
  }

  Duration closedUntil() {
    return Moment.moment(closedUntil);
  }

  /** Whether this meter is full and open, and can be forgotten. */
  boolean isSettled(Moment now) {
    return settledAt() <= now.micros();
  }

  private long settledAt() {
    long settled = closedUntil;
    if (share < 1) {
      settled = Math.max(settled, shareChangedAt + 10 * QUIET_INTERVAL);
    }
    for (Limit limit : limits) {
      settled = Math.max(settled, limit.paidUntil);
    }
    return settled;
  }

  /** What must be stored of this meter after a change. */
  public Budget budget(String scope, Moment now) {
    return budget(scope, now, this);
  }

  /** The same, if requests have left later than their tokens were taken. */
  Budget budget(String scope, Moment now, Meter wire) {
    revision = Math.max(revision + 1, now.toClock(now.micros()));
    long settled = Math.max(settledAt(), wire.settledAt());
    return new Budget(scope, revision, now.onClock(Moment.moment(settled)), state(now, wire));
  }

  /**
   * {@code closed=MICROS;PT1S=MICROS;…}: limits by period, so that they survive a change of the
   * others.
   */
  private String state(Moment now, Meter wire) {
    StringBuilder state = new StringBuilder("closed=").append(stored(closedUntil, now));
    if (share < 1) {
      state.append(";share=").append(Math.round(share * 100));
      state.append(";changed=").append(stored(shareChangedAt, now));
    }
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      long paidUntil = Math.max(limit.paidUntil, wire.limits.get(i).paidUntil);
      state.append(';').append(limit.period).append('=').append(stored(paidUntil, now));
    }
    return state.toString();
  }

  private static long stored(long moment, Moment now) {
    return moment == LONG_AGO ? 0 : now.toClock(moment);
  }

  /**
   * Takes over what was stored. An honest meter is never more than a burst ahead: one that is was
   * stored before the clock was set back.
   */
  public void restore(Budget budget, Moment now) {
    revision = Math.max(revision, budget.revision());
    for (String item : budget.state().split(";", -1)) {
      int equals = item.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String name = item.substring(0, equals);
      long value = Long.parseLong(item.substring(equals + 1));
      switch (name) {
        case "closed" -> closedUntil = Math.max(closedUntil, now.fromClock(value));
        case "share" -> share = value / 100.0;
        case "changed" -> shareChangedAt = Math.min(now.micros(), now.fromClock(value));
        default -> restoreLimit(name, now.fromClock(value), now.micros());
      }
    }
  }

  private void restoreLimit(String period, long paidUntil, long now) {
    for (Limit limit : limits) {
      if (limit.period.toString().equals(period)) {
        long most = now + ahead(limit) + interval(limit);
        limit.paidUntil = Math.max(limit.paidUntil, Math.min(paidUntil, most));
      }
    }
  }
}
