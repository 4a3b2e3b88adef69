package dev.postrider.reminder.time;

import dev.postrider.problem.Problems;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Weekdays as people write them: {@code FRI}, {@code fri}, {@code Friday}. */
final class Weekdays {
  private static final int SHORT = 3;

  private Weekdays() {}

  static Set<DayOfWeek> read(String field, List<String> written, Problems problems) {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (int i = 0; i < written.size(); i++) {
      Optional<DayOfWeek> day = read(written.get(i).strip().toUpperCase(Locale.ROOT));
      day.ifPresent(days::add);
      if (day.isEmpty()) {
        problems.add(
            "%s[%d]".formatted(field, i),
            "'" + written.get(i) + "' is no weekday; write MON, TUE, WED, THU, FRI, SAT or SUN");
      }
    }
    return days;
  }

  private static Optional<DayOfWeek> read(String name) {
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> name.equals(day.name()) || name.equals(write(day)))
        .findFirst();
  }

  static List<String> write(Collection<DayOfWeek> days) {
    return days.stream().map(Weekdays::write).toList();
  }

  private static String write(DayOfWeek day) {
    return day.name().substring(0, SHORT);
  }
}
