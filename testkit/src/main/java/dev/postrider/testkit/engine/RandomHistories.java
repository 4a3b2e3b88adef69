package dev.postrider.testkit.engine;

import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
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
    return 60;
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
    Map<Long, Throwable> failed = new LinkedHashMap<>();
    for (long seed = first; seed < first + histories; seed++) {
      try {
        live(seed);
      } catch (RuntimeException | Error e) {
        failed.put(seed, e);
      }
    }
    if (!failed.isEmpty()) {
      throw new AssertionError(
          "histories failed; run one again with -Dpostrider.seed=S\n"
              + failed.entrySet().stream()
                  .map(each -> each.getKey() + ": " + each.getValue())
                  .collect(Collectors.joining("\n")),
          failed.values().iterator().next());
    }
  }

  private void live(long seed) {
    Path own = folder.resolve("history-" + seed);
    new RandomHistory(time -> openStore(own, time), seed).run(STEPS);
  }
}
