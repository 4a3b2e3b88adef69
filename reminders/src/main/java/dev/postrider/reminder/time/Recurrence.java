package dev.postrider.reminder.time;

import dev.postrider.reminder.time.Every.Unit;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The days of an {@link Every} that has no end. They lie in periods of {@code n} units, counted
 * from 0; the first unit of a period has its days.
 */
record Recurrence(
    int n, Unit unit, Set<DayOfWeek> on, @Nullable Integer dayOfMonth, LocalDate from) {

  /** The days of a period and all that follow, rising. */
  Stream<LocalDate> days(long period) {
    return LongStream.iterate(period, next -> next + 1)
        .boxed()
        .flatMap(this::daysOf)
        .filter(day -> !day.isBefore(from));
  }

  private Stream<LocalDate> daysOf(long period) {
    long units = period * n;
    return switch (unit) {
      case DAYS -> Stream.of(from.plusDays(units));
      case WEEKS -> on.stream().map(day -> start().plusWeeks(units).with(day));
      case MONTHS -> Stream.of(dayOf(start().plusMonths(units)));
    };
  }

  private LocalDate dayOf(LocalDate month) {
    int wanted = dayOfMonth == null ? from.getDayOfMonth() : dayOfMonth;
    return month.withDayOfMonth(Math.min(wanted, month.lengthOfMonth()));
  }

  /** The period that a day lies in; the first one for earlier days. */
  long period(LocalDate day) {
    long units =
        switch (unit) {
          case DAYS -> ChronoUnit.DAYS.between(start(), day);
          case WEEKS -> ChronoUnit.WEEKS.between(start(), day);
          case MONTHS -> ChronoUnit.MONTHS.between(start(), day);
        };
    return Math.max(0, units / n);
  }

  /** How many days there are before a period. */
  long daysBefore(long period) {
    if (period == 0) {
      return 0;
    }
    long inTheFirst = daysOf(0).filter(day -> !day.isBefore(from)).count();
    return inTheFirst + (period - 1) * (unit == Unit.WEEKS ? on.size() : 1);
  }

  /** Where the first period starts. */
  private LocalDate start() {
    return switch (unit) {
      case DAYS -> from;
      case WEEKS -> from.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTHS -> from.withDayOfMonth(1);
    };
  }
}
