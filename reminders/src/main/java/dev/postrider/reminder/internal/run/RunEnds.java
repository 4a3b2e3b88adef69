package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.json.ScriptJson;
import dev.postrider.reminder.time.Window;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How runs end, and what is told of them. What a run has achieved is what its targets say. */
public final class RunEnds {
  private static final Duration TELL = Duration.ofSeconds(1);

  private final Postrider postrider;
  private final ReminderStore store;

  public RunEnds(Postrider postrider) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
  }

  /** How many targets stand where. */
  public record Count(int total, int sent, int failed, int skipped, int cancelled, int left) {
    public static Count of(Map<TargetStatus, Integer> counts) {
      int sent = reached(counts);
      int failed = counts.getOrDefault(TargetStatus.FAILED, 0);
      int skipped = counts.getOrDefault(TargetStatus.SKIPPED, 0);
      int cancelled = counts.getOrDefault(TargetStatus.CANCELLED, 0);
      int left =
          counts.getOrDefault(TargetStatus.PENDING, 0)
              + counts.getOrDefault(TargetStatus.SENDING, 0);
      return new Count(
          sent + failed + skipped + cancelled + left, sent, failed, skipped, cancelled, left);
    }

    /** Those that have got all of their messages, whatever the platform has said since. */
    public static int reached(Map<TargetStatus, Integer> counts) {
      return counts.getOrDefault(TargetStatus.SENT, 0)
          + counts.getOrDefault(TargetStatus.DELIVERED, 0)
          + counts.getOrDefault(TargetStatus.READ, 0);
    }

    RunStatus status() {
      return sent == total ? RunStatus.SUCCESS : sent > 0 ? RunStatus.PARTIAL : RunStatus.FAILED;
    }
  }

  /**
   * Ends a run of which nothing is left; false if something is.
   *
   * @param reason why what was pending was skipped; null if nothing was
   */
  boolean end(ActiveRun activeRun, @Nullable String reason) {
    Count count = Count.of(store.counts(activeRun.run.id()));
    if (count.left() > 0) {
      return false;
    }
    Instant now = postrider.time().instant();
    String why = reason == null ? skippedBecause(activeRun.run.id(), count) : reason;
    StoredRun ended =
        activeRun
            .run
            .ended(count.status(), summary(activeRun.script, count, why), now)
            .started(now);
    if (!postrider.time().await(store.update(ended))) {
      return false;
    }
    activeRun.run = ended.next();
    announce(ended, null, count, now);
    return true;
  }

  /** Changes how an ended run has ended, if its targets say something else now. */
  void countAgain(UUID id) {
    StoredRun run;
    StoredRun changed;
    Count count;
    do {
      run = store.run(id).orElse(null);
      Instant endedAt = run == null ? null : run.endedAt();
      if (run == null || endedAt == null || run.status() == RunStatus.CANCELLED) {
        return; // it is counted when it ends
      }
      count = Count.of(store.counts(id));
      String summary = summary(ScriptJson.read(run.document()), count, skippedBecause(id, count));
      changed = run.ended(count.status(), summary, endedAt);
      if (count.left() > 0 || changed.equals(run)) {
        return;
      }
    } while (!postrider.time().await(store.update(changed)));
    announce(changed, run.status(), count, postrider.time().instant());
  }

  private @Nullable String skippedBecause(UUID id, Count count) {
    return count.skipped() == 0
        ? null
        : store.targets(id, RunTargetFilter.of(TargetStatus.SKIPPED), null, 1).items().stream()
            .map(RunTarget::error)
            .findFirst()
            .orElse(null);
  }

  /**
   * Tells how a run has ended.
   *
   * @param before how it had ended before; null if it ends now
   */
  public void announce(StoredRun run, @Nullable RunStatus before, Count count, Instant now) {
    postrider
        .events()
        .publish(
            new Event.RunEnded(
                now,
                run.account(),
                run.id(),
                run.name(),
                run.status().label(),
                before == null ? null : before.label(),
                String.valueOf(run.summary()),
                count.total(),
                count.sent(),
                count.failed(),
                count.skipped()));
  }

  static String summary(FrozenReminder script, Count count, @Nullable String reason) {
    Window window = script.targetSpans().isEmpty() ? script.window() : null; // one, or several
    if (WindowState.WINDOW_CLOSED.equals(reason) && window != null && count.skipped() > 0) {
      return ("Delivery window closed at %s (%s). %d of %d groups delivered. This account is at"
              + " capacity for this fan-out — consider sending the remainder from another paired"
              + " account.")
          .formatted(window.end(), window.zone().getId(), count.sent(), count.total());
    }
    StringBuilder summary =
        new StringBuilder("%d of %d delivered".formatted(count.sent(), count.total()));
    part(summary, count.failed(), "failed");
    part(summary, count.skipped(), "skipped" + (reason == null ? "" : " (" + reason + ")"));
    part(summary, count.cancelled(), "cancelled");
    return summary.append('.').toString();
  }

  private static void part(StringBuilder summary, int count, String what) {
    if (count > 0) {
      summary.append(", ").append(count).append(' ').append(what);
    }
  }

  /**
   * Tells how far a run has got, not too often.
   *
   * @param changed whether its status has changed, which is always told
   */
  void tell(ActiveRun activeRun, Instant now, boolean changed) {
    if (activeRun.shallTell(postrider.time().elapsed(), TELL) || changed) {
      StoredRun run = activeRun.run;
      Count count = Count.of(store.counts(run.id()));
      postrider
          .events()
          .publish(
              new Event.RunProgress(
                  now,
                  run.account(),
                  run.id(),
                  run.name(),
                  run.status().label(),
                  run.reason(),
                  count.total(),
                  count.sent(),
                  count.failed(),
                  count.skipped(),
                  count.left()));
    }
  }
}
