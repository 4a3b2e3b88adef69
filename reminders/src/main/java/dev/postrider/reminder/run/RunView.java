package dev.postrider.reminder.run;

import dev.postrider.store.StoredRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run for people to look at.
 *
 * @param pending targets that wait
 * @param sending targets that are being sent to
 * @param windowEndsAt when the delivery window closes in which it sends; null if none is open
 * @param eta when it will be done at its real pace, if that can be told
 */
public record RunView(
    StoredRun run,
    int sent,
    int failed,
    int skipped,
    int cancelled,
    int pending,
    int sending,
    @Nullable Instant windowEndsAt,
    @Nullable Instant eta) {

  public int total() {
    return run.total();
  }
}
