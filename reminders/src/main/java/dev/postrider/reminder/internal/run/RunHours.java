package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.time.Scheduler;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the clock says of the targets of a run. Belongs to the run scheduler's task. */
final class RunHours {
  private static final int BATCH = 1_000;

  private final Scheduler time;
  private final ReminderStore store;

  RunHours(Postrider postrider) {
    this.time = postrider.time();
    this.store = postrider.store(StoreAccess.OWN).reminders();
  }

  /**
   * What it says of those that are pending.
   *
   * @param open whether some may be sent to
   * @param hasTime whether there is time to begin with one
   * @param waits what those wait for whose turn comes first; null if none waits
   * @param over why some were skipped; null if none was
   */
  record Openings(
      boolean open, boolean hasTime, WindowState.@Nullable Wait waits, @Nullable String over) {
    static final Openings NONE = new Openings(false, false, null, null);

    private Openings and(boolean time) {
      return new Openings(true, hasTime || time, waits, over);
    }

    private Openings and(WindowState.Wait other) {
      WindowState.Wait first = waits == null || other.isBefore(waits) ? other : waits;
      return new Openings(open, hasTime, first, over);
    }

    private Openings and(String reason) {
      return new Openings(open, hasTime, waits, reason);
    }
  }

  /** Looks at its hours, one after the other; skips the targets whose time is over. */
  Openings look(ActiveRun activeRun, Set<String> worked, NextWakeUp agenda) {
    Openings openings = Openings.NONE;
    for (ActiveRun.Hours hours : activeRun.hours) {
      Instant now = time.instant();
      hours.open = false;
      switch (WindowState.of(activeRun.run, activeRun.script, hours.targets.window(), now)) {
        case WindowState.Over(String reason) -> {
          skip(activeRun, hours, reason);
          openings = openings.and(reason);
        }
        case WindowState.Wait wait -> {
          if (activeRun.hasPending(hours, worked, store::pending)) {
            agenda.at(wait.until());
            openings = openings.and(wait);
          }
        }
        case WindowState.Go go -> {
          hours.until = go.until();
          hours.open = go.hasTime(now);
          agenda.at(go.until());
          if (activeRun.hasPending(hours, worked, store::pending)) {
            openings = openings.and(hours.open);
          }
        }
      }
    }
    return openings;
  }

  private void skip(ActiveRun activeRun, ActiveRun.Hours hours, String reason) {
    hours.until = time.instant();
    if (hours.skipped) {
      return;
    }
    UUID run = activeRun.run.id();
    int from = hours.targets.from();
    int to = hours.targets.to();
    int ended;
    do {
      ended =
          time.await(
              store.endPending(run, from, to, TargetStatus.SKIPPED, reason, time.instant(), BATCH));
    } while (ended == BATCH);
    activeRun.lookAgain();
    hours.skipped = true;
  }
}
