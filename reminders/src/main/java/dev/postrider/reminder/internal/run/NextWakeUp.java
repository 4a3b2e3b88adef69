package dev.postrider.reminder.internal.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The next moment at which there is something to do. Not thread-safe. */
final class NextWakeUp {
  private Instant next;

  NextWakeUp(Instant latest) {
    this.next = latest;
  }

  /** There is something to do then; null if nobody knows when. */
  void at(@Nullable Instant when) {
    if (when != null && when.isBefore(next)) {
      next = when;
    }
  }

  Instant next() {
    return next;
  }
}
