package dev.postrider.server.config;

import dev.postrider.config.Pace;
import dev.postrider.reminder.config.DailyCeilings;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.Warmup;
import java.time.Duration;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was said about runs of reminders; starts as the defaults. */
final class ReminderDraft {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  final Changes<ReminderSettings.Draft> settings = new Changes<>();
  int perMinute = ReminderSettings.DEFAULTS.pace().limits().getOrDefault(MINUTE, 1);
  int burst = ReminderSettings.DEFAULTS.pace().burst();

  /** What was said about the runs of one account. */
  static final class OfAccount {
    @Nullable Integer dailyCeiling;
    @Nullable LocalDate since;
    @Nullable List<Integer> ceilings;

    DailyCeilings ceilings(String at, Place place, List<Problem> problems) {
      if (since != null && ceilings != null) {
        return new DailyCeilings(dailyCeiling, new Warmup(since, ceilings));
      }
      if (since != null) {
        problems.add(
            new Problem(
                place,
                at + ".reminders.warmup.since",
                "needs ceilings beside it, such as ceilings: [20, 50, 100]"));
      } else if (ceilings != null) {
        problems.add(
            new Problem(
                place,
                at + ".reminders.warmup.ceilings",
                "needs the account's first day beside it, such as since: 2026-11-01"));
      }
      return dailyCeiling == null ? DailyCeilings.NONE : new DailyCeilings(dailyCeiling, null);
    }
  }

  /** The settings of all runs; what is wrong is added to the problems. */
  ReminderSettings settings(List<Draft.Account> accounts, Place place, List<Problem> problems) {
    Map<String, DailyCeilings> ceilings = new LinkedHashMap<>();
    for (int i = 0; i < accounts.size(); i++) {
      Draft.Account account = accounts.get(i);
      DailyCeilings own =
          account.reminders.ceilings("accounts[" + i + "]", account.place, problems);
      if (!own.equals(DailyCeilings.NONE)) {
        ceilings.put(account.id, own);
      }
    }
    settings.add(all -> all.pace = Pace.perMinute(perMinute).burst(burst));
    settings.add(all -> all.accounts = ceilings);
    ReminderSettings made = ReminderSettings.DEFAULTS.with(settings);
    if (made.shortestGap().compareTo(made.longestGap()) > 0) {
      problems.add(
          new Problem(place, "reminders.shortestGap", "must not be longer than longestGap"));
    }
    return made;
  }
}
