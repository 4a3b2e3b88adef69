package dev.postrider.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does short tasks every few seconds, one after the other. A task that fails is logged and has its
 * next turn like all others. Thread-safe.
 */
final class Rounds implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Rounds.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("rounds").daemon().factory());

  Rounds(List<Runnable> tasks) {
    for (Runnable task : tasks) {
      thread.scheduleWithFixedDelay(
          () -> turn(task), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void turn(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // an Error too: thrown out of here, it would end all further turns
      log.warn("A recurring task failed, and is done again: {}", e.toString(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
