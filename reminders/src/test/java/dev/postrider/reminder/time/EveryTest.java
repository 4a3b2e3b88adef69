package dev.postrider.reminder.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problem;
import dev.postrider.reminder.time.Every.Unit;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class EveryTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final LocalDate FRIDAY = LocalDate.of(2026, 11, 20);
  private static final LocalTime NINE = LocalTime.of(9, 0);
  private static final long SEED = 20_261_120;

  /** The days that a person ticks off in a calendar, one day after the other. */
  private static List<LocalDate> daysByTheCalendar(Every every, LocalDate last) {
    List<LocalDate> days = new ArrayList<>();
    for (LocalDate day = every.from(); !day.isAfter(last); day = day.plusDays(1)) {
      boolean ended =
          every.until() != null && day.isAfter(every.until())
              || every.times() != null && days.size() == every.times();
      if (!ended && isTicked(every, day)) {
        days.add(day);
      }
    }
    return days;
  }

  private static boolean isTicked(Every every, LocalDate day) {
    LocalDate from = every.from();
    return switch (every.unit()) {
      case DAYS -> ChronoUnit.DAYS.between(from, day) % every.n() == 0;
      case WEEKS -> {
        long mondayFrom = from.toEpochDay() - from.getDayOfWeek().getValue();
        long mondayDay = day.toEpochDay() - day.getDayOfWeek().getValue();
        yield (mondayDay - mondayFrom) / 7 % every.n() == 0
            && every.on().contains(day.getDayOfWeek());
      }
      case MONTHS -> {
        int months =
            (day.getYear() - from.getYear()) * 12 + day.getMonthValue() - from.getMonthValue();
        boolean last = day.plusDays(1).getDayOfMonth() == 1;
        yield months % every.n() == 0
            && (day.getDayOfMonth() == every.dayOfMonth()
                || last && day.getDayOfMonth() < every.dayOfMonth());
      }
    };
  }

  private static Every random(Random random, LocalDate year) {
    Unit unit = Unit.values()[random.nextInt(3)];
    LocalDate from = year.plusDays(random.nextInt(300));
    Set<DayOfWeek> on = EnumSet.noneOf(DayOfWeek.class);
    Arrays.stream(DayOfWeek.values()).filter(day -> random.nextInt(3) == 0).forEach(on::add);
    return new Every(
        random.nextInt(1, 6),
        unit,
        LocalTime.of(random.nextInt(24), random.nextInt(60)),
        unit == Unit.WEEKS ? on : Set.of(),
        unit == Unit.MONTHS && random.nextBoolean() ? random.nextInt(1, 32) : null,
        from,
        random.nextInt(3) == 0 ? from.plusDays(random.nextInt(190, 300)) : null,
        random.nextInt(3) == 0 ? random.nextInt(1, 20) : null);
  }

  @ParameterizedTest
  @FieldSource("dev.postrider.reminder.time.Tide#OF_THE_WORLD")
  void a_repetition_fires_on_the_days_of_the_calendar_when_the_clock_comes_to_its_time(Tide tide) {
    Random random = new Random(SEED);
    LocalDate year = LocalDate.ofInstant(tide.start, ZoneId.of("UTC"));
    for (int i = 0; i < 300; i++) {
      Every every = random(random, year);
      List<Instant> expected =
          daysByTheCalendar(every, year.plusDays(370)).stream()
              .map(day -> tide.comesTo(day.atTime(every.at())))
              .distinct()
              .filter(firing -> firing.isBefore(tide.end))
              .toList();
      assertThat(firings(every, tide.zone, tide.start, tide.end))
          .as("seed %d: %s", SEED, every.describe(tide.zone))
          .isEqualTo(expected);
    }
  }

  private static List<Instant> firings(Every every, ZoneId zone, Instant after, Instant end) {
    List<Instant> firings = new ArrayList<>();
    Optional<Instant> next = every.next(after, zone);
    while (next.isPresent() && next.get().isBefore(end)) {
      firings.add(next.get());
      assertThat(every.next(next.get().minusNanos(1), zone)).isEqualTo(next);
      next = every.next(next.get(), zone);
    }
    return firings;
  }

  private static Every every(int n, Unit unit, LocalDate from) {
    return new Every(n, unit, NINE, Set.of(), null, from, null, null);
  }

  @Test
  void weeks_without_days_fall_on_the_weekday_and_months_on_the_day_they_start_with() {
    assertThat(every(2, Unit.WEEKS, FRIDAY).on()).containsExactly(DayOfWeek.FRIDAY);
    assertThat(every(1, Unit.MONTHS, FRIDAY).dayOfMonth()).isEqualTo(20);
  }

  @Test
  void the_31st_is_the_last_day_of_every_month() {
    Every last = new Every(1, Unit.MONTHS, NINE, Set.of(), 31, FRIDAY, null, 4);
    Instant end = Instant.parse("2028-01-01T00:00:00Z");
    assertThat(firings(last, KUALA_LUMPUR, Instant.EPOCH, end))
        .containsExactly(
            Instant.parse("2026-11-30T01:00:00Z"),
            Instant.parse("2026-12-31T01:00:00Z"),
            Instant.parse("2027-01-31T01:00:00Z"),
            Instant.parse("2027-02-28T01:00:00Z"));
  }

  @Test
  void a_repetition_says_what_it_does() {
    LocalDate march = LocalDate.of(2027, 3, 1);
    assertThat(
            new Every(2, Unit.WEEKS, NINE, Set.of(DayOfWeek.FRIDAY), null, FRIDAY, march, null)
                .describe(KUALA_LUMPUR))
        .isEqualTo(
            "every 2 weeks on Friday at 09:00, from 20 November 2026 until 1 March 2027"
                + ", Asia/Kuala_Lumpur");
    assertThat(every(1, Unit.DAYS, FRIDAY).describe(KUALA_LUMPUR))
        .isEqualTo("every day at 09:00, from 20 November 2026, Asia/Kuala_Lumpur");
    assertThat(
            new Every(3, Unit.MONTHS, NINE, Set.of(), 31, FRIDAY, null, 5).describe(KUALA_LUMPUR))
        .isEqualTo(
            "every 3 months on the last day at 09:00, from 20 November 2026, 5 times"
                + ", Asia/Kuala_Lumpur");
  }

  @Test
  void everything_that_is_wrong_is_said_at_once_by_field() {
    assertThatThrownBy(
            () -> new Every(0, Unit.DAYS, NINE, Set.of(DayOfWeek.FRIDAY), 32, FRIDAY, null, 0))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e ->
                assertThat(e.problems())
                    .extracting(Problem::field)
                    .containsExactly(
                        "schedule.every",
                        "schedule.on",
                        "schedule.dayOfMonth",
                        "schedule.dayOfMonth",
                        "schedule.times"));
  }

  @Test
  void a_repetition_that_would_end_before_its_first_firing_is_refused() {
    LocalDate monday = LocalDate.of(2026, 11, 16);
    assertThatThrownBy(
            () ->
                new Every(
                    2,
                    Unit.WEEKS,
                    NINE,
                    Set.of(DayOfWeek.FRIDAY),
                    null,
                    monday,
                    monday.plusDays(2),
                    null))
        .hasMessage("schedule.until: is before the first firing, on 20 November 2026");
  }

  @Test
  void once_fires_once_and_a_time_that_is_left_out_fires_at_the_jump() {
    ZoneId newYork = ZoneId.of("America/New_York");
    Instant jump = Instant.parse("2026-03-08T07:00:00Z");
    Once once = new Once(LocalDate.of(2026, 3, 8).atTime(2, 30));
    assertThat(once.next(jump.minusNanos(1), newYork)).contains(jump);
    assertThat(once.next(jump, newYork)).isEmpty();
    assertThat(new Once(FRIDAY.atTime(NINE)).describe(KUALA_LUMPUR))
        .isEqualTo("once, on Friday 20 November 2026 at 09:00, Asia/Kuala_Lumpur");
  }
}
