package dev.postrider.engine;

import dev.postrider.message.DispatchKind;
import dev.postrider.message.Status;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoreFailure;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.turn.Handout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds events whose lease has run out: whoever had them was not heard of again. What they had
 * begun to say and not finished is withdrawn. If they had answered, the event is handled; if not,
 * it is handed out again, or is a dead letter. Any node may find any of them; the lease decides who
 * does. Thread-safe.
 */
final class Lapses {
  private static final Logger log = LoggerFactory.getLogger(Lapses.class);
  private static final int BATCH = 100;
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final House house;
  private final Operations operations;
  private final Handout handout;
  private @Nullable Instant setFor; // guarded by this
  private Scheduler.@Nullable Timer timer; // guarded by this
  private boolean resolving; // guarded by this
  private boolean stopped; // guarded by this

  Lapses(House house, Operations operations, Handout handout) {
    this.house = house;
    this.operations = operations;
    this.handout = handout;
  }

  /** Before anything is sent: what this process had when it died is given back now. */
  void recover() {
    Instant now = house.time().instant();
    String holder = house.store().cluster().isPresent() ? house.node() : null;
    house.time().await(house.store().desk().disown(holder, now));
    resolveAndLook();
  }

  /** Others hand out too: looks when the next lease runs out. */
  void look() {
    house
        .call(() -> house.store().desk().nextLapse())
        .whenComplete(
            (next, failure) -> {
              if (failure != null) {
                watch(house.time().instant().plus(AGAIN));
              } else {
                next.ifPresent(this::watch);
              }
            });
  }

  /** A lease runs out then; makes sure that somebody looks. */
  synchronized void watch(Instant when) {
    if (stopped || (setFor != null && !when.isBefore(setFor))) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    setFor = when;
    timer = house.time().at(when, () -> house.time().start("lapses", this::rung));
  }

  synchronized void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void rung() {
    synchronized (this) {
      setFor = null;
      timer = null;
      if (stopped) {
        return;
      }
      resolving = true;
    }
    try {
      resolveAndLook();
    } finally {
      synchronized (this) {
        resolving = false;
      }
    }
  }

  private void resolveAndLook() {
    try {
      if (resolveAll()) {
        look();
      } else {
        watch(house.time().instant().plus(AGAIN));
      }
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("Nobody looks for lapsed leases any more");
    } catch (RuntimeException | Error e) {
      log.warn("Lapsed leases will be looked for again: {}", String.valueOf(e));
      house.storeWatch().doubt();
      watch(house.time().instant().plus(AGAIN));
    }
  }

  /** Resolves what there is; false if some of it could not be. One that cannot hinders no other. */
  private boolean resolveAll() {
    boolean all = true;
    List<StoredInbound> lapsed;
    do {
      lapsed = house.store().desk().lapsed(house.time().instant(), BATCH);
      for (StoredInbound event : lapsed) {
        try {
          resolve(event);
        } catch (StoreFailure e) {
          log.warn("Event {}: its lapsed lease is looked at again: {}", event.id(), e.getMessage());
          all = false;
        }
      }
    } while (all && lapsed.size() == BATCH);
    return all;
  }

  /** Looks whether a lease has run out that nobody was about to look at; gives how many. */
  int rescue() {
    Instant now = house.time().instant();
    synchronized (this) {
      if (stopped || resolving || (setFor != null && !setFor.isAfter(now.plus(AGAIN)))) {
        return 0; // somebody looks
      }
    }
    int forgotten = house.store().desk().lapsed(now.minus(GRACE), BATCH).size();
    if (forgotten > 0) {
      watch(now);
    }
    return forgotten;
  }

  private void resolve(StoredInbound event) {
    UUID lease = Objects.requireNonNull(event.handling().lease(), "not handed out");
    if (handout.isInHand(lease)) {
      house.time().await(handout.extend(lease, AGAIN)); // it lives, and renews it itself
      return;
    }
    boolean answered = false;
    MessageFilter caused = MessageFilter.turn(event.id().toString());
    String cursor = null;
    do {
      Page<StoredMessage> page = house.store().list(caused, cursor, BATCH);
      for (StoredMessage message : page.items()) {
        answered |= !provisional(message);
        withdraw(message);
      }
      cursor = page.next();
    } while (cursor != null);
    house.time().await(handout.died(event, answered));
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
