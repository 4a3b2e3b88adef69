package dev.postrider.reminder.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.Pace;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.WallClock;
import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowOpening;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final DailyLimit NO_LIMIT = DailyLimit.none(KUALA_LUMPUR);
  private static final Window DAYTIME = Window.in(KUALA_LUMPUR);
  private static final Rate FORTY = new Rate(40, 1);
  private static final long SEED = 20_261_120;

  /** Friday 09:00. */
  private static final Instant NOW = Instant.parse("2026-11-20T01:00:00Z");

  private static Instant friday(String time) {
    return Instant.parse("2026-11-20T00:00:00Z")
        .minus(Duration.ofHours(8))
        .plus(Duration.ofMinutes(TimeOfDay.parse(time).minute()));
  }

  @Test
  void a_thousand_groups_at_forty_a_minute_take_twenty_five_minutes_and_fit_the_day() {
    Estimate estimate = Estimate.of(1000, FORTY, NO_LIMIT, DAYTIME, NOW);
    assertThat(estimate.fits()).isTrue();
    assertThat(estimate.inOpening()).isEqualTo(1000);
    assertThat(estimate.openings()).isEqualTo(1);
    assertThat(estimate.opening()).isEqualTo(new WindowOpening(friday("06:00"), friday("18:00")));
    assertThat(estimate.doneAt()).isEqualTo(friday("09:25").minusMillis(1500));
  }

  @Test
  void a_burst_goes_out_at_once() {
    assertThat(Estimate.of(5, new Rate(40, 5), NO_LIMIT, DAYTIME, NOW).doneAt()).isEqualTo(NOW);
    assertThat(Estimate.of(6, new Rate(40, 5), NO_LIMIT, DAYTIME, NOW).doneAt())
        .isEqualTo(NOW.plusMillis(1500));
  }

  @Test
  void what_does_not_fit_goes_on_in_the_next_opening() {
    Estimate estimate = Estimate.of(100, FORTY, NO_LIMIT, DAYTIME, friday("17:59"));
    assertThat(estimate.fits()).isFalse();
    assertThat(estimate.inOpening()).isEqualTo(40);
    assertThat(estimate.openings()).isEqualTo(2);
    assertThat(estimate.doneAt())
        .isEqualTo(friday("06:00").plus(Duration.ofDays(1)).plusMillis(59 * 1500));
  }

  @Test
  void nothing_goes_out_at_the_moment_of_closing() {
    Estimate estimate = Estimate.of(41, FORTY, NO_LIMIT, DAYTIME, friday("17:59"));
    assertThat(estimate.inOpening()).isEqualTo(40); // the 41st would go at 18:00
  }

  @Test
  void a_closed_window_is_waited_for() {
    Estimate estimate = Estimate.of(1, FORTY, NO_LIMIT, DAYTIME, friday("03:00"));
    assertThat(estimate.fits()).isTrue();
    assertThat(estimate.doneAt()).isEqualTo(friday("06:00"));
  }

  @Test
  void without_a_window_there_is_one_opening_without_end() {
    Estimate estimate = Estimate.of(100_000, FORTY, NO_LIMIT, null, NOW);
    assertThat(estimate.opening()).isNull();
    assertThat(estimate.fits()).isTrue();
    assertThat(estimate.openings()).isEqualTo(1);
    assertThat(estimate.doneAt()).isEqualTo(NOW.plusMillis(99_999 * 1500L));
  }

  @Test
  void a_daily_ceiling_stretches_it_over_days() {
    DailyLimit limit = new DailyLimit(_ -> OptionalInt.of(300), KUALA_LUMPUR, 100);
    Estimate estimate = Estimate.of(1000, new Rate(40, 1), limit, DAYTIME, NOW);
    assertThat(estimate.inOpening()).isEqualTo(200);
    assertThat(estimate.openings()).isEqualTo(4); // 200, 300, 300, 200
    assertThat(estimate.doneAt())
        .isEqualTo(friday("06:00").plus(Duration.ofDays(3)).plusMillis(199 * 1500));
  }

  @Test
  void what_would_take_years_has_no_end() {
    DailyLimit never = new DailyLimit(_ -> OptionalInt.of(0), KUALA_LUMPUR, 0);
    assertThat(Estimate.of(1, FORTY, never, DAYTIME, NOW).doneAt()).isNull();
    assertThat(Estimate.of(1, FORTY, never, null, NOW))
        .isEqualTo(new Estimate(null, 0, false, 1, null));
    Rate slow = new Rate(1 / 1440.0, Integer.MAX_VALUE);
    assertThat(Estimate.of(Long.MAX_VALUE, slow, NO_LIMIT, DAYTIME, NOW).doneAt()).isNull();
  }

  @Test
  void nothing_to_send_is_done_at_once() {
    assertThat(Estimate.of(0, FORTY, NO_LIMIT, null, NOW))
        .isEqualTo(new Estimate(null, 0, true, 0, NOW));
  }

  @Test
  void the_rate_of_a_pace_is_its_tightest_limit() {
    assertThat(Rate.of(Pace.perSecond(1).and(Duration.ofMinutes(1), 20).burst(5)))
        .isEqualTo(new Rate(20, 5));
    assertThat(Rate.of(Pace.UNLIMITED).perMinute()).isInfinite();
    assertThat(Estimate.of(100_000, Rate.of(Pace.UNLIMITED), NO_LIMIT, null, NOW).doneAt())
        .isEqualTo(NOW);
  }

  /** Sends one after the other from a jar of credit, and looks at the clock before each. */
  private static Estimate oneByOne(
      int sends, Rate rate, DailyLimit limit, @Nullable Window window, Instant now) {
    long interval = rate.interval();
    long credit = rate.burst() * interval;
    Instant at = now;
    Instant last = now;
    LocalDate day = new WallClock(limit.zone()).day(now);
    int spent = limit.spentToday();
    WindowOpening first = window == null ? null : window.next(now);
    long inFirst = 0;
    for (int i = 0; i < sends; i++) {
      Instant next = at.plusNanos(Math.max(0, interval - credit));
      for (Instant allowed = null; !next.equals(allowed); ) {
        allowed = next;
        LocalDate today = new WallClock(limit.zone()).day(next);
        spent = today.equals(day) ? spent : 0;
        day = today;
        if (spent >= limit.ceiling().apply(day).orElse(Integer.MAX_VALUE)) {
          next = new WallClock(limit.zone()).reaches(day.plusDays(1));
        } else if (window != null && window.at(next).isEmpty()) {
          next = window.nextOpening(next);
        }
      }
      credit = Math.min(rate.burst() * interval, credit + Duration.between(at, next).toNanos());
      credit -= interval;
      at = next;
      last = next;
      spent++;
      inFirst += first == null || next.isBefore(first.closes()) ? 1 : 0;
    }
    Instant end = last;
    int openings =
        window == null
            ? 1
            : (int) window.openings(now).takeWhile(span -> !span.opens().isAfter(end)).count();
    return new Estimate(first, inFirst, inFirst == sends, openings, last);
  }

  @Test
  void whole_stretches_come_to_the_same_as_sends_one_by_one() {
    Random random = new Random(SEED);
    List<String> zones =
        List.of("Asia/Kuala_Lumpur", "America/New_York", "America/St_Johns", "Pacific/Apia");
    for (int i = 0; i < 3000; i++) {
      ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
      Rate rate =
          new Rate(
              List.of(0.05, 0.7, 7.0, 40.0, 600.0, Double.POSITIVE_INFINITY).get(random.nextInt(6)),
              random.nextInt(1, 12));
      int[] ceilings = random.ints(7, 1, 60).toArray();
      boolean limited = random.nextBoolean();
      DailyLimit limit =
          new DailyLimit(
              day ->
                  limited
                      ? OptionalInt.of(ceilings[day.getDayOfWeek().ordinal()])
                      : OptionalInt.empty(),
              ZoneId.of(zones.get(random.nextInt(zones.size()))),
              random.nextInt(30));
      Window window = random.nextInt(4) == 0 ? null : window(random, zone);
      Instant now =
          Instant.parse(random.nextBoolean() ? "2010-10-25T00:00:00Z" : "2011-12-20T00:00:00Z")
              .plusSeconds(random.nextInt(30 * 86_400));
      int sends = random.nextInt(1, 150);
      assertThat(Estimate.of(sends, rate, limit, window, now))
          .as("seed %d: %d at %s in %s, limit %s, from %s", SEED, sends, rate, window, limit, now)
          .isEqualTo(oneByOne(sends, rate, limit, window, now));
    }
  }

  private static Window window(Random random, ZoneId zone) {
    int start = random.nextInt(1440);
    int end = (start + random.nextInt(1, 1440)) % 1440;
    EnumSet<DayOfWeek> days = EnumSet.of(DayOfWeek.of(random.nextInt(1, 8)));
    random.ints(4, 1, 8).forEach(day -> days.add(DayOfWeek.of(day)));
    return Window.in(zone).between(new TimeOfDay(start), new TimeOfDay(end)).on(days);
  }

  @Test
  void a_new_account_sends_more_from_day_to_day_until_it_is_warm() {
    LocalDate first = LocalDate.of(2026, 11, 20);
    Warmup warmup = new Warmup(first, List.of(20, 50, 100));
    assertThat(warmup.ceiling(first.minusDays(1))).hasValue(20);
    assertThat(warmup.ceiling(first)).hasValue(20);
    assertThat(warmup.ceiling(first.plusDays(2))).hasValue(100);
    assertThat(warmup.ceiling(first.plusDays(3))).isEmpty();
    assertThat(warmup.ceiling(first.plusDays(2), 80)).hasValue(80);
    assertThat(warmup.ceiling(first, 80)).hasValue(20);
    assertThat(warmup.ceiling(first.plusDays(3), 80)).hasValue(80);
    assertThat(warmup.ceiling(first.plusDays(3), null)).isEmpty();
  }

  @Test
  void a_warm_up_stretches_an_estimate() {
    Warmup warmup = new Warmup(LocalDate.of(2026, 11, 20), List.of(20, 50, 100));
    Estimate estimate =
        Estimate.of(1000, FORTY, new DailyLimit(warmup::ceiling, KUALA_LUMPUR, 0), DAYTIME, NOW);
    assertThat(estimate.inOpening()).isEqualTo(20);
    assertThat(estimate.openings()).isEqualTo(4);
  }

  @Test
  void figures_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> new Rate(0, 1)).hasMessage("a rate is above zero");
    assertThatThrownBy(() -> new Rate(Double.NaN, 1)).hasMessage("a rate is above zero");
    assertThatThrownBy(() -> new Rate(1, 0)).hasMessage("burst must be at least 1");
    assertThatThrownBy(() -> new Warmup(LocalDate.EPOCH, List.of())).hasMessageContaining("first");
    assertThatThrownBy(() -> new Warmup(LocalDate.EPOCH, List.of(1, 0)))
        .hasMessageContaining("at least 1");
  }
}
