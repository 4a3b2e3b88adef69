package dev.postrider.testkit.platform;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What has happened so far, in order; a test can wait for it to grow. Thread-safe. */
final class Journal<T> {
  private final List<T> entries = new ArrayList<>();

  synchronized void add(T entry) {
    entries.add(entry);
    notifyAll();
  }

  synchronized List<T> all() {
    return List.copyOf(entries);
  }

  synchronized int size() {
    return entries.size();
  }

  synchronized List<T> await(int count, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (entries.size() < count) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError(
            "waited " + atMost + " for " + count + " and saw " + entries.size());
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + count, e);
      }
    }
    return List.copyOf(entries);
  }
}
