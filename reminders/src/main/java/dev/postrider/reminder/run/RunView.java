package dev.postrider.reminder.run;

import dev.postrider.reminder.estimate.RestForecast;
import dev.postrider.reminder.internal.run.BlockedAccounts;
import dev.postrider.reminder.internal.run.WindowState;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.view.WaitingFor;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run for people to look at.
 *
 * @param sent targets that have got all of their messages
 * @param delivered those of them of which the platform has said that they arrived, read ones
 *     included
 * @param read those of them that were read, by the platform's word
 * @param pending targets that wait
 * @param sending targets that are being sent to
 * @param byStatus how many targets stand where, for every status
 * @param windowEndsAt when the delivery window closes in which it sends; null if none is open
 * @param eta when it will end at its real pace, done or not, if that can be told
 * @param outlook the same in words, and how many it will have reached
 * @param expected the same in figures
 */
public record RunView(
    StoredRun run,
    int sent,
    int delivered,
    int read,
    int failed,
    int skipped,
    int cancelled,
    int pending,
    int sending,
    Map<TargetStatus, Integer> byStatus,
    @Nullable Instant windowEndsAt,
    @Nullable Instant eta,
    @Nullable String outlook,
    @Nullable RestForecast expected) {

  public int total() {
    return run.total();
  }

  /** What it waits for to begin or to go on; null if it sends, was paused by hand or has ended. */
  public @Nullable WaitingFor waitingFor() {
    String reason = run.reason();
    if (reason == null || run.status().ended()) {
      return null;
    }
    if (BlockedAccounts.pausedByItself(run)) {
      return new WaitingFor.AccountBroken(null, null, reason);
    }
    if (run.status() != RunStatus.WAITING) {
      return null;
    }
    return switch (reason) {
      case WindowState.WINDOW_NOT_OPEN, WindowState.OVER_BEFORE_WINDOW ->
          new WaitingFor.Window(run.until(), null, reason);
      default ->
          BlockedAccounts.isPause(reason)
              ? new WaitingFor.AccountPaused(null, reason)
              : new WaitingFor.Pace(run.until(), null, reason);
    };
  }
}
