package dev.postrider.server.api;

import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.EndReason;
import dev.postrider.server.config.Build;
import dev.postrider.store.CommitListener;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.Stats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts events and commits as they happen, and takes depths when told, in whichever registry;
 * docs/metrics.md lists every series. Labels come from fixed sets and the configuration only,
 * whatever senders and platforms write: what is in no set is {@code other}. Thread-safe.
 */
public final class EngineMetrics implements Events.Listener, CommitListener {
  static final String OTHER = "other";
  private static final String INBOUND = "inbound"; // what could not be handled
  private static final Set<String> REASONS =
      Stream.concat(Stream.of(EndReason.values()).map(EndReason::label), Stream.of(INBOUND))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> OUTCOMES =
      Set.of(
          "throttled",
          "unreachable",
          "media-unreachable",
          "not-sent",
          "unknown",
          "hold",
          "repairable",
          "rejected",
          "account-broken");
  private static final List<String> WAITING =
      List.of(
          "pace",
          "retry",
          "behind",
          "sendAt",
          "lanePaused",
          "accountPaused",
          "accountBroken",
          "unreachable",
          "storeDown",
          "otherNode",
          OTHER);
  private static final List<String> RUNNING = List.of("waiting", "running", "paused");
  private static final List<String> CHANGING = List.of("success", "partial", "failed");

  private final MeterRegistry registry;
  private final Set<String> accounts;

  // The registry would find them too, but not as fast, and this is on the way of every message.
  private final Map<Labelled, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> deliveries = new ConcurrentHashMap<>();

  private record Labelled(String name, List<String> labels) {}

  private final MultiGauge queued = gauge("postrider.queued", "Messages waiting or being sent");
  private final MultiGauge sending = gauge("postrider.sending", "Attempts under way");
  private final MultiGauge dead =
      gauge("postrider.dead.letters", "Messages that ended undelivered and are kept");
  private final MultiGauge share =
      gauge("postrider.pace.share", "Part of the configured pace in use after complaints");
  private final MultiGauge health =
      gauge("postrider.account.health", "1 for the state the account is in, 0 for the others");
  private final MultiGauge listening =
      gauge("postrider.listening", "1 if the account hears what is written to it, 0 if it fails");
  private final MultiGauge oldest =
      gauge("postrider.oldest.waiting.seconds", "How long the longest waiting message waits");
  private final MultiGauge waiting =
      gauge("postrider.waiting", "Messages that wait, by what they wait for");
  private final MultiGauge inbound =
      gauge("postrider.inbound.messages", "Inbound messages that are not handled, by status");
  private final MultiGauge runs = gauge("postrider.runs", "Runs that have not ended, by status");
  private final MultiGauge pausedLanes = gauge("postrider.paused.lanes", "Chats that are paused");
  private final MultiGauge storeUp = gauge("postrider.store.up", "1 if the store takes writes");
  private final MultiGauge durable =
      gauge("postrider.store.durable", "0 if nothing survives a restart");
  private final AtomicLong rescued = new AtomicLong();
  private final Timer commits;
  private final DistributionSummary batches;

  /**
   * Metrics of an engine.
   *
   * @param accounts the configured ones
   * @param data where the data are; null if they are not on this machine
   */
  public EngineMetrics(MeterRegistry registry, Set<String> accounts, @Nullable Path data) {
    this.registry = registry; // before super, since the gauges above are made of it
    this.accounts = Set.copyOf(accounts);
    super();
    commits =
        Timer.builder("postrider.store.commit")
            .description("To apply and commit a batch of writes")
            .serviceLevelObjectives(millis(1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000))
            .register(registry);
    batches =
        DistributionSummary.builder("postrider.store.commit.writes")
            .description("Writes that were committed together")
            .serviceLevelObjectives(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_000)
            .register(registry);
    Gauge.builder("postrider.build.info", () -> 1)
        .description("Always 1; says which build runs, and on which Java")
        .tag("version", Build.version())
        .tag("java", Build.java())
        .register(registry);
    FunctionCounter.builder("postrider.rescued", rescued, AtomicLong::get)
        .description("Lanes that only the safety sweep found; each is a defect")
        .register(registry);
    if (data != null) {
      File disk = data.toFile();
      // As suppliers: an object beside a gauge is only weakly held, and gone with the next garbage.
      Gauge.builder("postrider.disk.free.bytes", disk::getUsableSpace)
          .description("Free for this process where the data are")
          .register(registry);
      Gauge.builder("postrider.disk.size.bytes", disk::getTotalSpace)
          .description("Size of the file system where the data are")
          .register(registry);
    }
    for (String before : CHANGING) { // there from the start: they are added up with others
      CHANGING.stream().filter(after -> !after.equals(before)).forEach(a -> changedRuns(before, a));
    }
  }

  private MultiGauge gauge(String name, String about) {
    return MultiGauge.builder(name).description(about).register(registry);
  }

  static Duration[] millis(long... lengths) {
    Duration[] all = new Duration[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      all[i] = Duration.ofMillis(lengths[i]);
    }
    return all;
  }

  // ---- as it happens

