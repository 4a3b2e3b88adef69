package dev.postrider.reminder;

import dev.postrider.message.Priority;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.reminder.time.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reminder without its targets: what a run needs to know, and what is frozen when it fires. Its
 * fields are as in {@link Reminder}.
 *
 * @param targetSpans the hours of the targets in their order; empty if all have the reminder's
 */
public record FrozenReminder(
    String name,
    List<String> accounts,
    ZoneId zone,
    @Nullable Schedule schedule,
    @Nullable Window window,
    AfterClose afterClose,
    Overlap overlap,
    @Nullable Integer perMinute,
    List<TargetSpan> targetSpans,
    List<Content> messages,
    @Nullable Duration expiresIn,
    Priority priority,
    boolean enabled) {
  public FrozenReminder {
    accounts = List.copyOf(accounts);
    targetSpans = List.copyOf(targetSpans);
    messages = List.copyOf(messages);
  }

  /**
   * Targets that are sent to in the same hours.
   *
   * @param from the place of the first one
   * @param to the place after the last one
   * @param window null for any hour
   */
  public record Hours(int from, int to, @Nullable Window window) {}

  public static FrozenReminder of(Reminder reminder) {
    return new FrozenReminder(
        reminder.name(),
        reminder.accounts(),
        reminder.zone(),
        reminder.schedule(),
        reminder.window(),
        reminder.afterClose(),
        reminder.overlap(),
        reminder.perMinute(),
        TargetSpan.of(reminder.targets()),
        reminder.messages(),
        reminder.expiresIn(),
        reminder.priority(),
        reminder.enabled());
  }

  /** In which hours which targets are sent to, in their order. */
  public List<Hours> hours() {
    if (targetSpans.isEmpty()) {
      return List.of(new Hours(0, Integer.MAX_VALUE, window));
    }
    List<Hours> all = new ArrayList<>(targetSpans.size());
    int from = 0;
    for (TargetSpan span : targetSpans) {
      OwnHours own = span.hours();
      Window hours = own == null ? window : own.beside(window, zone);
      all.add(new Hours(from, from + span.count(), hours));
      from += span.count();
    }
    return all;
  }

  /** The hours of the target at a place, if it has its own. */
  public @Nullable OwnHours ownHours(int place) {
    int before = 0;
    for (TargetSpan span : targetSpans) {
      before += span.count();
      if (place < before) {
        return span.hours();
      }
    }
    return null;
  }

  /** Whether all targets get the very same. */
  public boolean saysTheSameToAll() {
    return messages.stream()
        .flatMap(message -> message.needs().values().stream())
        .allMatch(Set::isEmpty);
  }

  /** A builder of a reminder that says the same, to which targets can be added. */
  public Reminder.Builder toReminder() {
    return Reminder.named(name)
        .accounts(accounts)
        .zone(zone)
        .schedule(schedule)
        .window(window)
        .afterClose(afterClose)
        .overlap(overlap)
        .perMinute(perMinute)
        .messages(messages)
        .expiresIn(expiresIn)
        .priority(priority)
        .enabled(enabled);
  }
}
