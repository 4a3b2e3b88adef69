package dev.postrider.engine;

import dev.postrider.message.DispatchKind;
import dev.postrider.message.Status;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.turn.Handout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

  private final House house;
  private final Operations operations;
  private final Handout handout;
  private @Nullable Instant setFor; // guarded by this
  private Scheduler.@Nullable Timer timer; // guarded by this
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
    resolveAll();
    look();
  }

  /** Others hand out too: looks when the next lease runs out. */
  void look() {
    house
        .store()
        .desk()
        .nextLapse()
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
    }
    try {
      resolveAll();
      look();
    } catch (Scheduler.Interrupted e) {
      log.debug("Nobody looks for lapsed leases any more");
    } catch (RuntimeException e) {
      log.warn("Lapsed leases will be looked for again: {}", e.getMessage());
      watch(house.time().instant().plus(AGAIN));
    }
  }

  private void resolveAll() {
    List<StoredInbound> lapsed;
    do {
      lapsed = house.store().desk().lapsed(house.time().instant(), BATCH);
      lapsed.forEach(this::resolve);
    } while (lapsed.size() == BATCH);
  }

  private void resolve(StoredInbound event) {
    UUID lease = Objects.requireNonNull(event.handling().lease(), "not handed out");
    if (handout.isInHand(lease)) {
      house.time().await(handout.extend(lease, AGAIN)); // it lives, and renews it itself
      return;
    }
    boolean answered = false;
    MessageFilter caused = new MessageFilter(Set.of(), null, null, event.id().toString(), null);
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
