package dev.postrider.internal.account;

import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.message.EndReason;
import dev.postrider.message.MessageId;
import dev.postrider.store.PruneResult;
import dev.postrider.store.Retention;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.StoredMessage;
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
public final class Housekeeping {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final int BATCH = 250;
  private static final Duration KEYS_LAST = Duration.ofHours(24);
  private static final Duration INBOUND_KNOWN = Duration.ofDays(30);
  private static final Duration AUDIT_KEPT = Duration.ofDays(90);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(10);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final EngineContext context;
  private final QueueSettings settings;
  private final Consumer<EndedMessage> onEnded;
  private @Nullable Instant sweepAt; // guarded by this
  private Scheduler.@Nullable Timer sweep; // guarded by this
  private Scheduler.@Nullable Timer nextPrune; // guarded by this
  private boolean expiring; // guarded by this
  private boolean stopped = true; // guarded by this

  /**
   * @param onEnded is told of every message that ended, so that its lane can go on
   */
  public Housekeeping(
      EngineContext context, QueueSettings settings, Consumer<EndedMessage> onEnded) {
    this.context = context;
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

  public synchronized boolean isRunning() {
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
  public synchronized void expiryAt(Instant when) {
    if (stopped || (sweepAt != null && !when.isBefore(sweepAt))) {
      return;
    }
    if (sweep != null) {
      sweep.cancel();
    }
    sweepAt = when;
    sweep = context.time().at(when, () -> context.time().start("expiry", this::expire));
  }

  private void expire() {
    synchronized (this) {
      sweepAt = null;
      expiring = true;
    }
    boolean done = false;
    try {
      done = inBatches(() -> context.store().expire(context.time().instant(), BATCH));
    } finally {
      synchronized (this) {
        expiring = false;
      }
      if (done) {
        armFromStore();
      } else {
        expiryAt(context.time().instant().plus(AGAIN));
      }
    }
  }

  /**
   * Looks when the next message expires, unless somebody does already. A message that was being
   * sent when its time was over and is put back has nobody else who would tell.
   */
  public void lookForOverdue() {
    synchronized (this) {
      if (stopped || expiring || (sweepAt != null && !sweepAt.isAfter(context.time().instant()))) {
        return; // somebody looks
      }
    }
    armFromStore();
  }

  private void armFromStore() {
    context
        .call(() -> context.store().nextExpiry())
        .whenComplete(
            (next, failure) -> {
              if (failure != null) {
                expiryAt(context.time().instant().plus(AGAIN));
              } else {
                next.ifPresent(this::expiryAt);
              }
            });
  }

  // ---- accounts that are gone

  /** Ends what waits for an account that is not configured any more. */
  void failAll(String account) {
    context.time().start("missing", () -> failNow(account));
  }

  private void failNow(String account) {
    Supplier<CompletableFuture<List<EndedMessage>>> batch =
        () ->
            context
                .store()
                .failQueued(
                    account, EndReason.ACCOUNT_MISSING.label(), context.time().instant(), BATCH);
    if (!inBatches(batch)) {
      context.time().after(AGAIN, () -> failAll(account));
    }
  }

  /** Ends messages batch by batch until there are none left; false if the store is away. */
  private boolean inBatches(Supplier<CompletableFuture<List<EndedMessage>>> batch) {
    try {
      List<EndedMessage> ended;
      do {
        ended = context.time().await(batch.get());
        ended.forEach(this::announce);
      } while (!ended.isEmpty() && isRunning()); // an end may promote the next one to be ended
      return true;
    } catch (Scheduler.Interrupted | StoreClosed e) {
      return true;
    } catch (StoreUnavailable e) {
      log.info("Housekeeping waits for the store: {}", e.getMessage());
      context.storeWatch().doubt(); // it may have been done all the same
      return !isRunning();
    } catch (RuntimeException | Error e) {
      log.warn("Housekeeping will try again: {}", String.valueOf(e));
      context.storeWatch().doubt();
      return !isRunning();
    }
  }

  private void announce(EndedMessage ended) {
    StoredMessage message = ended.message();
    MessageId id = message.id();
    context
        .events()
        .publish(
            new Event.Ended(
                context.time().instant(),
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
          context
              .time()
              .after(settings.pruneInterval(), () -> context.time().start("prune", this::prune));
    }
  }

  private void prune() {
    Instant now = context.time().instant();
    Retention retention =
        new Retention(
            now.minus(settings.keepDelivered()),
            now.minus(settings.keepDeadLetters()),
            now.minus(KEYS_LAST));
    try {
      repeat(
          () -> {
            PruneResult pruned = context.time().await(context.store().prune(retention, BATCH));
            context.counts().pruned(pruned);
            return pruned.rows();
          });
      Instant known = now.minus(INBOUND_KNOWN);
      repeat(() -> context.time().await(context.store().pruneInbound(known, BATCH)));
      repeat(() -> context.time().await(context.store().inboundStore().pruneMinutes(known, BATCH)));
      Instant audited = now.minus(AUDIT_KEPT);
      repeat(() -> context.time().await(context.store().inboundStore().pruneAudit(audited, BATCH)));
      repeat(() -> context.time().await(context.store().pruneMemory(now, BATCH)));
      repeat(
          () ->
              context
                  .time()
                  .await(context.store().sweep(context.time().instant(), LOOK_AGAIN, BATCH)));
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
