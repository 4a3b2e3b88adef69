package dev.postrider.reminder.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class WallClockTest {

  @ParameterizedTest
  @FieldSource("dev.postrider.reminder.time.Tide#OF_THE_WORLD")
  void every_local_minute_of_a_year_comes_when_the_clock_first_shows_it_or_a_later_one(Tide tide) {
    WallClock clock = new WallClock(tide.zone);
    for (int minute = 1; minute < tide.minutes(); minute++) {
      Instant now = tide.instant(minute);
      tide.reachedAt(minute).forEach(local -> assertThat(clock.reaches(local)).isEqualTo(now));
    }
  }

  @Test
  void around_every_jump_of_every_zone_a_later_local_time_never_comes_earlier() {
    for (String id : ZoneId.getAvailableZoneIds()) {
      WallClock clock = new WallClock(ZoneId.of(id));
      Instant end = Instant.parse("2040-01-01T00:00:00Z");
      ZoneOffsetTransition jump = next(clock, Instant.parse("1970-01-01T00:00:00Z"));
      for (;
          jump != null && jump.getInstant().isBefore(end);
          jump = next(clock, jump.getInstant())) {
        LocalDateTime local = jump.getDateTimeBefore().minusHours(26);
        Instant before = Instant.MIN;
        for (int minutes = 0; minutes < 52 * 60; minutes += 10) {
          Instant comes = clock.reaches(local.plusMinutes(minutes));
          assertThat(comes).as(id + " " + jump).isAfterOrEqualTo(before);
          before = comes;
        }
      }
    }
  }

  private static ZoneOffsetTransition next(WallClock clock, Instant after) {
    return clock.zone().getRules().nextTransition(after);
  }

  @Test
  void a_local_time_that_is_left_out_comes_at_the_jump() {
    WallClock newYork = new WallClock(ZoneId.of("America/New_York"));
    Instant jump = Instant.parse("2026-03-08T07:00:00Z");
    assertThat(newYork.reaches(LocalDateTime.parse("2026-03-08T02:00"))).isEqualTo(jump);
    assertThat(newYork.reaches(LocalDateTime.parse("2026-03-08T02:30"))).isEqualTo(jump);
    assertThat(newYork.reaches(LocalDateTime.parse("2026-03-08T03:00"))).isEqualTo(jump);
    assertThat(newYork.reaches(LocalDateTime.parse("2026-03-08T03:01")))
        .isEqualTo(jump.plusSeconds(60));
  }

  @Test
  void a_local_time_that_is_shown_twice_comes_the_first_time() {
    WallClock newYork = new WallClock(ZoneId.of("America/New_York"));
    assertThat(newYork.reaches(LocalDateTime.parse("2026-11-01T01:30")))
        .isEqualTo("2026-11-01T05:30:00Z");
    assertThat(newYork.reaches(LocalDateTime.parse("2026-11-01T02:00")))
        .isEqualTo("2026-11-01T07:00:00Z");
  }

  @Test
  void a_day_that_is_left_out_comes_when_the_next_one_begins() {
    WallClock apia = new WallClock(ZoneId.of("Pacific/Apia"));
    assertThat(apia.reaches(LocalDateTime.parse("2011-12-30T12:00")))
        .isEqualTo(apia.reaches(LocalDateTime.parse("2011-12-31T00:00")))
        .isEqualTo("2011-12-30T10:00:00Z");
  }
}
