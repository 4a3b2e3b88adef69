package dev.postrider.internal.context;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.store.PruneResult;
import dev.postrider.store.QueueDepth;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts messages: how many are active, for the depth limits, and what has happened since the
 * start. Fed by events, and once by the store's own count of what was there before. Thread-safe.
 */
public final class MessageCounts implements Events.Listener {
  private final AtomicLong active = new AtomicLong();
  private final Map<String, AtomicLong> activeByAccount = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> deadByAccount = new ConcurrentHashMap<>();
  private final AtomicLong waitingEvents = new AtomicLong();
  private final AtomicLong leasedEvents = new AtomicLong();
  private final AtomicLong deadEvents = new AtomicLong();
  private final AtomicLong changes = new AtomicLong(); // of what waits
  private final AtomicLong arriving = new AtomicLong(); // admitted, and not known to be stored yet
  private volatile boolean counted;
  private volatile boolean inDoubt; // something may have been stored, or ended, unheard

  public final LongAdder rescued = new LongAdder(); // found by the safety sweep
  public final LongAdder accepted = new LongAdder();
  public final LongAdder delivered = new LongAdder();
  public final LongAdder failed = new LongAdder();
  private final LongAdder failedAfterDelivery = new LongAdder(); // counted as delivered before
  public final LongAdder expired = new LongAdder();
  public final LongAdder held = new LongAdder();
  public final LongAdder cancelled = new LongAdder();
  public final LongAdder retried = new LongAdder();
  public final LongAdder throttled = new LongAdder();
  public final LongAdder stale = new LongAdder();
  public final LongAdder received = new LongAdder();
  public final LongAdder refused = new LongAdder();
  public final LongAdder handled = new LongAdder();
  public final LongAdder handlingFailed = new LongAdder();
  public final LongAdder unhandled = new LongAdder(); // became dead letters

  /** Makes room for one more message, or says that there is none. */
  public boolean admit(String account, long maxAll, long maxOfAccount) {
    changes.incrementAndGet();
    if (active.incrementAndGet() > maxAll) {
      active.decrementAndGet();
      return false;
    }
    AtomicLong own = of(activeByAccount, account);
    if (own.incrementAndGet() > maxOfAccount) {
      own.decrementAndGet();
      active.decrementAndGet();
      return false;
    }
    arriving.incrementAndGet();
    return true;
  }

  /** What was admitted is stored, or is not: what {@link #leave} says of it follows. */
  public void arrived() {
    arriving.decrementAndGet();
  }

  /** An admitted message was not stored, or has ended. */
  public void leave(String account) {
    changes.incrementAndGet();
    active.decrementAndGet();
    of(activeByAccount, account).decrementAndGet();
  }

  public void countBefore(List<QueueDepth> depths) {
    for (QueueDepth depth : depths) {
      active.addAndGet(depth.active());
      of(activeByAccount, depth.account()).addAndGet(depth.active());
      of(deadByAccount, depth.account()).addAndGet(depth.deadLetters());
      waitingEvents.addAndGet(depth.waiting());
      deadEvents.addAndGet(depth.deadEvents());
    }
    counted = true;
  }

  /** From now on the counts may be wrong, until they are made anew. */
  public void doubt() {
    inDoubt = true;
  }

  public boolean isInDoubt() {
    return inDoubt;
  }

  /** How often the number of what waits has changed; -1 while something is on its way in. */
  public long changes() {
    return arriving.get() > 0 ? -1 : changes.get();
  }

  /** Counts anew, unless something has changed since. */
  public void recount(List<QueueDepth> depths, long changesBefore) {
    if (changesBefore >= 0 && changesBefore == changes()) {
      inDoubt = false;
      recount(depths);
    }
  }

