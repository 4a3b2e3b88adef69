package dev.postrider.config;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

/** Times that a store can hold. ISO-8601 can say others, which no client can mean. */
public final class StorableTime {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private StorableTime() {}

  /**
   * Gives it back.
   *
   * @throws IllegalArgumentException if it is beyond what can be stored
   */
  public static Instant checked(Instant instant) {
    if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
      throw new IllegalArgumentException(instant + " is beyond what can be stored");
    }
    return instant;
  }

  /**
   * Gives it back.
   *
   * @throws IllegalArgumentException if it is beyond what can be stored
   */
  public static Duration checked(Duration duration) {
    if (duration.compareTo(LONGEST) > 0 || duration.compareTo(LONGEST.negated()) < 0) {
      throw new IllegalArgumentException(duration + " is beyond what can be stored");
    }
    return duration;
  }

  /**
   * Gives it back.
   *
   * @throws IllegalArgumentException if it is beyond what can be stored
   */
  public static LocalDate checked(LocalDate date) {
    if (date.getYear() < 1 || date.getYear() > 9999) {
      throw new IllegalArgumentException(date + " is beyond what can be stored");
    }
    return date;
  }
}
