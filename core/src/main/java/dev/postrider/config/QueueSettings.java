package dev.postrider.config;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The settings of the queue as a whole.
 *
 * @param onMissingAccount what happens to messages whose account is no longer configured
 * @param drainOnStartup whether what was left from before the start is sent by itself; if not,
 *     accounts with a backlog start paused
 * @param drainBudget how long after the start the recovery summary is drawn at the latest
 * @param maxQueueDepth most active messages in all
 * @param maxAccountDepth most active messages of one account
 * @param maxLaneDepth most active messages of one lane
 * @param shutdownGrace how long a stop waits for requests in flight
 */
public record QueueSettings(
    OnMissingAccount onMissingAccount,
    boolean drainOnStartup,
    Duration drainBudget,
    long maxQueueDepth,
    long maxAccountDepth,
    long maxLaneDepth,
    Duration keepDelivered,
    Duration keepDeadLetters,
    Duration pruneInterval,
    Duration shutdownGrace) {

  /** What happens to messages whose account is no longer configured. */
  public enum OnMissingAccount {
    HOLD,
    FAIL
  }

  public static final QueueSettings DEFAULTS =
      new QueueSettings(
          OnMissingAccount.HOLD,
          true,
          Duration.ofSeconds(60),
          1_000_000,
          1_000_000,
          10_000,
          Duration.ofHours(48),
          Duration.ofDays(30),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10));

  public QueueSettings {
    if (maxQueueDepth < 1 || maxAccountDepth < 1 || maxLaneDepth < 1) {
      throw new IllegalArgumentException("depth limits must be at least 1");
    }
    if (!pruneInterval.isPositive()) {
      throw new IllegalArgumentException("pruneInterval must be longer than zero");
    }
  }

  /** These settings with some of them changed: {@code settings.with(s -> s.maxLaneDepth = 10)}. */
  public QueueSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings being changed; fields as in {@link QueueSettings}. */
  public static final class Draft {
    public OnMissingAccount onMissingAccount;
    public boolean drainOnStartup;
    public Duration drainBudget;
    public long maxQueueDepth;
    public long maxAccountDepth;
    public long maxLaneDepth;
    public Duration keepDelivered;
    public Duration keepDeadLetters;
    public Duration pruneInterval;
    public Duration shutdownGrace;

    private Draft(QueueSettings from) {
      onMissingAccount = from.onMissingAccount;
      drainOnStartup = from.drainOnStartup;
      drainBudget = from.drainBudget;
      maxQueueDepth = from.maxQueueDepth;
      maxAccountDepth = from.maxAccountDepth;
      maxLaneDepth = from.maxLaneDepth;
      keepDelivered = from.keepDelivered;
      keepDeadLetters = from.keepDeadLetters;
      pruneInterval = from.pruneInterval;
      shutdownGrace = from.shutdownGrace;
    }

    private QueueSettings settings() {
      return new QueueSettings(
          onMissingAccount,
          drainOnStartup,
          drainBudget,
          maxQueueDepth,
          maxAccountDepth,
          maxLaneDepth,
          keepDelivered,
          keepDeadLetters,
          pruneInterval,
          shutdownGrace);
    }
  }
}
