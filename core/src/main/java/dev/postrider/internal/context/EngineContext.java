package dev.postrider.internal.context;

import dev.postrider.event.Events;
import dev.postrider.internal.media.Custody;
import dev.postrider.internal.media.Downloads;
import dev.postrider.internal.media.MediaAddresses;
import dev.postrider.problem.Refused;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import dev.postrider.time.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What everything in one engine shares.
 *
 * @param node the name of this process among those that share the store
 */
public record EngineContext(
    String node,
    Store store,
    Scheduler time,
    RandomGenerator random,
    Events events,
    MessageCounts counts,
    StoreWatch storeWatch,
    Custody custody,
    Downloads downloads,
    MediaAddresses addresses,
    InboundIntake inboundIntake,
    ChatNames chats) {
  private static final Logger log = LoggerFactory.getLogger(EngineContext.class);
  static final Duration AGAIN = Duration.ofSeconds(1);

  /** Looks at the store, but does not insist: gives the other value while it is away. */
  public <T extends @Nullable Object> T glance(Supplier<T> look, T otherwise) {
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
  public @Nullable Instant oldestDue(String account) {
    return this.<@Nullable Instant>glance(
        () -> store.oldestDue(account, time.instant()).orElse(null), null);
  }

  /** Runs work that goes on whatever is thrown, as long as the store is open. */
  public Supervisor supervisor() {
    return new Supervisor(time, e -> e instanceof StoreClosed);
  }

  /** When the account's message was accepted, or wanted to be sent, that waits longest. */
  public @Nullable Instant oldestWaiting(String account) {
    return this.<@Nullable Instant>glance(() -> store.oldestWaiting(account).orElse(null), null);
  }

  /** Waits for a write; a store that does not take it is a refusal. */
  public <T extends @Nullable Object> T write(CompletableFuture<T> write) {
    try {
      T result = time.await(write);
      storeWatch.up();
      return result;
    } catch (StoreUnavailable e) {
      storeWatch.down(String.valueOf(e.getMessage()));
      throw new Refused(Refused.Cause.UNAVAILABLE, "nothing was changed: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      storeWatch.doubt();
      throw e;
    }
  }

  /** Asks the store; whatever it throws at once fails the future, as what it throws later does. */
  public <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Does it as a task of its own, again and again until it is done, or the store is closed. */
  public void insist(String name, Runnable work) {
    supervisor().start(name, () -> waitingForTheStore(name, work));
  }

  /** A store that is away is nothing unexpected. */
  private void waitingForTheStore(String name, Runnable work) {
    while (true) {
      try {
        work.run();
        return;
      } catch (StoreUnavailable e) {
        log.info("'{}' waits for the store: {}", name, e.getMessage());
        time.pause(AGAIN);
      }
    }
  }

  /** What really went wrong in a future that builds on another. */
  static @Nullable public Throwable cause(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : failure;
  }
}
