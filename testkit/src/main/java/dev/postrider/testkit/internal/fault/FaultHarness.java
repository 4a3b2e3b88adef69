package dev.postrider.testkit.internal.fault;

import dev.postrider.testkit.internal.crash.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Puts a loaded server through one fault, and looks at it as an operator would. */
public final class FaultHarness {
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration SEEN_WITHIN = Duration.ofMinutes(2); // on however busy a machine

  private FaultHarness() {}

  /**
   * What became of it.
   *
   * @param recovered how long it took from the remedy until all was well
   * @param violations what should have held and did not
   */
  public record Report(Fault fault, Duration recovered, List<String> violations) {}

  public static Report run(Fault fault, Path folder) throws IOException, InterruptedException {
    try (Trial trial = new Trial(folder, fault.settings())) {
      try {
        fault.prepare(trial);
        trial.begin();
        trial.turnOverLog();
        fault.strike(trial);
        List<String> violations = unseen(fault, trial);
        long mending = System.nanoTime();
        fault.mend(trial);
        trial.awaitWell();
        Duration recovered = Duration.ofNanos(System.nanoTime() - mending);
        violations.addAll(trial.finish());
        return new Report(fault, recovered, violations);
      } finally {
        trial.end();
        fault.tidy(trial);
      }
    }
  }

  /** Looks until every sign was seen; gives those that were not. */
  private static List<String> unseen(Fault fault, Trial trial) throws IOException {
    List<String> unseen = new ArrayList<>();
    long deadline = System.nanoTime() + SEEN_WITHIN.toNanos();
    for (Sign sign : fault.signs()) {
      String there = sign.place().read(trial);
      while (!there.contains(sign.says()) && System.nanoTime() < deadline) {
        LockSupport.parkNanos(LOOK.toNanos());
        there = sign.place().read(trial);
      }
      if (!there.contains(sign.says())) {
        unseen.add("not seen: " + sign + ", but " + there);
      }
    }
    return unseen;
  }
}
