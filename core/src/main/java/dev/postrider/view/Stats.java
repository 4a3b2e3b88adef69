package dev.postrider.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine at a glance. Counts of what happened are since the start.
 *
 * @param node the name of the process among those that share the store
 * @param oldestWaitingAt when the message was accepted, or wanted to be sent, that waits longest
 * @param rescued lanes that were due and that nobody looked at until the safety sweep found them; 0
 *     unless something is wrong
 * @param counted whether the count of what was there at the start is complete
 */
public record Stats(
    Instant at,
    Instant startedAt,
    String node,
    boolean durable,
    boolean counted,
    @Nullable String storeDownBecause,
    long queued,
    int sending,
    long deadLetters,
    int pausedLanes,
    @Nullable Instant oldestWaitingAt,
    long accepted,
    long delivered,
    long failed,
    long expired,
    long held,
    long cancelled,
    long retried,
    long throttled,
    long staleCompletions,
    long rescued,
    Inbound inbound,
    List<AccountView> accounts) {

  /**
   * What comes in.
   *
   * @param waiting events that are not handled, those somebody has included
   * @param leased events this process has handed out
   * @param refused forged or malformed webhooks
   * @param failedAttempts attempts at handling that failed
   */
  public record Inbound(
      long waiting,
      long leased,
      long deadLetters,
      long received,
      long refused,
      long handled,
      long failedAttempts) {}
}
