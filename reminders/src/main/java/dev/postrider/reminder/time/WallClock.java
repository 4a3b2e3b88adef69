package dev.postrider.reminder.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * The clock on the wall in a time zone: what it shows, and when it gets to a local time.
 *
 * <p>Clocks jump. A local time may be left out (spring forward, or a whole day at the date line),
 * or shown twice (fall back). Everything in this room follows one rule: a local time <em>comes</em>
 * at the first moment at which the clock shows it <em>or a later one</em>. So a time that is left
 * out comes at the jump, and a time that is shown twice comes the first time only. By this rule a
 * later local time never comes earlier, which is why windows cannot overlap and schedules cannot
 * run backwards.
 */
public record WallClock(ZoneId zone) {

  /** The moment at which a local time comes. */
  public Instant reaches(LocalDateTime local) {
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition jump = rules.getTransition(local);
    if (jump == null) {
      return local.toInstant(rules.getOffset(local));
    }
    return jump.isGap() ? jump.getInstant() : local.toInstant(jump.getOffsetBefore());
  }

  /** The moment at which a day begins. */
  public Instant reaches(LocalDate day) {
    return reaches(day.atStartOfDay());
  }

  /** The latest day that has begun. It stays, even if the clock goes back behind midnight. */
  public LocalDate day(Instant instant) {
    LocalDate day = shows(instant).toLocalDate();
    while (!reaches(day.plusDays(1)).isAfter(instant)) {
      day = day.plusDays(1);
    }
    return day;
  }

  /** What the clock shows. */
  public LocalDateTime shows(Instant instant) {
    return LocalDateTime.ofInstant(instant, zone);
  }
}
