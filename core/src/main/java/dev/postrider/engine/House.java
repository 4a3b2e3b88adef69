package dev.postrider.engine;

import dev.postrider.event.Events;
import dev.postrider.media.Custody;
import dev.postrider.media.Downloads;
import dev.postrider.store.Store;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoreUnavailable;
import dev.postrider.time.Scheduler;
import dev.postrider.time.Supervisor;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What everything in one engine shares.
 *
 * @param node the name of this process among those that share the store
 */
record House(
    String node,
    Store store,
    Scheduler time,
    RandomGenerator random,
    Events events,
    Tally tally,
    StoreWatch storeWatch,
    Custody custody,
    Downloads downloads,
    Doorway doorway,
    ChatNames chats) {

  /** Looks at the store, but does not insist: gives the other value while it is away. */
  <T extends @Nullable Object> T glance(Supplier<T> look, T otherwise) {
    if (storeWatch.downBecause() != null) {
      return otherwise;
    }
    try {
      return look.get();
    } catch (StoreUnavailable | StoreClosed e) {
      return otherwise;
    }
  }

  /** Since when the account's longest-waiting message has been due, for people to look at. */
  @Nullable Instant oldestDue(String account) {
    return this.<@Nullable Instant>glance(
        () -> store.oldestDue(account, time.instant()).orElse(null), null);
  }

  /** Runs work that goes on whatever is thrown, as long as the store is open. */
  Supervisor supervisor() {
    return new Supervisor(time, e -> e instanceof StoreClosed);
  }

  /** Waits for a write; a store that does not take it is a refusal. */
  <T extends @Nullable Object> T write(CompletableFuture<T> write) {
    try {
      T result = time.await(write);
      storeWatch.up();
      return result;
    } catch (StoreUnavailable e) {
      storeWatch.down(String.valueOf(e.getMessage()));
      throw new Refused(Refused.Cause.UNAVAILABLE, "nothing was changed: " + e.getMessage());
    }
  }
}
