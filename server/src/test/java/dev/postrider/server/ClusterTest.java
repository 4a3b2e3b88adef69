package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.ClusterHarness;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real servers on one PostgreSQL, some kinds of disaster and a pair of them; {@code
 * dev/cluster-test 20} goes through all kinds for 20 minutes.
 */
class ClusterTest {
  private static final long SEED = Long.getLong("postrider.seed", System.nanoTime());

  /** Kept after a failure: the servers' logs are in it. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void nothing_is_lost_reordered_or_needlessly_repeated_whatever_befalls_a_cluster()
      throws Exception {
    System.out.println("Cluster harness: seed " + SEED + ", logs in " + folder);

    ClusterHarness.Report report =
        new ClusterHarness(folder, SEED)
            .run(Duration.ofMinutes(Integer.getInteger("postrider.cluster.minutes", 0)));

    System.out.println("Cluster harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.messages()).as("messages under load").isGreaterThan(1_000);
    assertThat(report.takeovers().sorted()).as("takeovers after a death").isNotEmpty();
  }
}
