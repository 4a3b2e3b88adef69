package dev.postrider.reminder.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The next moment at which there is something to do. Not thread-safe. */
final class Agenda {
  private Instant next;

  Agenda(Instant latest) {
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
