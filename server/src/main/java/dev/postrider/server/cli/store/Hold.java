package dev.postrider.server.cli.store;

import dev.postrider.config.PostriderConfig;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.When;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.log.Logging;
import dev.postrider.store.Restoration;
import dev.postrider.store.Restored;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider hold}: what {@code restore} does at its end, for other ways to restore. */
@Command(
    name = "hold",
    description = {
      "Holds whatever may have been sent since a backup, in a store that other tools brought back:",
      "once, after pg_restore, a recovery to a point in time or an old snapshot of the disk, and"
          + " before a server starts. Interrupted, it can be repeated."
    },
    footer = "  postrider hold --taken 2026-11-20T03:00:00Z --config postrider.yaml")
public final class Hold implements Callable<Integer> {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final Terminal terminal;

  @Option(
      names = "--taken",
      required = true,
      paramLabel = "WHEN",
      description = "When the backup was taken: 2026-11-20T03:00:00Z, or 6h (ago).")
  private When taken = new When("");

  @Option(names = "--hold-scheduled", description = RestoredReport.HOLD_SCHEDULED)
  private boolean everything;

  @Mixin private ConfigOptions options;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  Hold(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    PostriderConfig config =
        options.load(ConfigLoader.forChannelsOnClassPath(terminal.environment())).postrider();
    Stores.requireFile(config.store(), "to work on");
    try (SystemScheduler time = new SystemScheduler();
        Store store = Stores.open(config.store(), "store", "hold", config.encryptionKeys(), time)) {
      awaitNobody(store, time);
      Instant now =
          store
              .cluster()
              .map(cluster -> cluster.clockZero().plus(time.elapsed()))
              .orElseGet(time::instant);
      report(hold(store, takenAt(now), now));
      return 0;
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because("It stopped: " + e.getMessage() + ". It can be repeated.");
    }
  }

  /** A server that lived when the backup was taken seems to live until its lease is over. */
  private static void awaitNobody(Store store, Scheduler time) {
    Duration patience =
        store.cluster().map(Cluster::leaseLength).orElse(Duration.ZERO).plus(LOOK_AGAIN);
    Duration until = time.elapsed().plus(patience);
    while (!Stores.inUseBecause(store).isEmpty() && time.elapsed().compareTo(until) < 0) {
      time.pause(LOOK_AGAIN);
    }
    Stores.export(store, "store"); // which says whoever is there
  }

  private Instant takenAt(Instant now) {
    Instant at = taken.ago(now);
    if (at.isAfter(now)) {
      throw Failure.usage("--taken is in the future.");
    }
    return at;
  }

  private Restored hold(Store store, Instant takenAt, Instant now) {
    Restoration restoration =
        store
            .restoration(takenAt, now, everything)
            .orElseThrow(() -> Failure.because("This kind of store cannot do that."));
    Restored restored = restoration.next();
    while (!restored.finished()) {
      restored = restoration.next();
    }
    return restored;
  }

  private void report(Restored restored) {
    if (json) {
      terminal
          .data()
          .println(new JsonMapper().writeValueAsString(RestoredReport.members(restored)));
    } else {
      RestoredReport.print(terminal, restored);
    }
  }
}
