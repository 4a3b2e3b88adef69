package dev.postrider.reminder;

import dev.postrider.message.Message;
import dev.postrider.message.Priority;
import dev.postrider.problem.InvalidInput;
import dev.postrider.reminder.time.AfterClose;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.Schedule;
import dev.postrider.reminder.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scheduled fan-out: messages to many targets, when to fire, and in which hours to send.
 * Immutable; made with {@link #named}.
 *
 * @param accounts who sends, the main one first; more than one if targets are split among them
 * @param schedule null if it is fired by hand only
 * @param window null if it may send at any hour
 * @param afterClose what becomes of a firing that its schedule brings while the window is closed
 * @param overlap whether it may fire while a run of it has not ended
 * @param perMinute messages a minute of each account; null for what is configured for all runs
 * @param expiresIn after which a run ends, done or not; null for no limit
 * @param enabled whether its schedule is followed; it can be fired by hand all the same
 */
public record Reminder(
    ReminderId id,
    String name,
    List<String> accounts,
    ZoneId zone,
    @Nullable Schedule schedule,
    @Nullable Window window,
    AfterClose afterClose,
    Overlap overlap,
    @Nullable Integer perMinute,
    List<Target> targets,
    List<Content> messages,
    @Nullable Duration expiresIn,
    Priority priority,
    boolean enabled,
    Instant createdAt,
    Instant updatedAt) {
  public static final int MOST_TARGETS = 100_000;
  public static final int MOST_MESSAGES = 20;

  /**
   * Checks the whole.
   *
   * @throws InvalidInput naming every field that is wrong, and the remedy
   */
  public Reminder {
    accounts = List.copyOf(accounts);
    targets = List.copyOf(targets);
    messages = List.copyOf(messages);
    new ReminderCheck()
        .name(name)
        .accounts(accounts)
        .window(window, zone)
        .pace(perMinute)
        .expiry(expiresIn)
        .messages(messages)
        .targets(targets, accounts, messages)
        .refuse();
  }

  public static Builder named(String name) {
    return new Builder(name);
  }

  /** The main account. */
  public String account() {
    return accounts.getFirst();
  }

  /** When it fires next after an instant, if its schedule is followed and goes on. */
  public Optional<Instant> nextFiring(Instant after) {
    return schedule == null || !enabled ? Optional.empty() : schedule.next(after, zone);
  }

  /** The messages to one target, in their order. */
  public List<Message.Builder> fill(String account, Target target) {
    return messages.stream()
        .map(message -> message.fill(account, target).priority(priority))
        .toList();
  }

  /** The same with targets of the same hours side by side, so that each hours are one span. */
  public Reminder grouped() {
    if (targets.stream().allMatch(target -> target.hours() == null)) {
      return this;
    }
    Map<Optional<OwnHours>, List<Target>> groups =
        targets.stream()
            .collect(
                Collectors.groupingBy(
                    target -> Optional.ofNullable(target.hours()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return toBuilder()
        .targets(groups.values().stream().flatMap(List::stream).toList())
        .build(id, updatedAt);
  }

  /** A builder that starts from this reminder. */
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    builder.accounts = accounts;
    builder.zone = zone;
    builder.schedule = schedule;
    builder.window(window);
    builder.afterClose = afterClose;
    builder.overlap = overlap;
    builder.perMinute = perMinute;
    builder.targets = targets;
    builder.messages = messages;
    builder.expiresIn = expiresIn;
    builder.priority = priority;
    builder.enabled = enabled;
    builder.createdAt = createdAt;
    return builder;
  }

  /** Collects the fields of a reminder; {@link #build} checks them. */
  public static final class Builder {
    private String name;
    private List<String> accounts = List.of();
    private @Nullable ZoneId zone;
    private @Nullable Schedule schedule;
    private @Nullable Window window;
    private boolean windowIsChosen;
    private AfterClose afterClose = AfterClose.WAIT;
    private Overlap overlap = Overlap.REFUSE;
    private @Nullable Integer perMinute;
    private List<Target> targets = List.of();
    private List<Content> messages = List.of();
    private @Nullable Duration expiresIn;
    private Priority priority = Priority.BULK;
    private boolean enabled = true;
    private @Nullable Instant createdAt;

    private Builder(String name) {
      this.name = name;
    }

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder account(String value) {
      return accounts(List.of(value));
    }

    /** Splits the targets among several accounts, the main one first. */
    public Builder accounts(List<String> value) {
      accounts = value;
      return this;
    }

    public Builder zone(@Nullable ZoneId value) {
      zone = value;
      return this;
    }

    public Builder schedule(@Nullable Schedule value) {
      schedule = value;
      return this;
    }

    /** In which hours it may send; null for any hour. Not called, it is 06:00 to 18:00. */
    public Builder window(@Nullable Window value) {
      window = value;
      windowIsChosen = true;
      return this;
    }

    public Builder afterClose(AfterClose value) {
      afterClose = value;
      return this;
    }

    public Builder overlap(Overlap value) {
      overlap = value;
      return this;
    }

    /** Messages a minute of each account; null for what is configured for all runs. */
    public Builder perMinute(@Nullable Integer value) {
      perMinute = value;
      return this;
    }

    public Builder targets(List<Target> value) {
      targets = value;
      return this;
    }

    public Builder messages(List<Content> value) {
      messages = value;
      return this;
    }

    public Builder expiresIn(@Nullable Duration value) {
      expiresIn = value;
      return this;
    }

    public Builder priority(Priority value) {
      priority = value;
      return this;
    }

    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /** When it was made, if that was before now. */
    public Builder createdAt(Instant value) {
      createdAt = value;
      return this;
    }

    /**
     * The reminder, checked.
     *
     * @param now when it is made or changed
     * @throws InvalidInput naming every field that is wrong, and the remedy
     */
    public Reminder build(ReminderId id, Instant now) {
      if (zone == null) {
        throw new InvalidInput(
            "timezone", "is missing; name a time zone such as Asia/Kuala_Lumpur");
      }
      return new Reminder(
          id,
          name,
          accounts,
          zone,
          schedule,
          windowIsChosen ? window : Window.in(zone),
          afterClose,
          overlap,
          perMinute,
          targets,
          messages,
          expiresIn,
          priority,
          enabled,
          createdAt == null ? now : createdAt,
          now);
    }
  }
}
