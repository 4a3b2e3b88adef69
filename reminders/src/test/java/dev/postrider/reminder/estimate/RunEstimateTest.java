package dev.postrider.reminder.estimate;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.reminder.time.OnClose;
import dev.postrider.reminder.time.TimeOfDay;
import dev.postrider.reminder.time.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunEstimateTest {
  private static final long SEED = 20_261_118;
  private static final DailyLimit NO_LIMIT = DailyLimit.none(UTC);
  private static final Rate ONE_A_MINUTE = new Rate(1, 1);
  private static final int MINUTES = 16 * 24 * 60;
  private static final int BEFORE = 2 * 24 * 60;

  private static RunEstimate estimate(List<Share> shares, Instant from, @Nullable Instant expires) {
    long targets = shares.stream().mapToLong(Share::sends).sum();
    RunEstimate.Part part = new RunEstimate.Part(targets, shares, ONE_A_MINUTE, NO_LIMIT);
    return RunEstimate.of(List.of(part), 1, from, expires);
  }

  @Test
  void a_run_that_begins_shortly_before_its_window_closes_does_not_fit() {
    Instant from = Instant.parse("2026-11-20T17:50:00Z");
    RunEstimate estimate = estimate(List.of(Share.ofRun(1000, Window.in(UTC), from)), from, null);

    assertThat(estimate.inWindow()).isTrue();
    assertThat(estimate.fits()).isFalse();
    assertThat(estimate.reached()).isEqualTo(10);
    assertThat(estimate.doneAt()).isNull();
    assertThat(estimate.endsAt()).isEqualTo("2026-11-20T18:00:00Z");
    assertThat(estimate.closesAt()).isEqualTo("2026-11-20T18:00:00Z");
  }

  @Test
  void a_run_ends_when_its_time_is_over() {
    Instant from = Instant.parse("2026-11-20T09:00:00Z");
    Instant expires = from.plus(Duration.ofMinutes(5));
    RunEstimate estimate = estimate(List.of(Share.ofRun(9, null, from)), from, expires);

    assertThat(estimate.reached()).isEqualTo(5);
    assertThat(estimate.endsAt()).isEqualTo(expires);
    assertThat(estimate.closesAt()).isEqualTo(expires);
  }

  @Test
  void what_would_take_years_has_no_end() {
    Instant from = Instant.parse("2026-11-20T09:00:00Z");
    RunEstimate estimate =
        estimate(List.of(Share.ofRun(100_000_000, Window.in(UTC).resuming(), from)), from, null);

    assertThat(estimate.endsAt()).isNull();
    assertThat(estimate.doneAt()).isNull();
  }

  // ---- against a clock that is looked at every minute

  /** A share, sent minute by minute. Knows of a window only which local times belong to it. */
  private static final class Watched {
    final @Nullable Window window;
    final @Nullable LocalDate[] open = new LocalDate[MINUTES];
    final int[] closes = new int[MINUTES];
    long left;
    long inFirst;
    final int first;
    final int last;

    Watched(Share share, Instant from) {
      window = share.window();
      left = share.sends();
      LocalDateTime highest = LocalDateTime.MIN;
      for (int i = -BEFORE; i < MINUTES; i++) {
        Instant now = from.plusSeconds(60L * i);
        if (window != null) {
          LocalDateTime shown = LocalDateTime.ofInstant(now, window.zone());
          highest = shown.isAfter(highest) ? shown : highest;
        }
        if (i >= 0) {
          open[i] = window == null ? LocalDate.EPOCH : day(window, highest);
        }
      }
      closes[MINUTES - 1] = MINUTES;
      for (int i = MINUTES - 2; i >= 0; i--) {
        boolean same = open[i] != null && open[i].equals(open[i + 1]);
        closes[i] = same ? closes[i + 1] : i + 1;
      }
      int begin = 0;
      while (begin < MINUTES - 1 && open[begin] == null) {
        begin++;
      }
      first = begin;
      last = share.only() == null ? MINUTES : closes[begin];
    }

    /** The weekday's date to whose opening a local time belongs. */
    private static @Nullable LocalDate day(Window window, LocalDateTime local) {
      boolean night = window.end().compareTo(window.start()) < 0;
      for (LocalDate day : List.of(local.toLocalDate().minusDays(1), local.toLocalDate())) {
        LocalDateTime opens = window.start().on(day);
        LocalDateTime closes = window.end().on(night ? day.plusDays(1) : day);
        boolean within = !local.isBefore(opens) && local.isBefore(closes);
        if (window.days().contains(day.getDayOfWeek()) && within) {
          return day;
        }
      }
      return null;
    }

    boolean sendsAt(int minute) {
      return left > 0 && minute < last && open[minute] != null;
    }
  }

  private static RunEstimate minuteByMinute(List<Share> shares, Instant from, int expires) {
    List<Watched> all = shares.stream().map(share -> new Watched(share, from)).toList();
    int sentAt = 0;
    for (int minute = 0; minute < expires; minute++) {
      Watched next = null;
      for (Watched one : all) {
        boolean earlier = next == null || one.closes[minute] < next.closes[minute];
        next = one.sendsAt(minute) && earlier ? one : next;
      }
      if (next != null) {
        next.left--;
        next.inFirst += minute < next.closes[next.first] ? 1 : 0;
        sentAt = minute;
      }
    }
    boolean done = all.stream().allMatch(one -> one.left == 0);
    int ends = sentAt;
    int closes = -1;
    for (int i = 0; i < all.size(); i++) {
      Watched one = all.get(i);
      boolean opened = one.first < expires;
      if (one.left > 0) {
        ends =
            Math.max(ends, one.last == MINUTES || !opened ? expires : Math.min(one.last, expires));
      }
      if (one.inFirst < shares.get(i).sends() && opened) {
        closes = Math.max(closes, Math.min(one.closes[one.first], expires));
      }
    }
    int starts = all.stream().mapToInt(one -> one.first).min().orElseThrow();
    return new RunEstimate(
        starts < expires ? from.plusSeconds(60L * starts) : null,
        starts == 0,
        all.stream().mapToLong(one -> one.inFirst).sum(),
        shares.stream().mapToLong(Share::sends).sum(),
        done ? from.plusSeconds(60L * sentAt) : null,
        from.plusSeconds(60L * (done ? sentAt : ends)),
        closes < 0 ? null : from.plusSeconds(60L * closes));
  }

  @Test
  void whole_openings_come_to_the_same_as_a_clock_that_is_looked_at_every_minute() {
    Random random = new Random(SEED);
    for (int i = 0; i < 400; i++) {
      Instant from =
          Instant.parse(
                  List.of("2026-03-24T00:00:00Z", "2026-10-20T00:00:00Z", "2011-12-25T00:00:00Z")
                      .get(random.nextInt(3)))
              .plusSeconds(60L * random.nextInt(6 * 24 * 60));
      List<Share> shares = new ArrayList<>();
      int count = random.nextInt(1, 4);
      for (int n = 0; n < count; n++) {
        Window window = random.nextInt(6) == 0 ? null : window(random);
        shares.add(Share.ofRun(random.nextInt(1, 900), window, from));
      }
      int expires = random.nextInt(1, 15 * 24 * 60);
      assertThat(estimate(shares, from, from.plusSeconds(60L * expires)))
          .as("seed %d, case %d: %s from %s, %d minutes", SEED, i, shares, from, expires)
          .isEqualTo(minuteByMinute(shares, from, expires));
    }
  }

  private static Window window(Random random) {
    List<String> zones =
        List.of(
            "Asia/Kuala_Lumpur",
            "Europe/London",
            "America/New_York",
            "Australia/Lord_Howe",
            "Pacific/Apia");
    int start = random.nextInt(1440);
    int end = (start + random.nextInt(1, 1440)) % 1440;
    EnumSet<DayOfWeek> days = EnumSet.of(DayOfWeek.of(random.nextInt(1, 8)));
    random.ints(4, 1, 8).forEach(day -> days.add(DayOfWeek.of(day)));
    return Window.in(ZoneId.of(zones.get(random.nextInt(zones.size()))))
        .between(new TimeOfDay(start), new TimeOfDay(end))
        .on(days)
        .closing(random.nextBoolean() ? OnClose.STOP : OnClose.RESUME);
  }
}
