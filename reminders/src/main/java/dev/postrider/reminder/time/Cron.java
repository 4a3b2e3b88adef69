package dev.postrider.reminder.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Firings by a cron expression of five fields: minute, hour, day of the month, month, weekday.
 *
 * <p>As in cron, if both the day of the month and the weekday are restricted, a day need match only
 * one of them. {@code @hourly}, {@code @daily}, {@code @weekly}, {@code @monthly} and {@code
 * @yearly} are understood too.
 *
 * <p>The expression is worked out on a clock that never jumps, and what comes out is looked up on
 * the clock of the zone.
 */
public record Cron(String expression) implements Schedule {

  /**
   * Checks the expression.
   *
   * @throws dev.postrider.problem.InvalidInput naming what cannot be read, or that it never comes
   *     round
   */
  public Cron {
    expression = expression.strip();
    CronFields.parse(expression);
  }

  @Override
  public Optional<Instant> next(Instant after, ZoneId zone) {
    WallClock clock = new WallClock(zone);
    CronFields fields = CronFields.parse(expression);
    return Stream.iterate(fields.next(clock.shows(after)), local -> local.flatMap(fields::next))
        .takeWhile(Optional::isPresent)
        .map(local -> clock.reaches(local.orElseThrow()))
        .filter(firing -> firing.isAfter(after))
        .findFirst();
  }

  @Override
  public String describe(ZoneId zone) {
    return CronWords.of(CronFields.parse(expression)) + TimeWords.in(zone);
  }
}
