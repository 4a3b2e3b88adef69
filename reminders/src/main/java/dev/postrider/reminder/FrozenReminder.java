package dev.postrider.reminder;

import dev.postrider.message.Priority;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.reminder.time.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reminder without its targets: what a run needs to know, and what is frozen when it fires. Its
 * fields are as in {@link Reminder}.
 */
public record FrozenReminder(
    String name,
    List<String> accounts,
    ZoneId zone,
    @Nullable Schedule schedule,
    @Nullable Window window,
    List<Content> messages,
    @Nullable Duration expiresIn,
    Priority priority,
    boolean enabled) {
  public FrozenReminder {
    accounts = List.copyOf(accounts);
    messages = List.copyOf(messages);
  }

  public static FrozenReminder of(Reminder reminder) {
    return new FrozenReminder(
        reminder.name(),
        reminder.accounts(),
        reminder.zone(),
        reminder.schedule(),
        reminder.window(),
        reminder.messages(),
        reminder.expiresIn(),
        reminder.priority(),
        reminder.enabled());
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
        .messages(messages)
        .expiresIn(expiresIn)
        .priority(priority)
        .enabled(enabled);
  }
}
