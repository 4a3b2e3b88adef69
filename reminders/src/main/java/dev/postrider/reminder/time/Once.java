package dev.postrider.reminder.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** One firing, at a local date and time. */
public record Once(LocalDateTime at) implements Schedule {
  @Override
  public Optional<Instant> next(Instant after, ZoneId zone) {
    return Optional.of(new WallClock(zone).reaches(at)).filter(firing -> firing.isAfter(after));
  }

  @Override
  public String describe(ZoneId zone) {
    String day = TimeWords.day(at.getDayOfWeek()) + " " + TimeWords.date(at.toLocalDate());
    return "once, on " + day + " at " + at.toLocalTime() + TimeWords.in(zone);
  }
}
