package dev.postrider.config;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How what comes in is handed out. One value per account: the defaults, overridden by its own.
 *
 * @param backoff delay before attempt n + 1; the last one repeats
 * @param jitter each delay is varied by up to this fraction either way
 * @param maxAttempts attempts before an event is a dead letter
 * @param revivals how often an event is handed out again after whoever had it was not heard of
 *     again
 * @param revivalDelay how much time lies between two such attempts at least
 * @param revivalAge an event older than this is not handed out again for that reason
 * @param session how the conversations of the account are named
 * @param keepMedia whether files that come along are kept here
 */
public record InboundSettings(
    List<Duration> backoff,
    double jitter,
    int maxAttempts,
    int revivals,
    Duration revivalDelay,
    Duration revivalAge,
    SessionKey session,
    boolean keepMedia) {

  public static final InboundSettings DEFAULTS =
      new InboundSettings(
          List.of(
              Duration.ofSeconds(1),
              Duration.ofSeconds(5),
              Duration.ofSeconds(25),
              Duration.ofMinutes(2),
              Duration.ofMinutes(10)),
          0.1,
          5,
          3,
          Duration.ofSeconds(15),
          Duration.ofHours(24),
          SessionKey.DEFAULT,
          false);

  public InboundSettings {
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
  public InboundSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new InboundSettings(
        draft.backoff,
        draft.jitter,
        draft.maxAttempts,
        draft.revivals,
        draft.revivalDelay,
        draft.revivalAge,
        draft.session,
        draft.keepMedia);
  }

  /** Settings being changed; fields as in {@link InboundSettings}. */
  public static final class Draft {
    public List<Duration> backoff;
    public double jitter;
    public int maxAttempts;
    public int revivals;
    public Duration revivalDelay;
    public Duration revivalAge;
    public SessionKey session;
    public boolean keepMedia;

    private Draft(InboundSettings from) {
      backoff = from.backoff;
      jitter = from.jitter;
      maxAttempts = from.maxAttempts;
      revivals = from.revivals;
      revivalDelay = from.revivalDelay;
      revivalAge = from.revivalAge;
      session = from.session;
      keepMedia = from.keepMedia;
    }
  }
}
