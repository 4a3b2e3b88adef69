package dev.postrider.bench.scale;

import java.util.PriorityQueue;

/** Virtual time: what will happen, in its order; at the same moment, in the order of asking. */
final class Events {
  private final PriorityQueue<Event> coming = new PriorityQueue<>();
  private long now;
  private long asked;

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  long now() {
    return now;
  }

  void at(long time, Runnable action) {
    coming.add(new Event(Math.max(now, time), asked++, action));
  }

  /** Everything until then happens. */
  void runUntil(long time) {
    for (Event next = coming.peek(); next != null && next.at <= time; next = coming.peek()) {
      coming.poll();
      now = next.at;
      next.action.run();
    }
    now = Math.max(now, time);
  }

  /** Everything happens. */
  void runOut() {
    for (Event next = coming.poll(); next != null; next = coming.poll()) {
      now = next.at;
      next.action.run();
    }
  }
}
