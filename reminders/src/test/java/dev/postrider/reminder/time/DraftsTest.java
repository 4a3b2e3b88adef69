package dev.postrider.reminder.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.problem.Problem;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.time.Every.Unit;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DraftsTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final LocalDate FRIDAY = LocalDate.of(2026, 11, 20);
  private static final LocalTime NINE = LocalTime.of(9, 0);

  private final Problems problems = new Problems();

  private static ScheduleDraft every(
      @Nullable String at, String every, @Nullable List<String> on, @Nullable String from) {
    return new ScheduleDraft(at, null, every, on, null, from, null, null);
  }

  static Stream<Schedule> schedules() {
    return Stream.of(
        new Once(FRIDAY.atTime(NINE)),
        new Once(FRIDAY.atTime(9, 0, 30)),
        new Cron("0 9 * * FRI"),
        new Every(1, Unit.DAYS, NINE, Set.of(), null, FRIDAY, null, null),
        new Every(
            2,
            Unit.WEEKS,
            NINE,
            Set.of(DayOfWeek.FRIDAY, DayOfWeek.MONDAY),
            null,
            FRIDAY,
            FRIDAY.plusDays(99),
            null),
        new Every(3, Unit.MONTHS, NINE, Set.of(), 31, FRIDAY, null, 7));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void a_schedule_that_is_written_is_read_back_as_it_was(Schedule schedule) {
    assertThat(ScheduleDraft.of(schedule).read(FRIDAY, problems)).isEqualTo(schedule);
    assertThat(problems.isEmpty()).isTrue();
  }

  @Test
  void a_window_that_is_written_is_read_back_as_it_was() {
    Window window =
        Window.in(KUALA_LUMPUR)
            .between(TimeOfDay.of(22, 30), TimeOfDay.of(24, 0))
            .on(Set.of(DayOfWeek.SUNDAY, DayOfWeek.MONDAY))
            .resuming();
    assertThat(WindowDraft.of(window))
        .isEqualTo(new WindowDraft("22:30", "24:00", List.of("MON", "SUN"), "resume"));
    assertThat(WindowDraft.of(window).read(KUALA_LUMPUR, problems)).isEqualTo(window);
    assertThat(problems.isEmpty()).isTrue();
  }

  @Test
  void what_is_left_out_of_a_window_takes_its_default() {
    assertThat(new WindowDraft(null, null, null, null).read(KUALA_LUMPUR, problems))
        .isEqualTo(Window.in(KUALA_LUMPUR));
  }

  @ParameterizedTest
  @CsvSource({
    "day, 1, DAYS",
    "1 day, 1, DAYS",
    "2 weeks, 2, WEEKS",
    "2 week, 2, WEEKS",
    "12Months, 12, MONTHS"
  })
  void a_period_is_counted_in_days_weeks_or_months(String written, int n, Unit unit) {
    assertThat(every("09:00", written, null, null).read(FRIDAY, problems))
        .isEqualTo(new Every(n, unit, NINE, Set.of(), null, FRIDAY, null, null));
  }

  @Test
  void weekdays_are_read_in_any_case_short_or_long() {
    assertThat(
            every("09:00", "week", List.of("fri", "Friday", "SUN"), "2026-11-16")
                .read(FRIDAY, problems))
        .isEqualTo(
            new Every(
                1,
                Unit.WEEKS,
                NINE,
                Set.of(DayOfWeek.FRIDAY, DayOfWeek.SUNDAY),
                null,
                LocalDate.of(2026, 11, 16),
                null,
                null));
  }

  private void assertProblems(String... expected) {
    assertThat(problems.first()).extracting(Problem::toString).containsExactly(expected);
  }

  @Test
  void everything_that_cannot_be_read_of_a_window_is_said_at_once() {
    WindowDraft draft = new WindowDraft("6am", "25:00", List.of("MON", "FRY"), "wait");
    assertThat(draft.read(KUALA_LUMPUR, problems)).isNull();
    assertProblems(
        "window.start: '6am' is not a time of day; write one from 00:00 to 24:00, such as 06:00",
        "window.end: '25:00' is not a time of day; write one from 00:00 to 24:00, such as 06:00",
        "window.days[1]: 'FRY' is no weekday; write MON, TUE, WED, THU, FRI, SAT or SUN",
        "window.onClose: 'wait' is not known; write stop or resume");
  }

  @Test
  void a_window_that_can_be_read_and_makes_no_sense_is_refused_too() {
    assertThat(new WindowDraft("08:00", "08:00", List.of(), null).read(KUALA_LUMPUR, problems))
        .isNull();
    assertProblems(
        "window.end: opens and closes at the same time; write \"window\": \"none\" for any hour",
        "window.days: holds no weekday; name one at least, or leave it out for all");
  }

  @Test
  void everything_that_cannot_be_read_of_a_repetition_is_said_at_once() {
    ScheduleDraft draft =
        new ScheduleDraft(
            "9 o'clock", null, "fortnight", List.of("X"), null, "20.11.2026", "soon", null);
    assertThat(draft.read(FRIDAY, problems)).isNull();
    assertProblems(
        "schedule.every: 'fortnight' cannot be read; write one like \"2 weeks\"",
        "schedule.at: '9 o'clock' is not a time of day such as 09:00",
        "schedule.from: '20.11.2026' is not a date such as 2026-11-20, before the year 10000",
        "schedule.until: 'soon' is not a date such as 2026-11-20, before the year 10000",
        "schedule.on[0]: 'X' is no weekday; write MON, TUE, WED, THU, FRI, SAT or SUN");
  }

  @Test
  void a_repetition_needs_a_time_of_day() {
    assertThat(every(null, "2 weeks", null, null).read(FRIDAY, problems)).isNull();
    assertProblems("schedule.at: is missing; write a time of day such as 09:00");
  }

  @Test
  void a_single_time_has_no_zone_of_its_own() {
    assertThat(ScheduleDraft.at("2026-11-20T09:00Z").read(FRIDAY, problems)).isNull();
    assertProblems(
        "schedule.at: '2026-11-20T09:00Z' is not a local date and time without a zone, such as"
            + " 2026-11-20T09:00, before the year 10000");
  }

  @Test
  void a_schedule_says_one_thing() {
    ScheduleDraft draft =
        new ScheduleDraft(
            "2026-11-20T09:00", "0 9 * * *", "2 weeks", List.of("FRI"), 1, "x", "y", 3);
    assertThat(draft.read(FRIDAY, problems)).isNull();
    assertThat(problems.first())
        .extracting(Problem::field)
        .containsExactly(
            "schedule.at",
            "schedule.every",
            "schedule.on",
            "schedule.dayOfMonth",
            "schedule.from",
            "schedule.until",
            "schedule.times");
  }

  @Test
  void a_schedule_that_says_nothing_is_refused() {
    assertThat(
            new ScheduleDraft(null, null, null, null, null, null, null, null)
                .read(FRIDAY, problems))
        .isNull();
    assertProblems(
        "schedule: says no time; write one of at, cron and every, or leave it out to fire by hand");
  }

  @Test
  void a_time_zone_that_is_misspelt_is_answered_with_the_nearest() {
    assertThat(Zones.read("timezone", "Asia/Kuala_Lumpur", problems)).isEqualTo(KUALA_LUMPUR);
    assertThat(Zones.read("timezone", "Asia/Kuala_Lumpor", problems)).isNull();
    assertThat(Zones.read("timezone", "Mars/Olympus_Mons", problems)).isNull();
    assertThat(Zones.read("timezone", null, problems)).isNull();
    assertProblems(
        "timezone: 'Asia/Kuala_Lumpor' is not a time zone; did you mean 'Asia/Kuala_Lumpur'?",
        "timezone: 'Mars/Olympus_Mons' is not a time zone; name one such as Asia/Kuala_Lumpur",
        "timezone: is missing; name a time zone such as Asia/Kuala_Lumpur");
  }
}
