package dev.postrider.jdbc.session;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a store. They are platform threads: a call into SQLite holds its carrier, and on
 * virtual threads a few of them would starve everything else in the process.
 *
 * @param writer runs one task at a time
 * @param completer runs what follows from a commit, in order
 * @param readers runs reads
 */
public record Workers(Executor writer, Executor completer, Executor readers) {

  public static Workers threads(int readers) {
    return new Workers(
        one("postrider-writer"),
        one("postrider-commits"),
        Executors.newFixedThreadPool(
            readers, Thread.ofPlatform().daemon().name("postrider-reader-", 0).factory()));
  }

  private static ExecutorService one(String name) {
    return Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(name).factory());
  }

  /**
   * Finishes what was handed in, then ends the threads. What had no time to begin is run here: the
   * store is closed by then, and it only tells its caller so.
   */
  public void close(Duration grace) {
    for (Executor executor : new Executor[] {writer, completer, readers}) {
      if (executor instanceof ExecutorService service) {
        service.shutdown();
        boolean finished = false;
        try {
          finished = service.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        if (!finished) {
          service.shutdownNow().forEach(Runnable::run);
        }
      }
    }
  }
}
