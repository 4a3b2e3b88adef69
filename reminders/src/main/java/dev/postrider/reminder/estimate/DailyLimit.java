package dev.postrider.reminder.estimate;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How much an account may send a day.
 *
 * @param ceiling the most it may send on a day, or none
 * @param zone whose days are counted
 * @param spentToday what it has sent today
 */
public record DailyLimit(Function<LocalDate, OptionalInt> ceiling, ZoneId zone, int spentToday) {
  public DailyLimit {
    if (spentToday < 0) {
      throw new IllegalArgumentException("an account cannot have sent less than nothing");
    }
  }

  /** Any number, on any day. */
  public static DailyLimit none(ZoneId zone) {
    return new DailyLimit(_ -> OptionalInt.empty(), zone, 0);
  }
}
