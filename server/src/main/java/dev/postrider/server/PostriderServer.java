package dev.postrider.server;

import dev.postrider.Postrider;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.event.Events;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.alert.AlertRound;
import dev.postrider.server.alert.Alerts;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.EventRing;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.api.Metrics;
import dev.postrider.server.api.RestoreWatch;
import dev.postrider.server.config.Build;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.config.TracingSettings;
import dev.postrider.server.http.HttpServer;
import dev.postrider.server.http.ServerTls;
import dev.postrider.server.log.EventLog;
import dev.postrider.server.log.Line;
import dev.postrider.server.push.Pushers;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.TlsSettings;
import dev.postrider.server.tracing.SpanExport;
import dev.postrider.trace.Spans;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An engine with its reminders and its HTTP server. The server listens first, so that a port in use
 * is found before the store is touched, and says "not ready" until the store is open. It stops
 * last, so that whoever asks during the stop is told so.
 */
public final class PostriderServer implements AutoCloseable {
  private static final int MOST_NAMED = 20;

  private final EngineState engineState;
  private final HttpServer http;
  private final Postrider postrider;
  private final Reminders reminders;
  private final Pushers pushers;
  private final EventLog log;
  private final List<PeriodicTask> rounds;
  private final @Nullable AlertRound alerts;
  private final @Nullable SpanExport export;

  private PostriderServer(
      EngineState engineState,
      HttpServer http,
      Postrider postrider,
      Reminders reminders,
      Pushers pushers,
      EventLog log,
      List<PeriodicTask> rounds,
      @Nullable AlertRound alerts,
      @Nullable SpanExport export) {
    this.engineState = engineState;
    this.http = http;
    this.postrider = postrider;
    this.reminders = reminders;
    this.pushers = pushers;
    this.log = log;
    this.rounds = rounds;
    this.alerts = alerts;
    this.export = export;
  }

