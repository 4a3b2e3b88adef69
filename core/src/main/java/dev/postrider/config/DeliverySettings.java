package dev.postrider.config;

import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.OnUnknown;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How messages are delivered and retried. One value per account: the defaults, changed by its
 * channel, overridden by the configuration for all accounts, for its channel, and by its own.
 *
 * @param backoff delay before retry n; the last one repeats
 * @param jitter each delay is varied by up to this fraction either way
 * @param fastFirstRetry delay before the very first retry of something proven not sent; zero: none
 * @param maxAttempts attempts before a message fails
 * @param attemptTimeout how long one platform request may take
 * @param lateAfter age from which a message counts as late
 * @param expireAfter age from which a message is not sent any more
 * @param onReceiptFailed what follows if a platform took a part and reports later that it failed
 * @param haltLaneOnFailure a failed message pauses its lane
 * @param outageUsesAttempts a platform that cannot be reached uses up attempts like any failure
 */
public record DeliverySettings(
    List<Duration> backoff,
    double jitter,
    Duration fastFirstRetry,
    int maxAttempts,
    Duration attemptTimeout,
    Duration lateAfter,
    LateAction lateAction,
    Duration expireAfter,
    OnUnknown onUnknown,
    OnReceiptFailed onReceiptFailed,
    boolean haltLaneOnFailure,
    boolean outageUsesAttempts) {

  /** What happens to a late message. */
  public enum LateAction {
    DELIVER,
    FAIL
  }

  /** As usual; an account that has these is delivered to as its channel wants. */
  public static final DeliverySettings DEFAULTS =
      new DeliverySettings(
          List.of(
              Duration.ofSeconds(5),
              Duration.ofSeconds(25),
              Duration.ofMinutes(2),
              Duration.ofMinutes(10)),
          0.1,
          Duration.ZERO,
          5,
          Duration.ofSeconds(60),
          Duration.ofMinutes(30),
          LateAction.DELIVER,
          Duration.ofHours(24),
          OnUnknown.RESEND,
          OnReceiptFailed.DEAD_LETTER,
          false,
          false);

  public DeliverySettings {
    backoff = List.copyOf(backoff);
    if (backoff.isEmpty()) {
      throw new IllegalArgumentException("backoff needs at least one delay");
    }
    if (jitter < 0 || jitter >= 1) {
      throw new IllegalArgumentException("jitter is a fraction from 0 to below 1");
    }
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1");
    }
  }

  /** These settings with some of them changed: {@code settings.with(s -> s.maxAttempts = 8)}. */
  public DeliverySettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings being changed; fields as in {@link DeliverySettings}. */
  public static final class Draft {
    public List<Duration> backoff;
    public double jitter;
    public Duration fastFirstRetry;
    public int maxAttempts;
    public Duration attemptTimeout;
    public Duration lateAfter;
    public LateAction lateAction;
    public Duration expireAfter;
    public OnUnknown onUnknown;
    public OnReceiptFailed onReceiptFailed;
    public boolean haltLaneOnFailure;
    public boolean outageUsesAttempts;

    private Draft(DeliverySettings from) {
      backoff = from.backoff;
      jitter = from.jitter;
      fastFirstRetry = from.fastFirstRetry;
      maxAttempts = from.maxAttempts;
      attemptTimeout = from.attemptTimeout;
      lateAfter = from.lateAfter;
      lateAction = from.lateAction;
      expireAfter = from.expireAfter;
      onUnknown = from.onUnknown;
      onReceiptFailed = from.onReceiptFailed;
      haltLaneOnFailure = from.haltLaneOnFailure;
      outageUsesAttempts = from.outageUsesAttempts;
    }

    private DeliverySettings settings() {
      return new DeliverySettings(
          backoff,
          jitter,
          fastFirstRetry,
          maxAttempts,
          attemptTimeout,
          lateAfter,
          lateAction,
          expireAfter,
          onUnknown,
          onReceiptFailed,
          haltLaneOnFailure,
          outageUsesAttempts);
    }
  }
}