  /** Counts anew: others that share the store change what is there too. */
  public void recount(List<QueueDepth> depths) {
    long all = 0;
    Set<String> there = depths.stream().map(QueueDepth::account).collect(Collectors.toSet());
    activeByAccount.keySet().retainAll(there);
    deadByAccount.keySet().retainAll(there);
    for (QueueDepth depth : depths) {
      all += depth.active();
      of(activeByAccount, depth.account()).set(depth.active());
      of(deadByAccount, depth.account()).set(depth.deadLetters());
    }
    active.set(all);
    waitingEvents.set(depths.stream().mapToLong(QueueDepth::waiting).sum());
    deadEvents.set(depths.stream().mapToLong(QueueDepth::deadEvents).sum());
    leasedEvents.updateAndGet(leased -> Math.min(leased, waitingEvents()));
    counted = true;
  }

  /** How many messages have ended, in whatever way. */
  public long ended() {
    return delivered.sum()
        + failed.sum()
        - failedAfterDelivery.sum()
        + expired.sum()
        + held.sum()
        + cancelled.sum();
  }

  public boolean counted() {
    return counted;
  }

  public long active() {
    return Math.max(0, active.get());
  }

  public long active(String account) {
    return Math.max(0, of(activeByAccount, account).get());
  }

  public long deadLetters(String account) {
    return Math.max(0, of(deadByAccount, account).get());
  }

  public long deadLetters() {
    return deadByAccount.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** Events that are not handled, those somebody has included. */
  public long waitingEvents() {
    return Math.max(0, waitingEvents.get());
  }

  /** Events that were handed out by this process and have not come back. */
  public long leasedEvents() {
    return leasedEvents.get();
  }

  public long deadEvents() {
    return Math.max(0, deadEvents.get());
  }

  /** Dead events were let go of. */
  public void leftEvents(long dead) {
    deadEvents.addAndGet(-dead);
  }

  public void discarded(String account) {
    of(deadByAccount, account).decrementAndGet();
  }

  public void pruned(PruneResult pruned) {
    pruned.deadLetters().forEach((account, count) -> of(deadByAccount, account).addAndGet(-count));
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Accepted _ -> accepted.increment();
      case Event.Delivered _ -> {
        delivered.increment();
        leave(event.account());
      }
      case Event.Ended ended -> onEnded(ended);
      case Event.Retrying _ -> retried.increment();
      case Event.Throttled _ -> throttled.increment();
      case Event.Stale _ -> stale.increment();
      case Event.InboundReceived _ -> {
        received.increment();
        waitingEvents.incrementAndGet();
      }
      case Event.InboundRefused _ -> refused.increment();
      case Event.InboundLeased _ -> leasedEvents.incrementAndGet();
      case Event.InboundRetrying _ -> {
        handlingFailed.increment();
        unleased();
      }
      case Event.InboundHandled _ -> {
        handled.increment();
        unleased();
        waitingEvents.decrementAndGet();
      }
      case Event.InboundFailed _ -> {
        handlingFailed.increment();
        unhandled.increment();
        unleased();
        waitingEvents.decrementAndGet();
        deadEvents.incrementAndGet();
      }
      default -> {} // the others change no count
    }
  }

  /** What comes back may have been handed out before the start, or by somebody else. */
  private void unleased() {
    leasedEvents.updateAndGet(leased -> Math.max(0, leased - 1));
  }

  private void onEnded(Event.Ended ended) {
    if (ended.afterDelivery()) {
      failedAfterDelivery.increment(); // it has left before
    } else {
      leave(ended.account());
    }
    if (ended.status().deadLetter()) {
      of(deadByAccount, ended.account()).incrementAndGet();
    }
    switch (ended.status()) {
      case FAILED -> failed.increment();
      case EXPIRED -> expired.increment();
      case HELD -> held.increment();
      case CANCELLED -> cancelled.increment();
      case QUEUED, SENDING, DELIVERED -> throw new IllegalArgumentException(ended.toString());
    }
  }

  private static AtomicLong of(Map<String, AtomicLong> counts, String account) {
    return counts.computeIfAbsent(account, _ -> new AtomicLong());
  }
}
