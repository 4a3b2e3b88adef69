package dev.postrider.internal.pace;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One moment, on the stopwatch and on the clock. Meters count on the stopwatch, so that a clock
 * that is set neither opens nor closes them; what is stored or shown is converted to the clock.
 */
public record Moment(Duration elapsed, Instant clock) {

  public static Moment of(Scheduler time) {
    return new Moment(time.elapsed(), time.instant());
  }

  /** What the clock will show, or has shown, at this moment of the stopwatch. */
  public Instant onClock(Duration moment) {
    return clock.plus(moment.minus(elapsed));
  }

  /** When the clock shows this, by the stopwatch. */
  public Duration onStopwatch(Instant instant) {
    return elapsed.plus(Duration.between(clock, instant));
  }

  long micros() {
    return micros(elapsed);
  }

  static long micros(Duration moment) {
    return moment.getSeconds() * 1_000_000 + moment.getNano() / 1000;
  }

  static Duration moment(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  /** A moment in microseconds of the stopwatch, in microseconds of the clock. */
  long toClock(long micros) {
    return micros - micros() + ChronoUnit.MICROS.between(Instant.EPOCH, clock);
  }

  /** And back. */
  long fromClock(long micros) {
    return micros - ChronoUnit.MICROS.between(Instant.EPOCH, clock) + micros();
  }
}
