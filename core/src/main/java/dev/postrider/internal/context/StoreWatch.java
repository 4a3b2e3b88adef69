package dev.postrider.internal.context;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the store takes writes. While it does not, accounts send nothing, and a small write
 * is tried every second; the first that goes through opens everything again. Whoever depends on it
 * is told that something has changed, and asks what is true then: so it does not matter in which
 * order two changes are told.
 *
 * <p>Afterwards, and whenever a call ended in a way that the store does not promise, a write may
 * have happened that nobody heard of. Then everybody looks at what is stored. Thread-safe.
 */
public final class StoreWatch {
  /** That it takes none. */
  public record Down(String reason, Instant since) {}

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Store store;
  private final Scheduler time;
  private final Events events;
  private final Runnable onChange;
  private final Runnable onDoubt;
  private final AtomicBoolean doubted = new AtomicBoolean();
  private final AtomicReference<@Nullable Down> down = new AtomicReference<>();
  private final AtomicBoolean trying = new AtomicBoolean();

  /**
   * @param onChange is told after every change
   * @param onDoubt is told a moment after something may have been written that nobody heard of
   */
  public StoreWatch(
      Store store, Scheduler time, Events events, Runnable onChange, Runnable onDoubt) {
    this.store = store;
    this.time = time;
    this.events = events;
    this.onChange = onChange;
    this.onDoubt = onDoubt;
  }

  public @Nullable String downBecause() {
    Down now = down.get();
    return now == null ? null : now.reason;
  }

  /** Why it takes no writes, and since when; null if it does. */
  public @Nullable Down down() {
    return down.get();
  }

  public void down(String reason) {
    if (down.compareAndSet(null, new Down(reason, time.instant()))) {
      events.publish(new Event.StoreDown(time.instant(), "", reason));
      onChange.run();
    }
    tryUntilUp();
  }

  public void up() {
    if (down.get() != null && down.getAndSet(null) != null) {
      events.publish(new Event.StoreUp(time.instant(), ""));
      onChange.run();
      doubt();
    }
  }

  /** An answer may have been lost. A store that is down is doubted when it is back. */
  public void doubt() {
    if (down.get() == null && doubted.compareAndSet(false, true)) {
      time.after(
          INTERVAL,
          () -> {
            doubted.set(false);
            onDoubt.run();
          });
    }
  }

  /** Sees to it that somebody tries, if it is down. */
  public void tryUntilUp() {
    if (down.get() != null && trying.compareAndSet(false, true)) {
      time.start("store watch", this::tryAgain);
    }
  }

  private void tryAgain() {
    try {
      while (down.get() != null) {
        time.pause(INTERVAL);
        if (down.get() != null && takesWrites()) {
          up();
        }
      }
    } catch (Scheduler.Interrupted | StoreClosed e) {
      return; // everything ends
    } finally {
      trying.set(false);
    }
    tryUntilUp(); // it may have gone down again just now
  }

  private boolean takesWrites() {
    try {
      time.await(store.touch(time.instant()));
      return true;
    } catch (Scheduler.Interrupted | StoreClosed e) {
      throw e;
    } catch (StoreUnavailable e) { // perhaps for another reason by now
      down.updateAndGet(
          was -> was == null ? null : new Down(String.valueOf(e.getMessage()), was.since));
      return false;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }
}
