package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.WallClock;
import dev.postrider.reminder.time.WindowOpening;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.OptionalInt;

/**
 * Sends as much as may be sent, as early as it may be sent, one stretch of time after the other.
 *
 * <p>The bucket is kept as the account's own meter keeps it, as a single instant: {@code paidUntil}
 * is the time by which everything sent so far will have been earned, and the next send may go while
 * that lies less than {@code burst} intervals ahead. So whole stretches are worked out at once,
 * however many sends there are. Times are nanoseconds from the start.
 */
final class SendCourse {
  /** Further away than any opening; so many intervals are not counted out. */
  private static final long FAR = Long.MAX_VALUE / 4;

  private final Instant start;
  private final long interval;
  private final int burst;
  private final DailyLimit limit;
  private final WallClock clock;

  private long paidUntil;
  private long lastSend;
  private LocalDate today;
  private long spentToday;

  SendCourse(Rate rate, DailyLimit limit, Instant start) {
    this.interval = rate.interval();
    this.burst = rate.burst();
    this.limit = limit;
    this.start = start;
    this.clock = new WallClock(limit.zone());
    this.today = clock.day(start);
    this.spentToday = limit.spentToday();
  }

  /** When the last one went out. */
  Instant lastSend() {
    return start.plusNanos(lastSend);
  }

  /** Sends what may be sent in an opening, day by day; gives how many of these that are. */
  long send(WindowOpening opening, long sends) {
    Instant from = opening.opens().isBefore(start) ? start : opening.opens();
    long left = sends;
    while (left > 0 && from.isBefore(opening.closes())) {
      LocalDate day = clock.day(from);
      Instant midnight = clock.reaches(day.plusDays(1));
      Instant to = midnight.isBefore(opening.closes()) ? midnight : opening.closes();
      left -= send(day, nanos(from), nanos(to), left);
      from = to;
    }
    return sends - left;
  }

  private long send(LocalDate day, long from, long to, long left) {
    if (!day.equals(today)) {
      today = day;
      spentToday = 0;
    }
    OptionalInt ceiling = limit.ceiling().apply(day);
    long allowed = ceiling.isPresent() ? ceiling.getAsInt() - spentToday : left;
    long earned = Math.max(paidUntil, from);
    long sent = Math.min(Math.min(left, allowed), capacity(earned, to));
    if (sent > 0) {
      lastSend = Math.max(from, earned + intervals(sent - burst));
      paidUntil = earned + intervals(sent);
      spentToday += sent;
    }
    return Math.max(0, sent);
  }

  /** How many sends may go before a time, at the pace alone. */
  private long capacity(long earned, long to) {
    return interval == 0 ? Long.MAX_VALUE : burst + Math.ceilDiv(to - earned, interval) - 1;
  }

  private long intervals(long count) {
    return Math.abs(count) > FAR / Math.max(1, interval)
        ? Long.signum(count) * FAR
        : count * interval;
  }

  private long nanos(Instant instant) {
    return Duration.between(start, instant).toNanos();
  }
}
