package dev.postrider.internal.lane;

import dev.postrider.store.Store;
import dev.postrider.store.message.Head;
import dev.postrider.time.LatestInstant;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings heads from the store into an account's window: page by page as the shelves empty,
 * scheduled messages through their lane's door when their time has come, and the moment when the
 * next one will be due. Nothing here blocks; what the store answers is taken in under the window's
 * lock, and then the lanes are told to move on.
 */
final class HeadLoader {
  private static final Logger log = LoggerFactory.getLogger(HeadLoader.class);
  private static final Duration READ_AGAIN = Duration.ofSeconds(1);

  private final String account;
  private final Store store;
  private final Scheduler time;
  private final Object lock;
  private final LaneWindow window;
  private final Runnable moveOn;
  private final Set<Long> entering = ConcurrentHashMap.newKeySet(); // rows on their way in
  private final LatestInstant clock = new LatestInstant();

  /**
   * @param lock guards the window
   * @param moveOn sends what may be sent; called without the lock
   */
  HeadLoader(
      String account,
      Store store,
      Scheduler time,
      Object lock,
      LaneWindow window,
      Runnable moveOn) {
    this.account = account;
    this.store = store;
    this.time = time;
    this.lock = lock;
    this.window = window;
    this.moveOn = moveOn;
  }

  /**
   * Takes a head to where it belongs: into the window, through its lane's door, or to the alarm.
   */
  void place(Head head) {
    Instant now = time.instant();
    if (head.scheduled() && !head.dueAt().isAfter(now)) {
      enter(head, now);
      return;
    }
    synchronized (lock) {
      if (head.dueAt().isAfter(waitsForClock(head) ? now : dueNow(now))) {
        window.dueAt(head.dueAt());
      } else {
        window.add(head);
      }
    }
  }

  private void enter(Head head, Instant now) {
    if (entering.add(head.row())) {
      ask(() -> store.enter(account, head.row(), now))
          .whenComplete((entered, failure) -> entered(head, entered, failure));
    }
  }

  private void entered(Head head, Optional<Head> entered, @Nullable Throwable failure) {
    entering.remove(head.row());
    if (failure != null) {
      lookSoon();
    } else if (entered.isPresent()) {
      place(entered.get());
      moveOn.run();
    }
  }

  /** Whether this may be due because of a time somebody named: the clock must show it. */
  static boolean waitsForClock(Head head) {
    return head.scheduled() || !head.ordered();
  }

  /** Whether a scheduled head is on its way into its lane. */
  boolean isEntering(Head head) {
    return entering.contains(head.row());
  }

  /**
   * Up to when things count as due: what the clock has shown once stays true, also when it is set
   * back. Only what is scheduled for a time waits until the clock shows it again.
   */
  Instant dueNow(Instant now) {
    return clock.seen(now);
  }

  /** A store that throws has failed like one that says so. */
  private static <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
    try {
      return question.get();
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void lookSoon() {
    synchronized (lock) {
      window.lookAt(time.elapsed().plus(READ_AGAIN));
    }
    moveOn.run();
  }

  /** Something in the store becomes due then. */
  void dueAt(Instant when) {
    synchronized (lock) {
      window.dueAt(when);
    }
    moveOn.run();
  }

  /** Fills a shelf. */
  void read(DueHeads dueHeads) {
    Head after;
    synchronized (lock) {
      if (!dueHeads.wantsPage()) {
        return;
      }
      after = dueHeads.beginPage();
    }
    Instant now = dueNow(time.instant());
    ask(() -> store.due(account, dueHeads.priority, now, after, DueHeads.PAGE))
        .whenComplete((page, failure) -> taken(dueHeads, page, failure, now));
  }

  private void taken(
      DueHeads dueHeads, List<Head> page, @Nullable Throwable failure, Instant asOf) {
    if (failure != null) {
      log.warn(
          "Account {}: reading what is due failed, trying again: {}", account, failure.toString());
      time.after(READ_AGAIN, () -> forget(dueHeads));
      return;
    }
    List<Head> scheduled;
    boolean throughWithIt;
    synchronized (lock) {
      scheduled = window.endPage(dueHeads, page, time.instant());
      throughWithIt = dueHeads.showsEverything();
    }
    scheduled.forEach(this::place);
    if (throughWithIt) {
      ask(() -> store.nextDue(account, asOf)).whenComplete(this::nextDue);
    }
    moveOn.run();
  }

  /** Only now, and not when the page failed: until then nobody asks a store that is away. */
  private void forget(DueHeads dueHeads) {
    synchronized (lock) {
      window.failPage(dueHeads);
    }
    moveOn.run();
  }

  private void nextDue(Optional<Instant> next, @Nullable Throwable failure) {
    if (failure != null) {
      lookSoon();
    } else {
      next.ifPresent(this::dueAt);
    }
  }
}
