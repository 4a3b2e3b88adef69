package dev.postrider.reminder.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.problem.InvalidInput;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class CronTest {
  private static final ZoneId KUALA_LUMPUR = ZoneId.of("Asia/Kuala_Lumpur");
  private static final long SEED = 20_261_120;

  private static final List<String> CHOSEN =
      List.of(
          "0 9 * * 5",
          "*/15 * * * *",
          "30 2 * * *",
          "0 0 * * *",
          "59 23 * * *",
          "30 1 * * 0",
          "0 12 30 12 *",
          "15,45 1-3 * * *",
          "0 9 1 * 1",
          "* 2 8 3 *");

  /** A cron expression as its values, put together with its text. */
  private record Sample(String text, List<BitSet> values, boolean byDay, boolean byWeekday) {
    boolean matches(LocalDateTime time) {
      boolean day = values.get(2).get(time.getDayOfMonth());
      boolean weekday = values.get(4).get(time.getDayOfWeek().getValue() % 7);
      return values.get(0).get(time.getMinute())
          && values.get(1).get(time.getHour())
          && values.get(3).get(time.getMonthValue())
          && (byDay && byWeekday ? day || weekday : day && weekday);
    }

    boolean matchesAny(List<LocalDateTime> times) {
      for (LocalDateTime time : times) {
        if (matches(time)) {
          return true;
        }
      }
      return false;
    }
  }

  private static final int[][] RANGES = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};

  private static Sample sample(String text) {
    String[] fields = text.split(" ");
    List<BitSet> values = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      BitSet allowed = new BitSet();
      for (String part : fields[i].split(",")) {
        String[] step = part.split("/");
        String[] ends = step[0].equals("*") ? new String[0] : step[0].split("-");
        int from = ends.length == 0 ? RANGES[i][0] : Integer.parseInt(ends[0]);
        int to = ends.length == 0 ? RANGES[i][1] : Integer.parseInt(ends[ends.length - 1]);
        for (int v = from; v <= to; v += step.length == 1 ? 1 : Integer.parseInt(step[1])) {
          allowed.set(i == 4 ? v % 7 : v);
        }
      }
      values.add(allowed);
    }
    return new Sample(text, values, !fields[2].equals("*"), !fields[4].equals("*"));
  }

  private static String randomField(Random random, int lowest, int highest) {
    int from = random.nextInt(lowest, highest);
    int to = random.nextInt(from + 1, highest + 1);
    return switch (random.nextInt(7)) {
      case 0 -> String.valueOf(from);
      case 1 -> from + "-" + to;
      case 2 -> "*/" + random.nextInt(2, highest);
      case 3 -> from + "-" + to + "/" + random.nextInt(1, 5);
      case 4 -> from + "," + to + "," + random.nextInt(lowest, highest + 1);
      default -> "*";
    };
  }

  private static Stream<Sample> samples(Random random) {
    Stream<String> drawn =
        Stream.generate(
            () ->
                Stream.of(RANGES)
                    .map(range -> randomField(random, range[0], range[1]))
                    .reduce((a, b) -> a + " " + b)
                    .orElseThrow());
    return Stream.concat(CHOSEN.stream(), drawn.limit(30)).map(CronTest::sample);
  }

  /** When each of them fires, as somebody would find who watches the clock for a year. */
  private static Map<Sample, List<Instant>> firingsByTheClock(Tide tide, List<Sample> samples) {
    Map<Sample, List<Instant>> firings = new IdentityHashMap<>();
    samples.forEach(sample -> firings.put(sample, new ArrayList<>()));
    for (int minute = 1; minute < tide.minutes(); minute++) {
      List<LocalDateTime> reached = tide.reachedAt(minute).toList();
      Instant now = tide.instant(minute);
      for (Sample sample : samples) {
        if (sample.matchesAny(reached)) {
          firings.get(sample).add(now);
        }
      }
    }
    return firings;
  }

  @ParameterizedTest
  @FieldSource("dev.postrider.reminder.time.Tide#OF_THE_WORLD")
  void a_cron_fires_whenever_the_clock_on_the_wall_comes_to_one_of_its_times(Tide tide) {
    Random random = new Random(SEED);
    List<Sample> samples = samples(random).toList();
    Map<Sample, List<Instant>> byTheClock = firingsByTheClock(tide, samples);
    samples.forEach(
        sample -> {
          List<Instant> firings = byTheClock.get(sample);
          for (int i = 0; i < 8; i++) {
            assertFirings(
                tide, sample, firings, tide.start.plusSeconds(random.nextInt(31_536_000)));
          }
          jumps(tide).forEach(jump -> assertFirings(tide, sample, firings, jump));
        });
  }

  /** Moments around each jump of the year. */
  private static Stream<Instant> jumps(Tide tide) {
    return Stream.iterate(
            tide.zone.getRules().nextTransition(tide.start),
            jump -> jump != null && jump.getInstant().isBefore(tide.end),
            jump -> tide.zone.getRules().nextTransition(jump.getInstant()))
        .flatMap(
            jump ->
                Stream.of(-3700, -1800, -1, 0, 1, 1800, 3599, 3600, 5400)
                    .map(seconds -> jump.getInstant().plusSeconds(seconds)));
  }

  private static void assertFirings(Tide tide, Sample sample, List<Instant> firings, Instant from) {
    Cron cron;
    try {
      cron = new Cron(sample.text());
    } catch (InvalidInput impossible) {
      assertThat(firings).isEmpty();
      return;
    }
    Instant after = from;
    for (int i = 0; i < 3; i++) {
      Instant now = after;
      Optional<Instant> expected = firstAfter(now, firings);
      Optional<Instant> actual = cron.next(now, tide.zone);
      String about = "seed %d: '%s' in %s after %s".formatted(SEED, sample.text(), tide, now);
      if (expected.isEmpty()) {
        assertThat(actual).as(about).hasValueSatisfying(at -> assertThat(at).isAfter(tide.end));
        return;
      }
      assertThat(actual).as(about).isEqualTo(expected);
      after = expected.get();
    }
  }

  private static Optional<Instant> firstAfter(Instant now, List<Instant> sorted) {
    int found = Collections.binarySearch(sorted, now);
    int next = found < 0 ? -found - 1 : found + 1;
    return next == sorted.size() ? Optional.empty() : Optional.of(sorted.get(next));
  }

  @Test
  void times_that_a_jump_leaves_out_fire_once_when_it_ends() {
    ZoneId newYork = ZoneId.of("America/New_York");
    Instant jump = Instant.parse("2026-03-08T07:00:00Z");
    Cron cron = new Cron("*/10 2 * * *");
    assertThat(cron.next(jump.minusSeconds(60), newYork)).contains(jump);
    assertThat(cron.next(jump, newYork)).contains(Instant.parse("2026-03-09T06:00:00Z"));
  }

  @Test
  void a_time_that_is_shown_twice_fires_the_first_time_only() {
    ZoneId newYork = ZoneId.of("America/New_York");
    Instant first = Instant.parse("2026-11-01T05:30:00Z");
    Cron cron = new Cron("30 1 * * *");
    assertThat(cron.next(first.minusNanos(1), newYork)).contains(first);
    assertThat(cron.next(first, newYork)).contains(Instant.parse("2026-11-02T06:30:00Z"));
  }

  @Test
  void the_next_firing_is_strictly_after() {
    Instant nine = Instant.parse("2026-11-20T01:00:00Z");
    Cron cron = new Cron("0 9 * * *");
    assertThat(cron.next(nine.minusNanos(1), KUALA_LUMPUR)).contains(nine);
    assertThat(cron.next(nine, KUALA_LUMPUR)).contains(nine.plus(1, ChronoUnit.DAYS));
    assertThat(cron.next(nine.plusNanos(1), KUALA_LUMPUR)).contains(nine.plus(1, ChronoUnit.DAYS));
  }

  @ParameterizedTest
  @CsvSource({
    "0 9 * * fri, 0 9 * * 5",
    "0 9 * * 7, 0 9 * * 0",
    "0 9 * * SUN-THU, 0 9 * * 0-4",
    "0 9 * * MON-SUN, 0 9 * * *",
    "0 9 * jan-mar *, 0 9 * 1-3 *",
    "'  0   9 * * *  ', 0 9 * * *",
    "*/1 */1 1 */1 */1, * * 1 * *",
    "@daily, 0 0 * * *",
    "@Weekly, 0 0 * * 0",
    "@monthly, 0 0 1 * *",
    "@yearly, 0 0 1 1 *",
    "@hourly, 0 * * * *"
  })
  void there_are_several_ways_to_write_the_same(String written, String plain) {
    Instant after = Instant.parse("2026-11-19T12:34:56Z");
    for (int i = 0; i < 10; i++) {
      Optional<Instant> next = new Cron(plain).next(after, KUALA_LUMPUR);
      assertThat(new Cron(written).next(after, KUALA_LUMPUR)).isEqualTo(next);
      after = next.orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "0 9 * *            => '0 9 * *' is not five fields; write minute hour day month weekday",
        "0 0 9 * * MON      => '0 0 9 * * MON' is not five fields; write minute hour"
            + " day month weekday",
        "``                 => is not five fields; write minute hour day month weekday",
        "60 9 * * *         => '60' is no minute; write numbers from 0 to 59",
        "0 24 * * *         => '24' is no hour; write numbers from 0 to 23",
        "0 9 32 * *         => '32' is no day; write numbers from 1 to 31",
        "0 9 * 13 *         => '13' is no month; write numbers from 1 to 12, or JAN to DEC",
        "0 9 * * FOO        => 'FOO' is no weekday; write numbers from 0 to 7",
        "0 9 * * FRI-MON    => 'FRI-MON' is no weekday; write numbers",
        "0 9 L * *          => 'L' is no day",
        "0 9 ? * MON        => '?' is no day",
        "5/15 * * * *       => '5/15' is no minute; write numbers",
        "1,5/15 * * * *     => '1,5/15' is no minute",
        "*/0 * * * *        => '*/0' is no minute",
        "10-5 * * * *       => '10-5' is no minute",
        "0 9 * * MON#1      => 'MON#1' is no weekday",
        "0|1 9 * * *        => '0|1' is no minute",
        "0 0 31 2 *         => '0 0 31 2 *' never comes round",
        "0 0 31 4,6,9,11 *  => never comes round",
        "@dayly             => '@dayly' is not known; did you mean '@daily'?",
        "@reboot            => '@reboot' is not known"
      })
  void what_cannot_be_read_is_refused_with_the_part_that_is_wrong_and_the_remedy(
      String expression, String problem) {
    assertThatThrownBy(() -> new Cron(expression))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(
                        found -> {
                          assertThat(found.field()).isEqualTo("schedule.cron");
                          assertThat(found.message()).contains(problem);
                        }));
  }

  @Test
  void the_29th_of_february_comes_every_four_years_or_eight() {
    Cron cron = new Cron("0 0 29 2 *");
    assertThat(cron.next(Instant.parse("2096-03-01T00:00:00Z"), KUALA_LUMPUR))
        .contains(Instant.parse("2104-02-28T16:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 9 * * FRI             | every Friday at 09:00",
        "0 9 * * MON-FRI         | every Monday to Friday at 09:00",
        "0 9 * * 1,3,5           | every Monday, Wednesday and Friday at 09:00",
        "0 9 * * */2             | every Tuesday, Thursday, Saturday and Sunday at 09:00",
        "0 9 * * *               | every day at 09:00",
        "@daily                  | every day at 00:00",
        "30 8,17 1 * *           | at 08:30 and 17:30, on day 1 of the month",
        "0 9 1,15 * 5            | at 09:00, on days 1 and 15 of the month and every Friday",
        "0 9 1 * 0-6             | every day at 09:00",
        "0 9 1-31 * MON          | every day at 09:00",
        "0 0 29 2 *              | at 00:00, on 29 February",
        "0 9 31 1,3 *            | at 09:00, on day 31 of the month, in January and March",
        "0 9 * 6-8 *             | at 09:00, every day, in June to August",
        "*/15 * * * *            | every 15 minutes",
        "* * * * *               | every minute",
        "*/15 9-17 * * MON-FRI   | every 15 minutes, from 09:00 to 17:59, Monday to Friday",
        "0 * * * *               | every hour",
        "5 * * * *               | every hour, at minute 5",
        "0 */2 * * *             | every 2 hours",
        "5,20 * * * *            | at minute 5 and 20 of the hour",
        "*/7 1,3,9 * * *         | at minute 0, 7, 14, 21, 28, 35, 42, 49 and 56 of the"
            + " hour, in the hours 1, 3 and 9",
        "0 8-20 * * *            | every hour, from 08:00 to 20:00",
        "5 8-20 * * *            | every hour, from 08:05 to 20:05",
        "5 1,3,5,8,9 * * *       | at minute 5 of the hour, in the hours 1, 3, 5, 8 and 9"
      })
  void a_cron_can_be_said_in_words(String expression, String words) {
    assertThat(new Cron(expression).describe(KUALA_LUMPUR))
        .isEqualTo(words + ", Asia/Kuala_Lumpur");
  }
}
