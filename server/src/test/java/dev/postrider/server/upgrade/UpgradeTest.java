package dev.postrider.server.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.internal.crash.UpgradeHarness;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of an earlier version, replaced server by server; {@code dev/upgrade-test} runs it. */
@EnabledIfSystemProperty(named = "postrider.upgrade.jar", matches = ".+")
class UpgradeTest {
  private static final long SEED = Long.getLong("postrider.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void a_cluster_is_upgraded_server_by_server_without_losing_repeating_or_reordering()
      throws Exception {
    Path jar = Path.of(System.getProperty("postrider.upgrade.jar", ""));

    UpgradeHarness.Report report = new UpgradeHarness(folder, jar, SEED).run();

    System.out.println("Upgrade harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.messages()).isGreaterThan(500);
  }
}
