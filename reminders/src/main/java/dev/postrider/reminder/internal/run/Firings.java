package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.Ids;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.Overlap;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.Restored;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.time.Scheduler;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires reminders when their time has come, once for each instant: the store has room for one run
 * of a reminder and an instant, whoever fires it. An instant that was missed is made up for within
 * the grace; otherwise a run says that it was missed. What may have fired before the store came
 * back from a backup does not fire again.
 */
public final class Firings {
  private static final Logger log = LoggerFactory.getLogger(Firings.class);
  private static final int BATCH = 100;
  private static final int MOST_MISSED = 10_000;

  private final Postrider postrider;
  private final Scheduler time;
  private final ReminderStore store;
  private final ReminderSettings settings;
  private final Ids ids;
  private final Instant restoredAt; // nobody knows what has fired until then
  private Instant next = Instant.MIN; // belongs to the run scheduler's task

  public Firings(Postrider postrider, ReminderSettings settings, RandomGenerator random) {
    this.postrider = postrider;
    this.time = postrider.time();
    this.store = postrider.store(StoreAccess.OWN).reminders();
    this.settings = settings;
    this.ids = new Ids(time, random);
    this.restoredAt = postrider.restored().map(Restored::at).orElse(Instant.MIN);
  }

  /**
   * Fires what is due; tells whether anything was.
   *
   * @param anew whether to ask when that is: reminders may have changed
   */
  boolean fire(Set<String> accounts, boolean anew, NextWakeUp agenda) {
    boolean any = false;
    if (anew || !time.instant().isBefore(next)) {
      List<StoredReminder> due;
      do {
        due = store.due(accounts, time.instant(), BATCH);
        for (StoredReminder reminder : due) {
          any |= fire(reminder);
        }
      } while (due.size() == BATCH);
      next = time.await(store.nextFire(accounts)).orElse(Instant.MAX);
    }
    agenda.at(next);
    return any;
  }

  private boolean fire(StoredReminder reminder) {
    FrozenReminder script = ScriptJson.read(reminder.document());
    Instant now = time.instant();
    Instant instant = Objects.requireNonNull(reminder.nextFire());
    int missed = 0;
    Optional<Instant> next = next(script, instant);
    while (next.isPresent() && !next.get().isAfter(now) && missed < MOST_MISSED) {
      instant = next.get();
      next = next(script, instant);
      missed++;
    }
    boolean tooLate = instant.plus(settings.grace()).isBefore(now);
    String summary;
    if (!instant.isAfter(restoredAt)) {
      summary = unknown(instant, script.zone());
    } else if (tooLate) {
      summary = missed(instant, missed, script.zone());
    } else {
      summary = notNow(reminder, script, instant, now);
    }
    if (missed > 0) {
      log.warn("Reminder '{}' has missed {} firings before {}", reminder.name(), missed, instant);
    }
    boolean alone = summary == null && script.overlap() == Overlap.REFUSE;
    return fire(reminder, instant, next.orElse(null), true, summary, alone).isPresent();
  }

  /** Why a firing that its schedule brings comes to nothing; null if it does not. */
  private @Nullable String notNow(
      StoredReminder reminder, FrozenReminder script, Instant instant, Instant now) {
    LocalDateTime due = instant.atZone(script.zone()).toLocalDateTime();
    if (script.afterClose() == AfterClose.MISSED
        && script.hours().stream().noneMatch(hours -> isOpen(hours.window(), now))) {
      return "Missed: it was due at %s, while the delivery window was closed.".formatted(due);
    }
    Optional<StoredRun> before =
        script.overlap() == Overlap.ALLOW ? Optional.empty() : store.going(reminder.id());
    return before
        .map(run -> "Skipped: it was due at %s, and run %s had not ended.".formatted(due, run.id()))
        .orElse(null);
  }

  private static boolean isOpen(@Nullable Window window, Instant now) {
    return window == null || window.at(now).isPresent();
  }

  private static Optional<Instant> next(FrozenReminder script, Instant after) {
    Schedule schedule = script.schedule();
    return schedule == null ? Optional.empty() : schedule.next(after, script.zone());
  }

  private static String missed(Instant instant, int before, ZoneId zone) {
    String more = before == 0 ? "" : " (and %d firings before it)".formatted(before);
    return "Missed: it was due at %s%s, and nobody was there to fire it."
        .formatted(instant.atZone(zone).toLocalDateTime(), more);
  }

  private static String unknown(Instant instant, ZoneId zone) {
    return ("Not fired: it was due at %s, before the store came back from a backup, and may"
            + " have fired then. Fire it by hand if it has not.")
        .formatted(instant.atZone(zone).toLocalDateTime());
  }

  /**
   * Fires a reminder now, by hand. Never for a whole second: those belong to schedules, and a
   * reminder has one run for an instant.
   */
  public Optional<StoredRun> fireNow(StoredReminder reminder) {
    Instant now = time.instant();
    Instant own = now.getNano() == 0 ? now.plus(1, ChronoUnit.MICROS) : now;
    boolean alone = ScriptJson.read(reminder.document()).overlap() == Overlap.REFUSE;
    return fire(reminder, own, null, false, null, alone);
  }

  private Optional<StoredRun> fire(
      StoredReminder reminder,
      Instant instant,
      @Nullable Instant next,
      boolean scheduled,
      @Nullable String missed,
      boolean alone) {
    Instant now = time.instant();
    Optional<StoredRun> run =
        time.await(
            store.fire(
                new ReminderStore.Firing(
                    ids.next(), reminder, instant, next, scheduled, missed, alone, now)));
    run.ifPresent(
        fired ->
            postrider
                .events()
                .publish(
                    new Event.ReminderFired(
                        now,
                        reminder.account(),
                        reminder.id(),
                        fired.id(),
                        reminder.name(),
                        fired.total())));
    return run;
  }
}
