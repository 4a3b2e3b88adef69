package dev.postrider.internal.account;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the account of what was found at the start, and draws the summary once: when everything
 * found has ended, or when the budget of time is over. What is left then is deferred, not dropped:
 * the lanes go on with it in their ordinary way. Thread-safe.
 */
public final class RecoverySummary implements Events.Listener {
  private final Instant startedAt;
  private final Scheduler time;
  private final Events events;
  private Events.@Nullable Subscription subscription; // guarded by this
  private long found = -1; // guarded by this; unknown until counted
  private long unknown; // guarded by this
  private long recovered; // guarded by this
  private long expired; // guarded by this
  private long failed; // guarded by this

  public RecoverySummary(Scheduler time, Events events) {
    this.startedAt = time.instant().truncatedTo(ChronoUnit.MILLIS); // as precise as ids are
    this.time = time;
    this.events = events;
  }

  public void begin(Duration budget) {
    synchronized (this) {
      subscription = events.subscribe(this);
    }
    time.after(budget, this::finish);
  }

  void interrupted(int attempts) {
    synchronized (this) {
      unknown += attempts;
    }
  }

  public void found(long active) {
    synchronized (this) {
      found = active;
    }
    finishIfDone();
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Delivered delivered -> count(delivered.id(), Status.DELIVERED);
      case Event.Ended ended -> count(ended.id(), ended.status());
      default -> {} // the others end nothing
    }
  }

  private void count(MessageId id, Status status) {
    if (!id.givenAt().isBefore(startedAt)) {
      return;
    }
    synchronized (this) {
      switch (status) {
        case DELIVERED -> recovered++;
        case EXPIRED -> expired++;
        case FAILED, HELD, CANCELLED -> failed++;
        case QUEUED, SENDING -> {}
      }
    }
    finishIfDone();
  }

  private void finishIfDone() {
    boolean done;
    synchronized (this) {
      done = found >= 0 && recovered + expired + failed >= found;
    }
    if (done) {
      finish();
    }
  }

  private void finish() {
    Event.Recovered summary;
    synchronized (this) {
      if (subscription == null) {
        return;
      }
      subscription.close();
      subscription = null;
      long ended = recovered + expired + failed;
      long total = Math.max(found, ended);
      summary =
          new Event.Recovered(
              time.instant(), "", total, recovered, total - ended, expired, failed, unknown);
    }
    events.publish(summary);
  }
}
