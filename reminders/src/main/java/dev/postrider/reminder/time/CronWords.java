package dev.postrider.reminder.time;

import dev.postrider.reminder.time.CronFields.Field;
import java.time.DayOfWeek;
import java.util.List;

/**
 * A cron expression in plain English. It speaks of the values that the fields allow, not of how
 * they are written.
 */
final class CronWords {
  private static final int MOST_TIMES_NAMED = 4;

  private final CronFields fields;
  private final List<Integer> minutes;
  private final List<Integer> hours;
  private final List<Integer> days;
  private final List<Integer> months;

  private CronWords(CronFields fields) {
    this.fields = fields;
    this.minutes = fields.values(Field.MINUTE);
    this.hours = fields.values(Field.HOUR);
    this.days = fields.values(Field.DAY);
    this.months = fields.values(Field.MONTH);
  }

  static String of(CronFields fields) {
    CronWords words = new CronWords(fields);
    return words.isWeekly() ? words.weekly() : words.times() + words.days();
  }

  /** Whether it names times of weekdays, or of every day, and of nothing else. */
  private boolean isWeekly() {
    boolean byDay = fields.restricts(Field.DAY);
    return timesCanBeNamed()
        && !fields.restricts(Field.MONTH)
        && (!byDay || everyDay(true, fields.restricts(Field.WEEKDAY)));
  }

  /** {@code every Friday at 09:00}. */
  private String weekly() {
    boolean all = everyDay(fields.restricts(Field.DAY), fields.restricts(Field.WEEKDAY));
    return (all ? "every day" : "every " + weekdays()) + " at " + TimeWords.list(timesOfDay());
  }

  private String times() {
    if (timesCanBeNamed()) {
      return "at " + TimeWords.list(timesOfDay());
    }
    if (minutes.size() == 1 && step(hours, 24) > 0) {
      String minute = minutes.getFirst() == 0 ? "" : ", at minute " + minutes.getFirst();
      return every(step(hours, 24), "hour") + minute;
    }
    if (minutes.size() == 1 && hoursAreARun()) {
      return "every hour" + hours(minutes.getFirst(), minutes.getFirst());
    }
    int everyMinutes = step(minutes, 60);
    String often =
        everyMinutes > 0
            ? every(everyMinutes, "minute")
            : "at minute " + TimeWords.numbers(minutes, String::valueOf) + " of the hour";
    return often + (hours.size() == 24 ? "" : hours(0, 59));
  }

  private boolean timesCanBeNamed() {
    return minutes.size() * hours.size() <= MOST_TIMES_NAMED;
  }

  private List<String> timesOfDay() {
    return hours.stream()
        .flatMap(hour -> minutes.stream().map(minute -> TimeOfDay.of(hour, minute).toString()))
        .toList();
  }

  private String hours(int firstMinute, int lastMinute) {
    return hoursAreARun()
        ? ", from %s to %s"
            .formatted(
                TimeOfDay.of(hours.getFirst(), firstMinute),
                TimeOfDay.of(hours.getLast(), lastMinute))
        : ", in the hours " + TimeWords.numbers(hours, String::valueOf);
  }

  private boolean hoursAreARun() {
    return hours.getLast() - hours.getFirst() == hours.size() - 1;
  }

  /** The step in which values go round a whole from zero, or 0 if they do not. */
  private static int step(List<Integer> values, int whole) {
    int step = whole / values.size();
    boolean even = step * values.size() == whole;
    for (int i = 0; i < values.size(); i++) {
      even &= values.get(i) == i * step;
    }
    return even ? step : 0;
  }

  private static String every(int step, String unit) {
    return step == 1 ? "every " + unit : "every " + step + " " + unit + "s";
  }

  private String days() {
    boolean byDay = fields.restricts(Field.DAY);
    boolean byWeekday = fields.restricts(Field.WEEKDAY);
    String inMonths =
        fields.restricts(Field.MONTH) ? ", in " + TimeWords.numbers(months, TimeWords::month) : "";
    if (everyDay(byDay, byWeekday)) {
      return (timesCanBeNamed() ? ", every day" : "") + inMonths;
    }
    if (byDay && byWeekday) {
      return ", on " + daysOfMonth() + " and every " + weekdays() + inMonths;
    }
    if (byWeekday) {
      String named = weekdays();
      return (named.contains(" to ") ? ", " : ", only on ") + named + inMonths;
    }
    return days.size() == 1 && months.size() == 1
        ? ", on " + days.getFirst() + " " + TimeWords.month(months.getFirst())
        : ", on " + daysOfMonth() + inMonths;
  }

  private boolean everyDay(boolean byDay, boolean byWeekday) {
    return !byDay && !byWeekday
        || byDay && fields.allowsAll(Field.DAY)
        || byWeekday && fields.allowsAll(Field.WEEKDAY);
  }

  private String daysOfMonth() {
    String numbers = TimeWords.numbers(days, String::valueOf);
    return (days.size() == 1 ? "day " : "days ") + numbers + " of the month";
  }

  /** Monday first, as in a calendar. */
  private String weekdays() {
    return TimeWords.days(
        fields.values(Field.WEEKDAY).stream()
            .map(day -> day == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(day))
            .sorted()
            .toList());
  }
}