  @Override
  public void on(Event event) {
    String account = event.account().isEmpty() ? "" : known(event.account(), accounts);
    count("postrider.events", "What happened", "type", event.type(), "account", account);
    switch (event) {
      case Event.Delivered delivered ->
          deliveries.computeIfAbsent(account, this::deliveryTimer).record(delivered.took());
      case Event.Ended ended when ended.status().deadLetter() ->
          failed(account, ended.reason() == null ? ended.status().label() : ended.reason());
      case Event.InboundFailed _ -> failed(account, INBOUND);
      case Event.Retrying retrying ->
          count(
              "postrider.retries",
              "Attempts that did not succeed and are followed by another",
              "outcome",
              known(retrying.outcome(), OUTCOMES),
              "account",
              account);
      case Event.RunEnded run when run.before() == null -> {
        count("postrider.runs.ended", "Runs that have ended", "status", run.status());
        targets("sent", run.sent());
        targets("failed", run.failed());
        targets("skipped", run.skipped());
      }
      case Event.RunEnded run when !run.status().equals(run.before()) ->
          changedRuns(String.valueOf(run.before()), run.status()).increment();
      default -> {} // counted above, and nothing more
    }
  }

  private Counter changedRuns(String before, String after) {
    return Counter.builder("postrider.runs.changed")
        .description("Runs that had ended and whose status a platform's later word has changed")
        .tags("before", before, "after", after)
        .register(registry);
  }

  private void failed(String account, String reason) {
    count(
        "postrider.failures",
        "Messages that became dead letters",
        "reason",
        known(reason, REASONS),
        "account",
        account);
  }

  private void targets(String result, int number) {
    Counter.builder("postrider.run.targets")
        .description("Targets of ended runs, by their status")
        .tag("result", result)
        .register(registry)
        .increment(number);
  }

  private Timer deliveryTimer(String account) {
    return Timer.builder("postrider.delivery")
        .description("From acceptance to delivery")
        .tag("account", account)
        .serviceLevelObjectives(
            millis(10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 600_000, 3_600_000))
        .register(registry);
  }

  private void count(String name, String about, String... labels) {
    counters
        .computeIfAbsent(
            new Labelled(name, List.of(labels)),
            _ -> Counter.builder(name).description(about).tags(labels).register(registry))
        .increment();
  }

  static String known(String value, Set<String> values) {
    return values.contains(value) ? value : OTHER;
  }

  @Override
  public void committed(int writes, Duration took) {
    commits.record(took);
    batches.record(writes);
  }

  // ---- when asked

  /** Takes how things stand now; those of runs are left out if they are not known. */
  public void refresh(
      Stats stats, Map<String, Map<String, Long>> waits, @Nullable Map<String, Long> activeRuns) {
    List<AccountView> views =
        stats.accounts().stream().filter(account -> accounts.contains(account.id())).toList();
    fill(queued, views, AccountView::queued);
    fill(sending, views, AccountView::sending);
    fill(dead, views, AccountView::deadLetters);
    fill(share, views, AccountView::share);
    fill(oldest, views, account -> age(account.oldestWaitingAt(), stats.at()));
    rows(health, views, EngineMetrics::health);
    rows(waiting, views, account -> waiting(account.id(), waits.get(account.id())));
    rows(
        listening,
        views,
        account ->
            account.listening().status() == ListeningView.Status.OFF
                ? List.of()
                : List.of(
                    Row.of(
                        Tags.of("account", account.id()),
                        account.listening().status() == ListeningView.Status.OK ? 1 : 0)));
    inbound.register(
        List.of(
            of("status", "pending", StatsApi.pending(stats.inbound())),
            of("status", "leased", stats.inbound().leased()),
            of("status", "failed", stats.inbound().deadLetters())),
        true);
    runs.register(
        (activeRuns == null ? List.<String>of() : RUNNING)
            .stream()
                .<Row<?>>map(status -> of("status", status, count(activeRuns, status)))
                .toList(),
        true);
    rescued.set(stats.rescued());
    one(pausedLanes, stats.pausedLanes());
    one(storeUp, stats.storeDownBecause() == null ? 1 : 0);
    one(durable, stats.durable() ? 1 : 0);
  }

  private static long count(@Nullable Map<String, Long> counts, String of) {
    return counts == null ? 0 : counts.getOrDefault(of, 0L);
  }

  private static double age(@Nullable Instant since, Instant now) {
    return since == null ? 0 : Math.max(0, Duration.between(since, now).toMillis() / 1000.0);
  }

  private static List<Row<?>> health(AccountView account) {
    return Arrays.stream(Health.values())
        .<Row<?>>map(
            each ->
                Row.of(
                    Tags.of("account", account.id(), "state", each.label()),
                    each == account.health() ? 1 : 0))
        .toList();
  }

  private static List<Row<?>> waiting(String account, @Nullable Map<String, Long> counts) {
    Map<String, Long> known = new HashMap<>();
    if (counts != null) {
      counts.forEach((kind, n) -> known.merge(WAITING.contains(kind) ? kind : OTHER, n, Long::sum));
    }
    return WAITING.stream()
        .<Row<?>>map(
            kind -> Row.of(Tags.of("account", account, "reason", kind), count(known, kind)))
        .toList();
  }

  private static Row<Number> of(String label, String value, long count) {
    return Row.of(Tags.of(label, value), count);
  }

  private static void one(MultiGauge gauge, double value) {
    gauge.register(List.of(Row.of(Tags.empty(), value)), true);
  }

  private static void rows(
      MultiGauge gauge, List<AccountView> views, Function<AccountView, List<Row<?>>> rows) {
    List<Row<?>> all = new ArrayList<>();
    views.forEach(account -> all.addAll(rows.apply(account)));
    gauge.register(all, true);
  }

  private static void fill(
      MultiGauge gauge, List<AccountView> views, ToDoubleFunction<AccountView> value) {
    rows(
        gauge,
        views,
        account -> List.of(Row.of(Tags.of("account", account.id()), value.applyAsDouble(account))));
  }
}
