package dev.postrider.reminder.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * When a reminder fires, in the local time of its zone. A reminder without one is fired by hand.
 *
 * <p>Where clocks jump, a firing comes when {@link WallClock} says so: one whose local time is left
 * out comes at the jump, and several of them come as one; one whose local time is shown twice comes
 * the first time only. A schedule that fires every few minutes is therefore silent while the clock
 * shows an hour again.
 */
public sealed interface Schedule permits Once, Cron, Every {

  /** The first firing after an instant, if there is one left. */
  Optional<Instant> next(Instant after, ZoneId zone);

  /** In words, such as {@code once, on Friday 20 November 2026 at 09:00, Asia/Kuala_Lumpur}. */
  String describe(ZoneId zone);
}
