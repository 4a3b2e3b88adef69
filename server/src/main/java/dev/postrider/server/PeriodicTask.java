package dev.postrider.server;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a task again and again on a thread of its own. One that fails is logged and is done again
 * like any other. Thread-safe.
 */
public final class PeriodicTask implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PeriodicTask.class);

  private final ScheduledExecutorService thread;

  public PeriodicTask(String name, Duration pause, Runnable task) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(name).daemon().factory());
    thread.scheduleWithFixedDelay(
        () -> turn(name, task), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void turn(String name, Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // an Error too: thrown out of here, it would end all further rounds
      log.warn("A round of '{}' failed, the next one follows: {}", name, e.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
