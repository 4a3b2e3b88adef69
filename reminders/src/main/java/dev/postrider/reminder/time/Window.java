package dev.postrider.reminder.time;

import dev.postrider.problem.Problems;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The hours in which a reminder may send, on chosen weekdays, in the local time of a zone.
 *
 * <p>Each chosen day has one opening, from {@code start} to {@code end}. An end that is not after
 * the start belongs to the next day: 22:00 to 06:00 is a night, and its weekday is that of the
 * evening. Openings are never joined: a window from 00:00 to 24:00 closes at midnight and opens in
 * the same moment.
 *
 * <p>Where clocks jump, both ends come when {@link WallClock} says so:
 *
 * <ul>
 *   <li>a start that is left out opens at the jump, an end that is left out closes at the jump;
 *   <li>of a start or an end that is shown twice, the first counts: the window never sends after
 *       the clock has first shown its end, and does not open a second time;
 *   <li>an opening of which nothing is left is skipped.
 * </ul>
 *
 * <p>Openings follow each other in time and do not overlap, since a later local time never comes
 * earlier.
 */
public record Window(
    TimeOfDay start, TimeOfDay end, Set<DayOfWeek> days, ZoneId zone, OnClose onClose) {
  public static final TimeOfDay DEFAULT_START = TimeOfDay.of(6, 0);
  public static final TimeOfDay DEFAULT_END = TimeOfDay.of(18, 0);

  public Window {
    Problems problems = new Problems();
    if (start.isEndOfDay()) {
      problems.add("window.start", "24:00 is the end of a day; write 00:00");
    }
    if (start.equals(end)) {
      problems.add(
          "window.end",
          "opens and closes at the same time; write \"window\": \"none\" for any hour");
    }
    if (days.isEmpty()) {
      problems.add("window.days", "holds no weekday; name one at least, or leave it out for all");
    }
    problems.refuse();
    days = Collections.unmodifiableSet(EnumSet.copyOf(days));
  }

  /** 06:00 to 18:00 on all days; what is left over when it closes is skipped. */
  public static Window in(ZoneId zone) {
    return new Window(
        DEFAULT_START, DEFAULT_END, EnumSet.allOf(DayOfWeek.class), zone, OnClose.STOP);
  }

  public Window between(TimeOfDay newStart, TimeOfDay newEnd) {
    return new Window(newStart, newEnd, days, zone, onClose);
  }

  public Window on(Set<DayOfWeek> newDays) {
    return new Window(start, end, newDays, zone, onClose);
  }

  public Window resuming() {
    return closing(OnClose.RESUME);
  }

  public Window closing(OnClose newOnClose) {
    return new Window(start, end, days, zone, newOnClose);
  }

  /** The same hours in another zone. */
  public Window at(ZoneId newZone) {
    return new Window(start, end, days, newZone, onClose);
  }

  /** The opening that an instant lies in, if the window is open then. */
  public Optional<WindowOpening> at(Instant instant) {
    WindowOpening span = next(instant);
    return span.contains(instant) ? Optional.of(span) : Optional.empty();
  }

  /** The first opening that ends after an instant: the one it lies in, or else the next one. */
  public WindowOpening next(Instant instant) {
    return openings(instant).findFirst().orElseThrow();
  }

  /** When the window opens next, after an instant. */
  public Instant nextOpening(Instant instant) {
    WindowOpening span = next(instant);
    return span.opens().isAfter(instant) ? span.opens() : next(span.closes()).opens();
  }

  /** All openings that end after an instant, in their order. There is no last one. */
  public Stream<WindowOpening> openings(Instant from) {
    // until an opening closes, the clock shows its day or the one after
    LocalDate first = clock().shows(from).toLocalDate().minusDays(1);
    return Stream.iterate(first, day -> day.plusDays(1))
        .filter(day -> days.contains(day.getDayOfWeek()))
        .flatMap(day -> opening(day).stream())
        .filter(span -> span.closes().isAfter(from));
  }

  private Optional<WindowOpening> opening(LocalDate day) {
    Instant opens = clock().reaches(start.on(day));
    Instant closes = clock().reaches(end.on(crossesMidnight() ? day.plusDays(1) : day));
    return opens.isBefore(closes)
        ? Optional.of(new WindowOpening(opens, closes))
        : Optional.empty();
  }

  private boolean crossesMidnight() {
    return end.compareTo(start) < 0;
  }

  private WallClock clock() {
    return new WallClock(zone);
  }

  /** In words, such as {@code 06:00 to 18:00, Monday to Friday (Asia/Kuala_Lumpur)}. */
  public String describe() {
    String hours = start + " to " + end + (crossesMidnight() ? " the next day" : "");
    return hours + ", " + TimeWords.days(days) + TimeWords.zone(zone);
  }
}
