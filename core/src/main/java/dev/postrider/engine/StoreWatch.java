package dev.postrider.engine;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.store.Store;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the store takes writes. While it does not, accounts send nothing, and a small write
 * is tried every second; the first that goes through opens everything again. Thread-safe.
 */
final class StoreWatch {
  /** That it takes none. */
  record Down(String reason, Instant since) {}

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Store store;
  private final Scheduler time;
  private final Events events;
  private final Consumer<Boolean> onChange;
  private final AtomicReference<@Nullable Down> down = new AtomicReference<>();

  StoreWatch(Store store, Scheduler time, Events events, Consumer<Boolean> onChange) {
    this.store = store;
    this.time = time;
    this.events = events;
    this.onChange = onChange;
  }

  @Nullable String downBecause() {
    Down now = down.get();
    return now == null ? null : now.reason;
  }

  /** Why it takes no writes, and since when; null if it does. */
  @Nullable Down down() {
    return down.get();
  }

  void down(String reason) {
    if (down.compareAndSet(null, new Down(reason, time.instant()))) {
      events.publish(new Event.StoreDown(time.instant(), "", reason));
      onChange.accept(false);
      tryAgain();
    }
  }

  void up() {
    if (down.get() != null && down.getAndSet(null) != null) {
      events.publish(new Event.StoreUp(time.instant(), ""));
      onChange.accept(true);
    }
  }

  private void tryAgain() {
    time.after(
        INTERVAL,
        () -> {
          if (down.get() != null) {
            store
                .touch(time.instant())
                .whenComplete(
                    (done, failure) -> {
                      if (failure == null) {
                        up();
                      } else {
                        tryAgain();
                      }
                    });
          }
        });
  }
}
