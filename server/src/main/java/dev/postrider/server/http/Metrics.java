package dev.postrider.server.http;

import dev.postrider.engine.AccountView;
import dev.postrider.engine.Health;
import dev.postrider.engine.Stats;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Counts events as they happen and reads depths when asked. Labels are accounts and event types
 * only, so the number of series stays small. Thread-safe.
 */
public final class Metrics implements Events.Listener {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Series, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  private final MultiGauge queued = gauge("postrider.queued", "Messages waiting or being sent");
  private final MultiGauge sending = gauge("postrider.sending", "Attempts under way");
  private final MultiGauge dead =
      gauge("postrider.dead.letters", "Messages that ended undelivered");
  private final MultiGauge share =
      gauge("postrider.pace.share", "Part of the configured pace in use after complaints");
  private final MultiGauge up = gauge("postrider.account.ready", "1 if the account is ready");
  private final MultiGauge inbound =
      gauge("postrider.inbound", "Inbound messages that are not handled, by status");
  private final MultiGauge house = gauge("postrider.engine", "The engine as a whole, by fact");

  private record Series(String type, String account) {}

  private MultiGauge gauge(String name, String about) {
    return MultiGauge.builder(name).description(about).register(registry);
  }

  @Override
  public void on(Event event) {
    counters.computeIfAbsent(new Series(event.type(), event.account()), this::counter).increment();
    if (event instanceof Event.Delivered delivered) {
      timers.computeIfAbsent(delivered.account(), this::timer).record(delivered.took());
    }
  }

  private Counter counter(Series series) {
    return Counter.builder("postrider.events")
        .description("What happened, by type and account")
        .tag("type", series.type())
        .tag("account", series.account())
        .register(registry);
  }

  private Timer timer(String account) {
    return Timer.builder("postrider.delivery")
        .description("From acceptance to delivery")
        .tag("account", account)
        .serviceLevelObjectives(
            Duration.ofMillis(10),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(10))
        .register(registry);
  }

  String scrape(Stats stats) {
    List<AccountView> accounts = stats.accounts();
    fill(queued, accounts, AccountView::queued);
    fill(sending, accounts, AccountView::sending);
    fill(dead, accounts, AccountView::deadLetters);
    fill(share, accounts, AccountView::share);
    fill(up, accounts, account -> account.health() == Health.READY ? 1 : 0);
    inbound.register(
        List.of(
            ofStatus("pending", StatsApi.pending(stats.inbound())),
            ofStatus("leased", stats.inbound().leased()),
            ofStatus("failed", stats.inbound().deadLetters())),
        true);
    house.register(
        List.of(
            fact("durable", stats.durable() ? 1 : 0),
            fact("store-up", stats.storeDownBecause() == null ? 1 : 0),
            fact("paused-lanes", stats.pausedLanes())),
        true);
    return registry.scrape();
  }

  private static Row<Number> ofStatus(String status, long count) {
    return Row.of(Tags.of("status", status), count);
  }

  private static Row<Number> fact(String name, double value) {
    return Row.of(Tags.of("fact", name), value);
  }

  private static void fill(
      MultiGauge gauge, List<AccountView> accounts, ToDoubleFunction<AccountView> value) {
    gauge.register(
        accounts.stream()
            .<Row<?>>map(each -> Row.of(Tags.of("account", each.id()), value.applyAsDouble(each)))
            .toList(),
        true);
  }
}
