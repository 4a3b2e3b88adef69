package dev.postrider.reminder.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problem;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class WindowTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final Set<DayOfWeek> WEEK = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

  private static final List<String> HOURS =
      List.of(
          "06:00-18:00",
          "00:00-24:00",
          "22:00-06:00",
          "01:30-02:30",
          "02:10-02:50",
          "02:30-01:30",
          "23:30-00:30",
          "23:15-23:45",
          "00:00-00:30",
          "00:10-00:00",
          "12:00-11:59");

  private static final List<Set<DayOfWeek>> DAYS =
      List.of(
          EnumSet.allOf(DayOfWeek.class),
          WEEK,
          Set.of(DayOfWeek.SUNDAY),
          Set.of(DayOfWeek.FRIDAY),
          Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY));

  /** What a person with a clock and a list of the hours would write down. */
  private static List<WindowOpening> openingsByTheClock(Tide tide, Window window) {
    List<WindowOpening> spans = new ArrayList<>();
    LocalDate open = null;
    Instant since = Instant.MIN;
    for (int minute = 0; minute < tide.minutes(); minute++) {
      LocalDate day = dayOfOpening(window, tide.highest(minute));
      if (open != null && !open.equals(day)) {
        spans.add(new WindowOpening(since, tide.instant(minute)));
      }
      if (day != null && !day.equals(open)) {
        since = tide.instant(minute);
      }
      open = day;
    }
    return spans.stream().filter(span -> inYear(tide, span)).toList();
  }

  private static boolean inYear(Tide tide, WindowOpening span) {
    return !span.opens().isBefore(tide.start) && span.opens().isBefore(tide.end);
  }

  /** The day whose opening a local time lies in, or null. */
  private static @Nullable LocalDate dayOfOpening(Window window, LocalDateTime local) {
    int minute = local.getHour() * 60 + local.getMinute();
    int start = window.start().minute();
    int end = window.end().minute();
    LocalDate day = null;
    if (start < end && minute >= start && minute < end || end < start && minute >= start) {
      day = local.toLocalDate();
    } else if (end < start && minute < end) {
      day = local.toLocalDate().minusDays(1);
    }
    return day != null && window.days().contains(day.getDayOfWeek()) ? day : null;
  }

  private static Stream<Window> windows(Tide tide) {
    return HOURS.stream()
        .map(hours -> hours.split("-"))
        .map(ends -> Window.in(tide.zone).between(time(ends[0]), time(ends[1])))
        .flatMap(window -> DAYS.stream().map(window::on));
  }

  private static TimeOfDay time(String text) {
    return TimeOfDay.parse(text);
  }

  @ParameterizedTest
  @FieldSource("dev.postrider.reminder.time.Tide#OF_THE_WORLD")
  void the_openings_of_a_year_are_those_that_the_clock_on_the_wall_shows(Tide tide) {
    windows(tide)
        .forEach(
            window -> {
              List<WindowOpening> spans = openingsByTheClock(tide, window);
              assertThat(openings(tide, window)).as(window.describe()).isEqualTo(spans);
              for (int i = 1; i + 1 < spans.size(); i++) {
                assertAround(window, spans.get(i - 1), spans.get(i), spans.get(i + 1));
              }
            });
  }

  private static List<WindowOpening> openings(Tide tide, Window window) {
    return window
        .openings(tide.start)
        .takeWhile(span -> span.opens().isBefore(tide.end))
        .filter(span -> inYear(tide, span))
        .toList();
  }

  private static void assertAround(
      Window window, WindowOpening before, WindowOpening span, WindowOpening after) {
    assertInside(window, span, after, span.opens());
    assertInside(window, span, after, middle(span.opens(), span.closes()));
    assertInside(window, span, after, span.closes().minusNanos(1));
    if (before.closes().isBefore(span.opens())) {
      assertBetween(window, span, before.closes());
      assertBetween(window, span, middle(before.closes(), span.opens()));
      assertBetween(window, span, span.opens().minusNanos(1));
    }
  }

  private static Instant middle(Instant from, Instant to) {
    return from.plus(Duration.between(from, to).dividedBy(2));
  }

  private static void assertInside(
      Window window, WindowOpening span, WindowOpening after, Instant instant) {
    String about = window.describe() + " at " + instant;
    assertThat(window.at(instant)).as(about).contains(span);
    assertThat(window.next(instant)).as(about).isEqualTo(span);
    assertThat(window.nextOpening(instant)).as(about).isEqualTo(after.opens());
  }

  private static void assertBetween(Window window, WindowOpening next, Instant instant) {
    String about = window.describe() + " at " + instant;
    assertThat(window.at(instant)).as(about).isEmpty();
    assertThat(window.next(instant)).as(about).isEqualTo(next);
    assertThat(window.nextOpening(instant)).as(about).isEqualTo(next.opens());
  }

  @Test
  void by_default_a_window_is_open_from_six_to_six_on_all_days_and_what_is_left_over_is_skipped() {
    Window window = Window.in(KUALA_LUMPUR);
    assertThat(window.onClose()).isEqualTo(OnClose.STOP);
    assertThat(window.next(Instant.parse("2026-11-20T00:00:00Z")))
        .isEqualTo(
            new WindowOpening(
                Instant.parse("2026-11-19T22:00:00Z"), Instant.parse("2026-11-20T10:00:00Z")));
    assertThat(window.describe()).isEqualTo("06:00 to 18:00, every day (Asia/Kuala_Lumpur)");
  }

  @Test
  void the_weekday_of_a_night_is_that_of_its_evening() {
    Window friday =
        Window.in(KUALA_LUMPUR).between(time("22:00"), time("06:00")).on(Set.of(DayOfWeek.FRIDAY));
    assertThat(friday.at(Instant.parse("2026-11-20T21:30:00Z"))).isPresent(); // Saturday 05:30
    assertThat(friday.at(Instant.parse("2026-11-19T21:30:00Z"))).isEmpty(); // Friday 05:30
    assertThat(friday.describe())
        .isEqualTo("22:00 to 06:00 the next day, Friday (Asia/Kuala_Lumpur)");
  }

  @Test
  void a_window_around_the_clock_closes_at_midnight_and_opens_in_the_same_moment() {
    Window window = Window.in(KUALA_LUMPUR).between(time("00:00"), time("24:00"));
    WindowOpening friday = window.next(Instant.parse("2026-11-20T00:00:00Z"));
    assertThat(friday.length()).isEqualTo(Duration.ofDays(1));
    assertThat(window.next(friday.closes()).opens()).isEqualTo(friday.closes());
  }

  @Test
  void an_opening_of_which_a_jump_leaves_nothing_is_skipped() {
    Window window = Window.in(ZoneId.of("America/New_York")).between(time("02:10"), time("02:50"));
    assertThat(window.next(Instant.parse("2026-03-08T00:00:00Z")).opens())
        .isEqualTo("2026-03-09T06:10:00Z");
  }

  @Test
  void a_window_never_sends_after_the_clock_has_first_shown_its_end() {
    Window window = Window.in(ZoneId.of("America/New_York")).between(time("00:00"), time("01:30"));
    WindowOpening night = window.next(Instant.parse("2026-11-01T04:00:00Z"));
    assertThat(night.closes()).isEqualTo("2026-11-01T05:30:00Z");
    assertThat(window.at(Instant.parse("2026-11-01T06:15:00Z"))).isEmpty(); // 01:15 again
  }

  @Test
  void what_is_wrong_with_a_window_is_said_by_field() {
    assertThatThrownBy(() -> Window.in(KUALA_LUMPUR).between(time("08:00"), time("08:00")))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e ->
                assertThat(e.problems())
                    .containsExactly(
                        new Problem(
                            "window.end",
                            "opens and closes at the same time; write \"window\":"
                                + " \"none\" for any hour")));
    assertThatThrownBy(() -> Window.in(KUALA_LUMPUR).on(Set.of()))
        .hasMessageStartingWith("window.days: holds no weekday");
    assertThatThrownBy(() -> Window.in(KUALA_LUMPUR).between(time("24:00"), time("06:00")))
        .hasMessageStartingWith("window.start: 24:00 is the end of a day");
  }

  @ParameterizedTest
  @CsvSource({"00:00, 0", "6:05, 365", "06:05, 365", "23:59, 1439", "24:00, 1440"})
  void a_time_of_day_is_read_to_the_minute(String text, int minute) {
    assertThat(TimeOfDay.parse(text).minute()).isEqualTo(minute);
    assertThat(TimeOfDay.parse(TimeOfDay.parse(text).toString()).minute()).isEqualTo(minute);
  }

  @ParameterizedTest
  @CsvSource({"24:01", "25:00", "12:60", "noon", "6", "06:00:00", "-1:00", "''"})
  void what_is_no_time_of_day_is_refused_with_an_example(String text) {
    assertThatThrownBy(() -> TimeOfDay.parse(text)).hasMessageContaining("such as 06:00");
  }
}
