package dev.postrider.server.api;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last events, for whoever follows them. The engine only drops an event in and goes on; each
 * follower reads at its own speed, and one that falls behind by a whole ring has lost events and is
 * told so. Nothing is queued per follower, so followers cost the engine nothing. Thread-safe.
 *
 * <p>Ids are {@code epoch-number}. The epoch differs after every start, so an id from before a
 * restart is recognised instead of being taken for one of now.
 */
public final class EventRing implements Events.Listener, AutoCloseable {
  private static final int USUAL_CAPACITY = 10_000;

  private final @Nullable Event[] events;
  private final String epoch;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private long next = 1;
  private int waiting;
  private boolean closed;

  /** A ring of the usual size, told apart by the time of the start. */
  public EventRing(Instant startedAt) {
    this(USUAL_CAPACITY, Long.toString(startedAt.toEpochMilli(), Character.MAX_RADIX));
  }

  EventRing(int capacity, String epoch) {
    this.events = new @Nullable Event[capacity];
    this.epoch = epoch;
  }

  @Override
  public void on(Event event) {
    lock.lock();
    try {
      events[(int) (next % events.length)] = event;
      next++;
      if (waiting > 0) {
        arrived.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends every following. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where to go on.
   *
   * @param after number of the last event seen
   * @param gap why events in between are lost, or null if none are
   */
  record Position(long after, @Nullable String gap) {}

  /** What came next: events and the number of the last one; or that following is over. */
  record Next(List<Event> events, long last, boolean over) {}

  /** Where somebody goes on who has seen the event of this id; null: who wants what is new. */
  Position position(@Nullable String lastId) {
    lock.lock();
    try {
      if (lastId == null) {
        return new Position(next - 1, null);
      }
      int dash = lastId.indexOf('-');
      if (dash < 0 || !lastId.substring(0, dash).equals(epoch)) {
        return new Position(oldest() - 1, "restarted");
      }
      long after;
      try {
        after = Long.parseLong(lastId.substring(dash + 1));
      } catch (NumberFormatException e) {
        return new Position(oldest() - 1, "unknown-id");
      }
      if (after < oldest() - 1) {
        return new Position(oldest() - 1, "too-old");
      }
      return after < next ? new Position(after, null) : new Position(next - 1, "unknown-id");
    } finally {
      lock.unlock();
    }
  }

  String id(long number) {
    return epoch + "-" + number;
  }

  /** Waits for events after the given one, but not longer than this; over if they are lost. */
  Next after(long number, int most, Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long nanos = patience.toNanos();
      waiting++;
      try {
        while (!closed && number >= next - 1 && nanos > 0) {
          nanos = arrived.awaitNanos(nanos);
        }
      } finally {
        waiting--;
      }
      if (closed || number < oldest() - 1) {
        return new Next(List.of(), number, true);
      }
      List<Event> found = new ArrayList<>();
      long at = number;
      while (at < next - 1 && found.size() < most) {
        @Nullable Event event = events[(int) (++at % events.length)];
        if (event != null) {
          found.add(event);
        }
      }
      return new Next(found, at, false);
    } finally {
      lock.unlock();
    }
  }

  private long oldest() {
    return Math.max(1, next - events.length);
  }

  /** How many follow and wait; for tests that must not run ahead of a follower. */
  int waiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }
}
