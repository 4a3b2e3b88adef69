package dev.postrider.server.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Hangs up on whoever takes too long to send a body: a platform that stalls, or somebody who wants
 * to hold as many connections as there are. Thread-safe.
 */
final class SlowBodies implements AutoCloseable {
  private final Duration longest;
  private final Set<Reading> readings = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("slow-bodies").daemon().factory());

  SlowBodies(Duration longest) {
    this.longest = longest;
    long often = Math.clamp(longest.toMillis() / 4, 10, 5_000);
    watch.scheduleWithFixedDelay(this::hangUp, often, often, TimeUnit.MILLISECONDS);
  }

  /** Reads a body. */
  @FunctionalInterface
  interface Body {
    byte[] read() throws IOException;
  }

  /** Reads a body, as long as that does not take too long. */
  byte[] read(Body body) throws IOException {
    Reading reading = new Reading();
    readings.add(reading);
    try {
      return body.read();
    } finally {
      readings.remove(reading);
      reading.done();
    }
  }

  private void hangUp() {
    long now = System.nanoTime();
    for (Reading reading : readings) {
      reading.end(now);
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }

  private final class Reading {
    private final Thread thread = Thread.currentThread();
    private final long since = System.nanoTime();
    private boolean done; // guarded by this

    synchronized void done() {
      done = true;
    }

    synchronized void end(long now) {
      if (!done && now - since > longest.toNanos()) {
        thread.interrupt(); // on a virtual thread this closes the socket it reads from
      }
    }
  }
}
