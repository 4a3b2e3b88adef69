package dev.postrider.reminder.time;

import dev.postrider.problem.Problems;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Hours of a target's own. What they leave open is as its reminder says.
 *
 * @param zone whose local time they are in; null for the reminder's
 * @param window null for the reminder's, in this zone
 * @param anyHour whether there is no window at all
 */
public record OwnHours(@Nullable ZoneId zone, @Nullable WindowDraft window, boolean anyHour) {

  /**
   * Checks the window.
   *
   * @throws dev.postrider.problem.InvalidInput naming every field that is wrong
   */
  public OwnHours {
    Problems problems = new Problems();
    if (window != null) {
      window.read(ZoneOffset.UTC, problems);
    }
    problems.refuse();
  }

  /** Null if nothing is said. */
  public static @Nullable OwnHours of(
      @Nullable ZoneId zone, @Nullable WindowDraft window, boolean anyHour) {
    return zone == null && window == null && !anyHour ? null : new OwnHours(zone, window, anyHour);
  }

  /**
   * The window that this comes to; null for any hour.
   *
   * @param usual the reminder's window; null for any hour
   */
  public @Nullable Window beside(@Nullable Window usual, ZoneId usualZone) {
    ZoneId own = zone == null ? usualZone : zone;
    if (anyHour) {
      return null;
    }
    if (window == null) {
      return usual == null ? null : usual.at(own);
    }
    Window read = window.read(own, new Problems());
    return read == null || window.onClose() != null || usual == null
        ? read
        : read.closing(usual.onClose());
  }
}
