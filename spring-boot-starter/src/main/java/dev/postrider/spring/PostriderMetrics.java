package dev.postrider.spring;

import dev.postrider.Postrider;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.PeriodicTask;
import dev.postrider.server.api.EngineMetrics;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.view.Stats;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the metrics every few seconds how things stand. Registries do not ask. */
final class PostriderMetrics implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final EngineMetrics metrics;
  private final Postrider postrider;
  private final Reminders reminders;
  private final PeriodicTask rounds;

  PostriderMetrics(EngineMetrics metrics, Postrider postrider, Reminders reminders) {
    this.metrics = metrics;
    this.postrider = postrider;
    this.reminders = reminders;
    postrider.onCommit(metrics);
    refresh();
    rounds = new PeriodicTask("metrics", PAUSE, this::refresh);
  }

  private void refresh() {
    Stats stats = postrider.stats();
    metrics.refresh(stats, postrider.waitingCounts(stats.accounts()), activeRuns());
  }

  /** Null if the store cannot tell: then, of all times, the other metrics are needed. */
  private @Nullable Map<String, Long> activeRuns() {
    try {
      return reminders.runs().activeByStatus();
    } catch (StoreUnavailable | StoreClosed e) {
      return null;
    }
  }

  @Override
  public void close() {
    rounds.close();
  }
}
