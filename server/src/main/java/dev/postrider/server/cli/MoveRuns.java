package dev.postrider.server.cli;

import dev.postrider.store.Transfer;
import dev.postrider.store.Transfer.Reminder;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The part of {@link Move} that is about reminders, their runs, and what these have sent. */
final class MoveRuns {
  private static final int BATCH = 1_000;
  private static final int SMALL_BATCH = 10; // of what may have a hundred thousand targets each

  private final Transfer source;
  private final Transfer target;
  private final ReminderStore to;

  MoveRuns(Move.Side from, Move.Side to) {
    this.source = from.everything();
    this.target = to.everything();
    this.to = to.store().reminders();
  }

  void copy() {
    copyReminders();
    copyRuns();
    target.addDays(source.days());
  }

  /** The ids of reminders and runs that are missing in the target, or differ, or their targets. */
  List<String> compare() {
    List<String> wrong = new ArrayList<>();
    compareReminders(wrong);
    compareRuns(wrong);
    return wrong;
  }

  boolean sameDays() {
    return target.days().containsAll(source.days());
  }

  // ---- reminders

  private void copyReminders() {
    List<Reminder> batch = source.reminders(null, SMALL_BATCH);
    while (!batch.isEmpty()) {
      batch.forEach(target::addReminder);
      batch = source.reminders(batch.getLast().reminder().id(), SMALL_BATCH);
    }
  }

  private void compareReminders(List<String> wrong) {
    List<Reminder> batch = source.reminders(null, SMALL_BATCH);
    while (!batch.isEmpty()) {
      for (Reminder one : batch) {
        StoredReminder reminder = one.reminder();
        if (!to.reminder(reminder.id()).equals(Optional.of(reminder)) || !sameTargets(one)) {
          wrong.add(reminder.id().toString());
        }
      }
      batch = source.reminders(batch.getLast().reminder().id(), SMALL_BATCH);
    }
  }

  private boolean sameTargets(Reminder one) {
    List<ReminderTarget> here = one.targets();
    return here.equals(to.targets(one.reminder().id(), 0, here.size() + 1));
  }

  // ---- runs

  private void copyRuns() {
    List<StoredRun> batch = source.runs(null, BATCH);
    while (!batch.isEmpty()) {
      for (StoredRun run : batch) {
        target.addRun(run);
        copyTargets(run);
      }
      batch = source.runs(batch.getLast().id(), BATCH);
    }
  }

  private void copyTargets(StoredRun run) {
    List<RunTarget> batch = source.runTargets(run.id(), 0, BATCH);
    while (!batch.isEmpty()) {
      target.addRunTargets(batch);
      batch = source.runTargets(run.id(), batch.getLast().n() + 1, BATCH);
    }
  }

  private void compareRuns(List<String> wrong) {
    List<StoredRun> batch = source.runs(null, BATCH);
    while (!batch.isEmpty()) {
      for (StoredRun run : batch) {
        if (!to.run(run.id()).equals(Optional.of(run)) || !sameTargets(run)) {
          wrong.add(run.id().toString());
        }
      }
      batch = source.runs(batch.getLast().id(), BATCH);
    }
  }

  private boolean sameTargets(StoredRun run) {
    int from = 0;
    List<RunTarget> batch = source.runTargets(run.id(), from, BATCH);
    while (!batch.isEmpty()) {
      if (!batch.equals(target.runTargets(run.id(), from, BATCH))) {
        return false;
      }
      from = batch.getLast().n() + 1;
      batch = source.runTargets(run.id(), from, BATCH);
    }
    return true;
  }
}
