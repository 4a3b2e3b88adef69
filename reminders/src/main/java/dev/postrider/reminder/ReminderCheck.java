package dev.postrider.reminder;

import dev.postrider.message.WellFormed;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.time.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks a reminder over and says everything that is wrong. */
final class ReminderCheck {
  private static final int LONGEST_NAME = 200;
  static final int LONGEST_ADDRESS = 512;
  private static final int MOST_HOURS = 100;

  private final Problems problems = new Problems();

  ReminderCheck name(String name) {
    text("name", name, LONGEST_NAME);
    return this;
  }

  ReminderCheck accounts(List<String> accounts) {
    if (accounts.isEmpty()) {
      problems.add("account", "is missing; name the account that sends");
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < accounts.size(); i++) {
      String field = accounts.size() == 1 ? "account" : "accounts[" + i + "]";
      text(field, accounts.get(i), LONGEST_ADDRESS);
      if (!seen.add(accounts.get(i))) {
        problems.add(field, "'" + accounts.get(i) + "' is there twice; keep one of them");
      }
    }
    return this;
  }

  ReminderCheck window(@Nullable Window window, ZoneId zone) {
    if (window != null && !window.zone().equals(zone)) {
      problems.add(
          "window",
          "is in %s, the reminder in %s; give both the same time zone"
              .formatted(window.zone(), zone));
    }
    return this;
  }

  ReminderCheck pace(@Nullable Integer perMinute) {
    if (perMinute != null && perMinute < 1) {
      problems.add("perMinute", "must be 1 at least; leave it out for what is configured");
    }
    return this;
  }

  ReminderCheck expiry(@Nullable Duration expiresIn) {
    if (expiresIn != null && !expiresIn.isPositive()) {
      problems.add("expiresIn", "must be longer than zero, such as \"12h\"");
    }
    return this;
  }

  ReminderCheck messages(List<Content> messages) {
    count("messages", messages, Reminder.MOST_MESSAGES);
    return this;
  }

  ReminderCheck targets(List<Target> targets, List<String> accounts, List<Content> messages) {
    if (count("targets", targets, Reminder.MOST_TARGETS)) {
      new TargetCheck(accounts, messages, problems).all(targets);
    }
    long hours = targets.stream().map(Target::hours).filter(Objects::nonNull).distinct().count();
    if (hours > MOST_HOURS) {
      problems.add(
          "targets",
          "have %d different hours; %d at most are allowed".formatted(hours, MOST_HOURS));
    }
    return this;
  }

  /**
   * Says what was found.
   *
   * @throws dev.postrider.problem.InvalidInput if anything was
   */
  void refuse() {
    problems.refuse();
  }

  private boolean count(String field, List<?> items, int most) {
    if (items.isEmpty()) {
      problems.add(field, "is empty; give one at least");
    }
    if (items.size() > most) {
      problems.add(
          field,
          String.format(Locale.ROOT, "holds %,d; at most %,d are allowed", items.size(), most));
    }
    return items.size() <= most;
  }

  private void text(String field, String value, int longest) {
    String problem = problem(value, longest);
    if (problem != null) {
      problems.add(field, problem);
    }
  }

  /** What is wrong with a short text, or null. */
  static @Nullable String problem(String value, int longest) {
    if (value.isBlank()) {
      return "must not be empty";
    }
    if (value.length() > longest) {
      return "must not be longer than " + longest + " characters";
    }
    try {
      WellFormed.require("", value);
      return null;
    } catch (InvalidInput e) {
      return e.first().message();
    }
  }
}
