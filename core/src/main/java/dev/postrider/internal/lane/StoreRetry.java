package dev.postrider.internal.lane;

import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store until it answers: what is known of an outcome is never dropped because the store
 * fails for a while, in whatever way. Belongs to one task.
 */
final class StoreRetry {
  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(StoreRetry.class);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final AccountWork work;
  private boolean inDoubt;

  StoreRetry(AccountWork work) {
    this.work = work;
  }

  /** Whether the last call failed before it was answered: it may have been done then, unheard. */
  boolean isInDoubt() {
    return inDoubt;
  }

  <T extends @Nullable Object> T write(Supplier<CompletableFuture<T>> write) {
    return ask(
        () -> {
          T result = work.time().await(write.get());
          work.incidents().storeUp();
          return result;
        });
  }

  <T extends @Nullable Object> T ask(Supplier<T> call) {
    Duration pause = FIRST_PAUSE;
    inDoubt = false;
    while (true) {
      try {
        return call.get();
      } catch (Scheduler.Interrupted | StoreClosed | LeaseLost e) {
        throw e;
      } catch (Throwable e) {
        failed(e);
        work.time().pause(pause);
        pause = e instanceof StoreUnavailable ? FIRST_PAUSE : slower(pause);
      }
    }
  }

  void failed(Throwable e) {
    inDoubt = true;
    if (e instanceof StoreUnavailable) {
      work.incidents().storeDown(String.valueOf(e.getMessage()));
    } else {
      log.warn("Account {}: the store failed unexpectedly: {}", work.account(), e.toString());
    }
  }

  static Duration slower(Duration pause) {
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
  }
}
