package dev.postrider.server.api;

import dev.postrider.view.Stats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The metrics of a server: of its engine, its requests and its process. Thread-safe. */
public final class Metrics {
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE");
  private static final Set<String> MISNAMED = Set.of("process.cpu.time", "system.cpu.count");

  private final PrometheusMeterRegistry registry = registry();
  private final EngineMetrics engine;
  private final Map<List<String>, Timer> requests = new ConcurrentHashMap<>();

  /** Without any account. */
  public Metrics() {
    this(Set.of(), null);
  }

  /**
   * Metrics of a server.
   *
   * @param accounts the configured ones
   * @param data where the data are; null if they are not on this machine
   */
  public Metrics(Set<String> accounts, @Nullable Path data) {
    engine = new EngineMetrics(registry, accounts, data);
    add(new JvmMemoryMetrics());
    add(new JvmGcMetrics());
    add(new JvmThreadMetrics());
    add(new FileDescriptorMetrics());
    add(new ProcessorMetrics());
    FunctionCounter.builder("process.cpu.seconds", ProcessHandle.current(), Metrics::cpuSeconds)
        .description("Time of all processors that the process has used")
        .register(registry);
    add(new UptimeMetrics());
  }

  /** Without those series of others that Prometheus would not call so. */
  private static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    made.config().meterFilter(MeterFilter.deny(id -> MISNAMED.contains(id.getName())));
    return made;
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process.info().totalCpuDuration().map(time -> time.toMillis() / 1000.0).orElse(0.0);
  }

  /** Those of the engine, to be told what happens. */
  public EngineMetrics engine() {
    return engine;
  }

  /** Adds series of others. */
  public void add(MeterBinder others) {
    others.bindTo(registry);
  }

  /**
   * A request was answered.
   *
   * @param route its pattern; null if there is nothing at its path
   */
  public void answered(String method, @Nullable Route route, int status, Duration took) {
    List<String> labels =
        List.of(
            EngineMetrics.known(method, METHODS),
            route == null ? EngineMetrics.OTHER : route.path(),
            status / 100 + "xx");
    requests.computeIfAbsent(labels, this::requestTimer).record(took);
  }

  private Timer requestTimer(List<String> labels) {
    return Timer.builder("postrider.http.requests")
        .description("From the arrival of a request to its answer, without sending that")
        .tag("method", labels.get(0))
        .tag("route", labels.get(1))
        .tag("status", labels.get(2))
        .serviceLevelObjectives(
            EngineMetrics.millis(5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000))
        .register(registry);
  }

  /** All series, as Prometheus reads them. */
  String scrape(
      Stats stats, Map<String, Map<String, Long>> waits, @Nullable Map<String, Long> activeRuns) {
    engine.refresh(stats, waits, activeRuns);
    return registry.scrape();
  }
}
