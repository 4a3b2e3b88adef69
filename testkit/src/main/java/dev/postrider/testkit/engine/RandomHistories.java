package dev.postrider.testkit.engine;

import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of random histories in virtual time against a reference model: order, no loss,
 * attempts, repeats and pace hold in every one. {@code -Dpostrider.histories=N} sets how many,
 * {@code -Dpostrider.seed=S} runs one again.
 */
public abstract class RandomHistories {
  private static final int STEPS = 200;

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  Path folder;

  /** Opens the store under test in this folder, which is empty for each history. */
  protected abstract Store openStore(Path folder, VirtualTime time);

  /** How many histories are lived if nobody says; a slow store may want fewer. */
  protected int usually() {
    return 520;
  }

  @Test
  void every_history_keeps_the_rules() {
    Long one = Long.getLong("postrider.seed");
    if (one != null) {
      live(one);
      return;
    }
    int histories = Integer.getInteger("postrider.histories", usually());
    long first = Long.getLong("postrider.firstSeed", 1);
    for (long seed = first; seed < first + histories; seed++) {
      live(seed);
    }
  }

  private void live(long seed) {
    Path own = folder.resolve("history-" + seed);
    try {
      new RandomHistory(time -> openStore(own, time), seed).run(STEPS);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "history failed; run it again with -Dpostrider.seed=" + seed + "\n" + e.getMessage(), e);
    }
  }
}
