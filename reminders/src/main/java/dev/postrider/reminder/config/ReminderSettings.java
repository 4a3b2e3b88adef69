package dev.postrider.reminder.config;

import dev.postrider.config.Pace;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How runs fan out.
 *
 * @param groupConcurrency how many targets an account sends to at the same time
 * @param runConcurrency how many accounts of this process fan out at the same time
 * @param pace of runs on an account that has no pace of its own, and whose channel has none
 * @param grace how late a reminder may fire after it should have
 * @param shortestGap least pause between two messages to one target
 * @param longestGap longest pause between two messages to one target
 * @param errorSample of how many targets in a row the share of failed ones is taken
 * @param errorRatio a run is paused when that share is reached; above 1 it never is
 * @param zone in which days are counted for the ceilings
 * @param accounts what applies to single accounts
 */
public record ReminderSettings(
    int groupConcurrency,
    int runConcurrency,
    Pace pace,
    Duration grace,
    Duration shortestGap,
    Duration longestGap,
    int errorSample,
    double errorRatio,
    ZoneId zone,
    Map<String, DailyCeilings> accounts) {
  public static final ReminderSettings DEFAULTS =
      new ReminderSettings(
          3,
          8,
          Pace.perMinute(40).burst(5),
          Duration.ofHours(1),
          Duration.ofMillis(200),
          Duration.ofMillis(500),
          20,
          0.5,
          ZoneOffset.UTC,
          Map.of());

  public ReminderSettings {
    accounts = Map.copyOf(accounts);
  }

  /** The ceilings of an account. */
  public DailyCeilings of(String account) {
    return accounts.getOrDefault(account, DailyCeilings.NONE);
  }

  /** These settings with some of them changed: {@code settings.with(s -> s.grace = …)}. */
  public ReminderSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new ReminderSettings(
        draft.groupConcurrency,
        draft.runConcurrency,
        draft.pace,
        draft.grace,
        draft.shortestGap,
        draft.longestGap,
        draft.errorSample,
        draft.errorRatio,
        draft.zone,
        draft.accounts);
  }

  /** Settings being changed; fields as in {@link ReminderSettings}. */
  public static final class Draft {
    public int groupConcurrency;
    public int runConcurrency;
    public Pace pace;
    public Duration grace;
    public Duration shortestGap;
    public Duration longestGap;
    public int errorSample;
    public double errorRatio;
    public ZoneId zone;
    public Map<String, DailyCeilings> accounts;

    private Draft(ReminderSettings from) {
      groupConcurrency = from.groupConcurrency;
      runConcurrency = from.runConcurrency;
      pace = from.pace;
      grace = from.grace;
      shortestGap = from.shortestGap;
      longestGap = from.longestGap;
      errorSample = from.errorSample;
      errorRatio = from.errorRatio;
      zone = from.zone;
      accounts = from.accounts;
    }
  }
}
