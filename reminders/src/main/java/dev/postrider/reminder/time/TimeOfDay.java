package dev.postrider.reminder.time;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time on the clock, to the minute, from 00:00 to 24:00.
 *
 * @param minute of the day, 0 to 1440; 1440 is the end of the day
 */
public record TimeOfDay(int minute) implements Comparable<TimeOfDay> {
  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,2}):(\\d{2})");
  private static final int END_OF_DAY = 24 * 60;

  public TimeOfDay {
    if (minute < 0 || minute > END_OF_DAY) {
      throw new IllegalArgumentException("a day has the minutes 0 to " + END_OF_DAY);
    }
  }

  public static TimeOfDay of(int hour, int minute) {
    return new TimeOfDay(hour * 60 + minute);
  }

  /**
   * Reads {@code 06:00}, and {@code 24:00} for the end of the day.
   *
   * @throws IllegalArgumentException with a sentence about what is wrong
   */
  public static TimeOfDay parse(String text) {
    Matcher matcher = WRITTEN.matcher(text.strip());
    if (matcher.matches()) {
      int hour = Integer.parseInt(matcher.group(1));
      int minute = Integer.parseInt(matcher.group(2));
      if (minute < 60 && hour * 60 + minute <= END_OF_DAY) {
        return of(hour, minute);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a time of day; write one from 00:00 to 24:00, such as 06:00");
  }

  public boolean isEndOfDay() {
    return minute == END_OF_DAY;
  }

  /** This time on a day. The end of the day is the start of the next one. */
  public LocalDateTime on(LocalDate day) {
    return day.atStartOfDay().plusMinutes(minute);
  }

  @Override
  public int compareTo(TimeOfDay other) {
    return Integer.compare(minute, other.minute);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
  }
}
