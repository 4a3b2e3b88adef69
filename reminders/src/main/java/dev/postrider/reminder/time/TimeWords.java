package dev.postrider.reminder.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Times in plain English. */
final class TimeWords {
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH);
  private static final int SHORTEST_RUN = 3;

  private TimeWords() {}

  static String date(LocalDate date) {
    return DATE.format(date);
  }

  static String day(DayOfWeek day) {
    return day.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  static String month(int month) {
    return Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  static String zone(ZoneId zone) {
    return " (" + zone.getId() + ")";
  }

  /** The zone at the end of a schedule. */
  static String in(ZoneId zone) {
    return ", " + zone.getId();
  }

  /** {@code every day}, {@code Monday to Friday}, {@code Monday and Thursday}. */
  static String days(Collection<DayOfWeek> days) {
    return days.size() == DayOfWeek.values().length
        ? "every day"
        : numbers(days.stream().map(DayOfWeek::getValue).toList(), n -> day(DayOfWeek.of(n)));
  }

  /** Rising numbers under their names, runs of three or more as {@code first to last}. */
  static String numbers(List<Integer> rising, IntFunction<String> name) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < rising.size(); ) {
      int last = endOfRun(rising, i);
      if (last - i + 1 >= SHORTEST_RUN) {
        words.add(name.apply(rising.get(i)) + " to " + name.apply(rising.get(last)));
        i = last + 1;
      } else {
        words.add(name.apply(rising.get(i++)));
      }
    }
    return list(words);
  }

  private static int endOfRun(List<Integer> rising, int from) {
    int last = from;
    while (last + 1 < rising.size() && rising.get(last + 1) == rising.get(last) + 1) {
      last++;
    }
    return last;
  }

  /** {@code a}, {@code a and b}, {@code a, b and c}. */
  static String list(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }
}