  /**
   * Listens and opens the engine.
   *
   * @throws dev.postrider.server.http.CannotListen if the address cannot be bound
   * @throws dev.postrider.store.failure.StoreUnavailable if the store cannot be opened
   * @throws dev.postrider.store.failure.StoreRefused if the store is in use, or of a newer version
   */
  public static PostriderServer start(ServerConfig config) {
    EngineState engineState = new EngineState();
    Metrics metrics = new Metrics(config.accountNames(), config.dataDirectory());
    EventRing ring = new EventRing(Instant.now());
    @Nullable ServerTls tls = tls(config);
    RestoreWatch restores = new RestoreWatch();
    HttpServer http =
        new HttpServer(
            config.http(),
            tls,
            engineState,
            metrics,
            ring,
            new HealthCheck(
                config.health(),
                config.postrider().store(),
                () -> {
                  List<String> reasons = new ArrayList<>(restores.reasons());
                  reasons.addAll(tls == null ? List.of() : tls.reasons());
                  return reasons;
                }));
    try {
      starts(config, http.address());
      EventLog log = new EventLog(() -> Duration.ofNanos(System.nanoTime()));
      Alerts alerts = new Alerts(config.alerts());
      List<Events.Listener> listeners = new ArrayList<>(List.of(ring, metrics.engine(), log));
      if (config.alerts().on()) { // nobody would ever fetch what it gathers
        listeners.add(alerts);
      }
      @Nullable SpanExport export = export(config);
      @Nullable Spans spans = export == null ? null : spans(config, export);
      if (export != null && spans != null) {
        listeners.add(spans);
        engineState.traced(spans);
        metrics.add(export);
      }
      Postrider postrider = open(config, http.address(), listeners);
      postrider.onCommit(metrics.engine());
      restores.opened(postrider);
      if (postrider.channel("sandbox").orElse(null) instanceof SandboxChannel sandbox) {
        sandbox.callBack(postrider::receive);
      }
      Reminders reminders = Reminders.open(postrider, config.reminders());
      engineState.opened(postrider, reminders);
      Pushers pushers = new Pushers(config.pushes(), postrider, spans);
      AlertRound alertRound =
          config.alerts().on() ? new AlertRound(config.alerts(), alerts, postrider) : null;
      List<PeriodicTask> rounds = new ArrayList<>();
      rounds.add(new PeriodicTask("log", Duration.ofSeconds(1), log::tellCounted));
      rounds.add(new PeriodicTask("failures", Duration.ofSeconds(10), http::forgetFailures));
      rounds.add(
          new PeriodicTask("restore", Duration.ofSeconds(5), () -> restores.look(postrider)));
      if (tls != null) {
        rounds.add(new PeriodicTask("certificate", Duration.ofSeconds(2), tls::lookAgain));
      }
      if (export != null) {
        rounds.add(new PeriodicTask("tracing", Duration.ofSeconds(1), export));
      }
      if (alertRound != null) { // on a thread of its own, since it waits for others
        rounds.add(new PeriodicTask("alerts", Duration.ofSeconds(2), alertRound));
      }
      return new PostriderServer(
          engineState, http, postrider, reminders, pushers, log, rounds, alertRound, export);
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
  }

  private static @Nullable SpanExport export(ServerConfig config) {
    TracingSettings settings = config.tracing();
    @Nullable URI endpoint = settings.endpoint();
    return endpoint == null
        ? null
        : new SpanExport(settings, endpoint, config.postrider().cluster().node(), Build.version());
  }

  private static Spans spans(ServerConfig config, SpanExport export) {
    Map<String, String> channels =
        config.postrider().accounts().stream()
            .collect(Collectors.toMap(AccountConfig::id, AccountConfig::channel));
    return new Spans(config.tracing().sampleRatio(), channels, InstantSource.system(), export);
  }

  private static @Nullable ServerTls tls(ServerConfig config) {
    @Nullable TlsSettings settings = config.http().tls();
    try {
      return settings == null ? null : new ServerTls(settings, InstantSource.system());
    } catch (BadTlsFile e) { // it could be read a moment ago
      throw new IllegalArgumentException(
          "http.tls.%s %s.".formatted(e.isKey() ? "key" : "certificate", e.getMessage()), e);
    }
  }

  private static Postrider open(
      ServerConfig config, String address, List<Events.Listener> listeners) {
    ClusterSettings cluster = config.postrider().cluster();
    return Postrider.open(
        cluster.address().isEmpty()
            ? config.postrider().cluster(cluster.at(address))
            : config.postrider(),
        listeners);
  }

  private static void starts(ServerConfig config, String address) {
    List<String> accounts =
        config.postrider().accounts().stream()
            .map(account -> account.id() + " (" + account.channel() + ")")
            .toList();
    String node = config.postrider().cluster().node();
    String some = String.join(", ", accounts.subList(0, Math.min(accounts.size(), MOST_NAMED)));
    int others = accounts.size() - MOST_NAMED;
    Line.info(
            "server.starting",
            "Postrider %s starts: node %s at %s, store %s, accounts %s%s"
                .formatted(
                    Build.version(),
                    node,
                    address,
                    config.storeShown(),
                    some,
                    others > 0 ? " and " + others + " more" : ""))
        .with("version", Build.version())
        .with("java", Build.java())
        .with("node", node)
        .with("address", address)
        .with("store", config.storeShown())
        .with("accounts", accounts)
        .write();
  }

  public Postrider postrider() {
    return postrider;
  }

  /** Where people find the dashboard. */
  public String address() {
    return http.address();
  }

  /** Completed when nobody can connect any more, although nobody has closed the server. */
  public CompletableFuture<Void> listenerEnded() {
    return http.listenerEnded();
  }

  /** Stops cleanly: no new attempts, what is in flight is awaited, state is stored. */
  @Override
  public void close() {
    engineState.stopping();
    Line.info("server.stopping", "Postrider stops: no new attempts, what is in flight is awaited")
        .write();
    rounds.forEach(PeriodicTask::close);
    try {
      reminders.close();
      postrider.close();
    } finally {
      pushers.close();
      http.close();
      if (alerts != null) {
        alerts.close();
      }
      if (export != null) {
        export.close();
      }
      log.tellRest();
    }
  }
}
