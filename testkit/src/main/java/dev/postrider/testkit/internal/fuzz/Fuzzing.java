package dev.postrider.testkit.internal.fuzz;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs cases, each with a seed of its own. In a build they are always the same and so many; {@code
 * -Dpostrider.fuzz.minutes} runs on with fresh ones for that long, {@code -Dpostrider.fuzz.seed}
 * begins with the given one. A case that fails or hangs says its seed.
 */
public final class Fuzzing {
  private static final Duration HANGS = Duration.ofSeconds(60);

  /** A long run goes on after a failure, but not after this many. */
  private static final int MOST_FAILURES = 10;

  private Fuzzing() {}

  /** Tries one input. */
  @FunctionalInterface
  public interface Case {
    void run(Noise noise) throws Exception;
  }

  /**
   * Runs cases until there were enough of them, or the time is over.
   *
   * @param name what is tried
   * @param cases how many in a build
   */
  public static void run(String name, int cases, Case each) {
    String time = System.getProperty("postrider.fuzz.minutes");
    Double minutes = time == null ? null : Double.valueOf(time);
    Long given = Long.getLong("postrider.fuzz.seed");
    long first =
        given != null ? given : minutes == null ? 1 : ThreadLocalRandom.current().nextInt();
    long until = System.nanoTime() + (minutes == null ? 0 : (long) (minutes * 60e9));
    List<AssertionError> failures = new ArrayList<>();
    try (Watch watch = new Watch(name)) {
      for (long i = 0; minutes == null ? i < cases : System.nanoTime() < until; i++) {
        long seed = first + i;
        watch.begins(seed);
        try {
          each.run(new Noise(seed));
        } catch (Exception | AssertionError | StackOverflowError e) {
          failures.add(
              new AssertionError(name + " fails with seed " + seed + ": " + e.getMessage(), e));
          if (minutes == null || failures.size() == MOST_FAILURES) {
            break;
          }
        }
      }
    }
    if (!failures.isEmpty()) {
      AssertionError failure = failures.getFirst();
      failures.subList(1, failures.size()).forEach(failure::addSuppressed);
      throw failure;
    }
  }

  /** Says what a case does that does not end, and interrupts it. */
  private static final class Watch implements AutoCloseable {
    private record Begun(long seed, long at) {}

    private final AtomicReference<@Nullable Begun> begun = new AtomicReference<>();
    private final Thread worker = Thread.currentThread();
    private final Thread thread;

    @SuppressWarnings("SystemOut") // whoever waits for the build sees it at once
    Watch(String name) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .name("fuzzing-watch")
              .start(
                  () -> {
                    try {
                      while (true) {
                        Thread.sleep(1_000);
                        Begun now = begun.get();
                        if (now != null && System.nanoTime() - now.at > HANGS.toNanos()) {
                          System.err.println(
                              name
                                  + " hangs with seed "
                                  + now.seed
                                  + Arrays.stream(worker.getStackTrace())
                                      .map(frame -> "\n  at " + frame)
                                      .collect(Collectors.joining()));
                          worker.interrupt();
                          return;
                        }
                      }
                    } catch (InterruptedException e) {
                      return; // all cases are done
                    }
                  });
    }

    void begins(long seed) {
      begun.set(new Begun(seed, System.nanoTime()));
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}
