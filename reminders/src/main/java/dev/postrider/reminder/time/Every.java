package dev.postrider.reminder.time;

import dev.postrider.problem.Problems;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Firings every so many days, weeks or months, at one time of the day.
 *
 * @param n every how many
 * @param on the weekdays, for weeks, which begin on Monday; if empty, that of {@code from}
 * @param dayOfMonth for months; a month that is too short for it takes its last day, so that 31 is
 *     the last day of any. If null, that of {@code from}
 * @param from the first day that may fire; periods are counted from the one it lies in
 * @param until the last day that may fire
 * @param times after how many firings it ends
 */
public record Every(
    int n,
    Unit unit,
    LocalTime at,
    Set<DayOfWeek> on,
    @Nullable Integer dayOfMonth,
    LocalDate from,
    @Nullable LocalDate until,
    @Nullable Integer times)
    implements Schedule {

  /** What is counted. */
  public enum Unit {
    DAYS("day"),
    WEEKS("week"),
    MONTHS("month");

    private final String one;

    Unit(String one) {
      this.one = one;
    }

    /** {@code 1 day}, {@code 2 weeks}. */
    String count(int n) {
      return n + " " + one + (n == 1 ? "" : "s");
    }
  }

  static final int MOST = 999;
  private static final int LAST_DAY = 31;

  /**
   * Checks what is asked for.
   *
   * @throws dev.postrider.problem.InvalidInput naming every field that is wrong
   */
  public Every {
    Problems problems = new Problems();
    if (n < 1 || n > MOST) {
      problems.add("schedule.every", "must count from 1 to " + MOST + ", such as \"2 weeks\"");
    }
    if (unit != Unit.WEEKS && !on.isEmpty()) {
      problems.add("schedule.on", "is for weeks; leave it out, or write \"every\": \"1 week\"");
    }
    if (unit != Unit.MONTHS && dayOfMonth != null) {
      problems.add(
          "schedule.dayOfMonth", "is for months; leave it out, or write \"every\": \"1 month\"");
    }
    if (dayOfMonth != null && (dayOfMonth < 1 || dayOfMonth > LAST_DAY)) {
      problems.add("schedule.dayOfMonth", "must be from 1 to 31; 31 is the last day of any month");
    }
    if (times != null && times < 1) {
      problems.add("schedule.times", "must be at least 1; leave it out for no end");
    }
    problems.refuse();
    if (unit == Unit.WEEKS) {
      on = EnumSet.copyOf(on.isEmpty() ? Set.of(from.getDayOfWeek()) : on);
    }
    if (unit == Unit.MONTHS && dayOfMonth == null) {
      dayOfMonth = from.getDayOfMonth();
    }
    on = Collections.unmodifiableSet(on);
    LocalDate first =
        new Recurrence(n, unit, on, dayOfMonth, from).days(0).findFirst().orElseThrow();
    if (until != null && until.isBefore(first)) {
      problems.add("schedule.until", "is before the first firing, on " + TimeWords.date(first));
    }
    problems.refuse();
  }

  @Override
  public Optional<Instant> next(Instant after, ZoneId zone) {
    WallClock clock = new WallClock(zone);
    Recurrence beat = new Recurrence(n, unit, on, dayOfMonth, from);
    long period = beat.period(clock.shows(after).toLocalDate());
    long left = times == null ? Long.MAX_VALUE : Math.max(0, times - beat.daysBefore(period));
    return beat.days(period)
        .limit(left)
        .takeWhile(day -> until == null || !day.isAfter(until))
        .map(day -> clock.reaches(day.atTime(at)))
        .filter(firing -> firing.isAfter(after))
        .findFirst();
  }

  @Override
  public String describe(ZoneId zone) {
    String every = n == 1 ? "every " + unit.one : "every " + unit.count(n);
    return every
        + days()
        + " at "
        + at
        + ", from "
        + TimeWords.date(from)
        + end()
        + TimeWords.in(zone);
  }

  private String days() {
    return switch (unit) {
      case DAYS -> "";
      case WEEKS -> " on " + TimeWords.days(on);
      case MONTHS ->
          dayOfMonth != null && dayOfMonth == LAST_DAY
              ? " on the last day"
              : " on day " + dayOfMonth;
    };
  }

  private String end() {
    return (until == null ? "" : " until " + TimeWords.date(until))
        + (times == null ? "" : times == 1 ? ", once" : ", " + times + " times");
  }
}
