package dev.postrider.internal.inbound;

import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.message.MessageOperations;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.Page;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds inbound messages whose lease has run out: nobody answered in time. What they had begun to
 * say and not finished is withdrawn. If they had answered, the inbound message is handled; if not,
 * it is handed out again, or is a dead letter. Any node may find any of them; the lease decides who
 * does. Thread-safe.
 */
public final class ExpiredLeaseReaper {
  private static final Logger log = LoggerFactory.getLogger(ExpiredLeaseReaper.class);
  private static final int BATCH = 100;
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final EngineContext context;
  private final MessageOperations operations;
  private final InboundDispatcher dispatcher;
  private @Nullable Instant setFor; // guarded by this
  private Scheduler.@Nullable Timer timer; // guarded by this
  private boolean resolving; // guarded by this
  private boolean resolveAgain; // asked for meanwhile; guarded by this
  private boolean looking; // guarded by this
  private boolean stopped; // guarded by this

  public ExpiredLeaseReaper(
      EngineContext context, MessageOperations operations, InboundDispatcher dispatcher) {
    this.context = context;
    this.operations = operations;
    this.dispatcher = dispatcher;
  }

  /** Before anything is sent: what this process had when it died is given back now. */
  public void recover() {
    Instant now = context.time().instant();
    String holder = context.store().cluster().isPresent() ? context.node() : null;
    context.time().await(context.store().inboundStore().disown(holder, now));
    resolveAndLook();
  }

  /** Others hand out too: looks when the next lease runs out. */
  public void look() {
    synchronized (this) {
      if (looking) {
        return; // what others hand out meanwhile is looked for after their next heartbeat
      }
      looking = true;
    }
    context
        .call(() -> context.store().inboundStore().nextLeaseExpiry())
        .whenComplete(
            (next, failure) -> {
              synchronized (this) {
                looking = false;
              }
              if (failure != null) {
                watch(context.time().instant().plus(AGAIN));
              } else {
                next.ifPresent(this::watch);
              }
            });
  }

  /** A lease runs out then; makes sure that somebody looks. */
  public synchronized void watch(Instant when) {
    if (stopped || (setFor != null && !when.isBefore(setFor))) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    setFor = when;
    timer = context.time().at(when, () -> context.time().start("lapses", this::rung));
  }

  public synchronized void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void rung() {
    synchronized (this) {
      setFor = null;
      timer = null;
      resolveAgain = resolving;
      if (stopped || resolving) {
        return;
      }
      resolving = true;
    }
    try {
      resolveAndLook();
    } finally {
      boolean again;
      synchronized (this) {
        resolving = false;
        again = resolveAgain;
      }
      if (again) {
        watch(context.time().instant());
      }
    }
  }

  private void resolveAndLook() {
    try {
      if (resolveAll()) {
        look();
      } else {
        watch(context.time().instant().plus(AGAIN));
      }
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("Nobody looks for lapsed leases any more");
    } catch (StoreUnavailable e) {
      log.info("Lapsed leases will be looked for when the store is back: {}", e.getMessage());
      watch(context.time().instant().plus(AGAIN));
    } catch (RuntimeException | Error e) {
      log.warn("Lapsed leases will be looked for again: {}", String.valueOf(e));
      context.storeWatch().doubt();
      watch(context.time().instant().plus(AGAIN));
    }
  }

  /** Resolves what there is; false if some of it could not be. One that cannot hinders no other. */
  private boolean resolveAll() {
    boolean all = true;
    List<StoredInbound> lapsed;
    do {
      lapsed = context.store().inboundStore().expiredLeases(context.time().instant(), BATCH);
      for (StoredInbound inbound : lapsed) {
        try {
          resolve(inbound);
        } catch (StoreFailure e) {
          log.warn(
              "Event {}: its lapsed lease is looked at again: {}", inbound.id(), e.getMessage());
          all = false;
        }
      }
    } while (all && lapsed.size() == BATCH);
    return all;
  }

  /** Looks whether a lease has run out that nobody was about to look at; gives how many. */
  public int rescue() {
    Instant now = context.time().instant();
    synchronized (this) {
      if (stopped || resolving || (setFor != null && !setFor.isAfter(now.plus(AGAIN)))) {
        return 0; // somebody looks
      }
    }
    int forgotten = context.store().inboundStore().expiredLeases(now.minus(GRACE), BATCH).size();
    if (forgotten > 0) {
      watch(now);
    }
    return forgotten;
  }

  private void resolve(StoredInbound inbound) {
    UUID lease = Objects.requireNonNull(inbound.handling().lease(), "not handed out");
    if (dispatcher.isInHand(lease)) {
      context.time().await(dispatcher.extend(lease, AGAIN)); // it lives, and renews it itself
      return;
    }
    boolean answered = false;
    MessageFilter caused = MessageFilter.turn(inbound.id().toString());
    String cursor = null;
    do {
      Page<StoredMessage> page = context.store().list(caused, cursor, BATCH);
      for (StoredMessage message : page.items()) {
        answered |= !provisional(message);
        withdraw(message);
      }
      cursor = page.next();
    } while (cursor != null);
    context.time().await(dispatcher.leaseExpired(inbound, answered));
  }

  private static boolean provisional(StoredMessage message) {
    DispatchKind kind = message.message().dispatchKind();
    return kind != null && kind.provisional();
  }

  private void withdraw(StoredMessage message) {
    if (provisional(message) && message.status() == Status.QUEUED) {
      try {
        operations.cancel(message.id());
      } catch (Refused e) {
        log.debug("Message {} goes out: {}", message.id(), e.getMessage());
      }
    }
  }
}
