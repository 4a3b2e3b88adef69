package dev.postrider.engine;

import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.message.MessageId;
import dev.postrider.store.Ended;
import dev.postrider.store.Pruned;
import dev.postrider.store.Retention;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens without anybody asking: messages whose time is over end, and messages and files that
 * were kept long enough are deleted. Both work in small batches among the other writes, so that
 * sending never waits for them.
 */
final class Housekeeping {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final int BATCH = 250;
  private static final Duration KEYS_LAST = Duration.ofHours(24);
  private static final Duration INBOUND_KNOWN = Duration.ofDays(30);
  private static final Duration AUDIT_KEPT = Duration.ofDays(90);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final House house;
  private final QueueSettings settings;
  private final Consumer<Ended> onEnded;
  private @Nullable Instant sweepAt; // guarded by this
  private Scheduler.@Nullable Timer sweep; // guarded by this
  private Scheduler.@Nullable Timer nextPrune; // guarded by this
  private boolean expiring; // guarded by this
  private boolean stopped = true; // guarded by this

  /**
   * @param onEnded is told of every message that ended, so that its lane can go on
   */
  Housekeeping(House house, QueueSettings settings, Consumer<Ended> onEnded) {
    this.house = house;
    this.settings = settings;
    this.onEnded = onEnded;
  }

  /** Begins, again if it was stopped: in a cluster the chores move from node to node. */
  void start() {
    synchronized (this) {
      if (!stopped) {
        return;
      }
      stopped = false;
      sweepAt = null;
    }
    armFromStore();
    pruneLater();
  }

  synchronized boolean isRunning() {
    return !stopped;
  }

  /** Others may have accepted messages: looks when the next one expires. */
  void look() {
    if (isRunning()) {
      armFromStore();
    }
  }

  synchronized void stop() {
    stopped = true;
    if (sweep != null) {
      sweep.cancel();
    }
    if (nextPrune != null) {
      nextPrune.cancel();
    }
  }

  // ---- expiry

  /** A message will expire then; makes sure that somebody looks. */
  synchronized void expiryAt(Instant when) {
    if (stopped || (sweepAt != null && !when.isBefore(sweepAt))) {
      return;
    }
    if (sweep != null) {
      sweep.cancel();
    }
    sweepAt = when;
    sweep = house.time().at(when, () -> house.time().start("expiry", this::expire));
  }

  private void expire() {
    synchronized (this) {
      sweepAt = null;
      expiring = true;
    }
    boolean done = false;
    try {
      done = inBatches(() -> house.store().expire(house.time().instant(), BATCH));
    } finally {
      synchronized (this) {
        expiring = false;
      }
      if (done) {
        armFromStore();
      } else {
        expiryAt(house.time().instant().plus(AGAIN));
      }
    }
  }

  /**
   * Looks when the next message expires, unless somebody does already. A message that was being
   * sent when its time was over and is put back has nobody else who would tell.
   */
  void lookForOverdue() {
    synchronized (this) {
      if (stopped || expiring || (sweepAt != null && !sweepAt.isAfter(house.time().instant()))) {
        return; // somebody looks
      }
    }
    armFromStore();
  }

  private void armFromStore() {
    house
        .call(() -> house.store().nextExpiry())
        .whenComplete(
            (next, failure) -> {
              if (failure != null) {
                expiryAt(house.time().instant().plus(AGAIN));
              } else {
                next.ifPresent(this::expiryAt);
              }
            });
  }

  // ---- accounts that are gone

  /** Ends what waits for an account that is not configured any more. */
  void failAll(String account) {
    house.time().start("missing", () -> failNow(account));
  }

  private void failNow(String account) {
    Supplier<CompletableFuture<List<Ended>>> batch =
        () -> house.store().failQueued(account, "account-missing", house.time().instant(), BATCH);
    if (!inBatches(batch)) {
      house.time().after(AGAIN, () -> failAll(account));
    }
  }

  /** Ends messages batch by batch until there are none left; false if the store is away. */
  private boolean inBatches(Supplier<CompletableFuture<List<Ended>>> batch) {
    try {
      List<Ended> ended;
      do {
        ended = house.time().await(batch.get());
        ended.forEach(this::announce);
      } while (!ended.isEmpty() && isRunning()); // an end may promote the next one to be ended
      return true;
    } catch (Scheduler.Interrupted | StoreClosed e) {
      return true;
    } catch (RuntimeException | Error e) {
      log.warn("Housekeeping will try again: {}", String.valueOf(e));
      house.storeWatch().doubt();
      return !isRunning();
    }
  }

  private void announce(Ended ended) {
    StoredMessage message = ended.message();
    MessageId id = message.id();
    house
        .events()
        .publish(
            new Event.Ended(
                house.time().instant(),
                message.message().account(),
                message.message().to(),
                id,
                message.status(),
                message.reason(),
                message.error(),
                Event.Ties.of(message.message())));
    onEnded.accept(ended);
  }

  // ---- pruning

  private synchronized void pruneLater() {
    if (!stopped) {
      if (nextPrune != null) {
        nextPrune.cancel(); // of an earlier turn at the chores
      }
      nextPrune =
          house
              .time()
              .after(settings.pruneInterval(), () -> house.time().start("prune", this::prune));
    }
  }

  private void prune() {
    Instant now = house.time().instant();
    Retention retention =
        new Retention(
            now.minus(settings.keepDelivered()),
            now.minus(settings.keepDeadLetters()),
            now.minus(KEYS_LAST));
    try {
      repeat(
          () -> {
            Pruned pruned = house.time().await(house.store().prune(retention, BATCH));
            house.tally().pruned(pruned);
            return pruned.rows();
          });
      Instant known = now.minus(INBOUND_KNOWN);
      repeat(() -> house.time().await(house.store().pruneInbound(known, BATCH)));
      repeat(() -> house.time().await(house.store().desk().pruneMinutes(known, BATCH)));
      Instant audited = now.minus(AUDIT_KEPT);
      repeat(() -> house.time().await(house.store().desk().pruneAudit(audited, BATCH)));
      repeat(
          () -> house.time().await(house.store().sweep(house.time().instant(), LOOK_AGAIN, BATCH)));
    } catch (RuntimeException | Error e) {
      log.warn("Pruning will try again later: {}", String.valueOf(e));
    } finally {
      pruneLater();
    }
  }

  /** Does a batch after another, as long as they are full. */
  private void repeat(IntSupplier batch) {
    int done;
    do {
      done = batch.getAsInt();
    } while (done == BATCH && isRunning());
  }
}
