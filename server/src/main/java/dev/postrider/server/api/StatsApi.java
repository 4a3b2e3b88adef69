package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.config.Durations;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.view.Stats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How things stand: for people, for Prometheus, for load balancers. */
public final class StatsApi {
  private static final Duration USUAL_SPAN = Duration.ofHours(1);

  private static final Duration SHORTEST_STEP = Duration.ofMinutes(1);
  private static final Duration LONGEST_STEP = Duration.ofDays(1);

  private final EngineState engineState;
  private final Metrics metrics;
  private final HealthCheck check;

  public StatsApi(EngineState engineState, Metrics metrics, HealthCheck check) {
    this.engineState = engineState;
    this.metrics = metrics;
    this.check = check;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/stats", this::stats),
        Route.get("/v1/stats/history", this::history, "since", "until", "step", "cursor"),
        Route.get("/metrics", this::metrics),
        Route.open("/healthz", this::health),
        Route.open("/readyz", this::ready));
  }

  private ApiResponse stats(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Stats stats = postrider.stats();
    return ApiResponse.json(200, json -> write(postrider, json, stats));
  }

  private ApiResponse history(ApiRequest call) {
    Instant now = Instant.now();
    String goesOn = call.query("cursor");
    Instant since =
        goesOn == null
            ? or(ApiRequest.instant("since", call.query("since")), now.minus(USUAL_SPAN))
            : cursor(goesOn);
    Instant until = or(ApiRequest.instant("until", call.query("until")), now);
    Duration step = step(call);
    QueueSteps steps = new QueueSteps(step);
    steps.read(engineState.postrider()::minutes, since, until);
    return ApiResponse.json(
        200,
        json -> {
          json.writeStringProperty("step", Durations.format(step));
          Json.objects(json, "items", steps.rows(), row -> write(json, row));
          Json.instant(json, "next", steps.next());
        });
  }

  private static Instant or(@Nullable Instant given, Instant otherwise) {
    return given == null ? otherwise : given;
  }

  private static Instant cursor(String next) {
    try {
      return Instant.parse(next);
    } catch (DateTimeParseException e) {
      throw HttpProblem.brokenCursor();
    }
  }

  private static Duration step(ApiRequest call) {
    Duration step = call.duration("step", LONGEST_STEP);
    if (step == null) {
      return SHORTEST_STEP;
    }
    if (!step.isPositive() || !step.equals(step.truncatedTo(ChronoUnit.MINUTES))) {
      throw HttpProblem.invalid("step", "must be whole minutes, such as 5m or 1h");
    }
    return step;
  }

  private ApiResponse metrics(ApiRequest call) {
    Stats stats = engineState.postrider().stats();
    Map<String, Map<String, Long>> waits = engineState.postrider().waitingCounts(stats.accounts());
    byte[] body = metrics.scrape(stats, waits, activeRuns()).getBytes(StandardCharsets.UTF_8);
    return new ApiResponse.Whole(200, "text/plain; version=0.0.4; charset=utf-8", body, Map.of());
  }

  /** Null if the store cannot tell: then, of all times, the other metrics are needed. */
  private @Nullable Map<String, Long> activeRuns() {
    try {
      return engineState.reminders().runs().activeByStatus();
    } catch (StoreUnavailable | StoreClosed e) {
      return null;
    }
  }

  /** Whether the process does its work. Degraded is still 200: a restart would not mend it. */
  private ApiResponse health(ApiRequest call) {
    List<String> reasons = check.reasons(engineState.postrider().stats());
    return ApiResponse.json(
        200,
        json -> {
          json.writeStringProperty("status", reasons.isEmpty() ? "ok" : "degraded");
          Json.value(json, "reasons", reasons);
        });
  }

  /** Whether to send requests here. */
  private ApiResponse ready(ApiRequest call) {
    if (engineState.isStopping()) {
      throw HttpProblem.notReady("The server is stopping.");
    }
    if (engineState.postrider().storeDownBecause() != null) {
      throw HttpProblem.notReady("The store takes no writes.");
    }
    return ApiResponse.json(200, json -> json.writeStringProperty("status", "ready"));
  }

  private static void write(Postrider postrider, JsonGenerator json, Stats stats) {
    Json.instant(json, "at", stats.at());
    Json.instant(json, "startedAt", stats.startedAt());
    json.writeStringProperty("node", stats.node());
    json.writeBooleanProperty("durable", stats.durable());
    json.writeBooleanProperty("counted", stats.counted());
    Json.text(json, "storeDownBecause", stats.storeDownBecause());
    json.writeNumberProperty("queued", stats.queued());
    json.writeNumberProperty("sending", stats.sending());
    json.writeNumberProperty("deadLetters", stats.deadLetters());
    json.writeNumberProperty("pausedLanes", stats.pausedLanes());
    Json.instant(json, "oldestWaitingAt", stats.oldestWaitingAt());
    json.writeNumberProperty("accepted", stats.accepted());
    json.writeNumberProperty("delivered", stats.delivered());
    json.writeNumberProperty("failed", stats.failed());
    json.writeNumberProperty("expired", stats.expired());
    json.writeNumberProperty("held", stats.held());
    json.writeNumberProperty("cancelled", stats.cancelled());
    json.writeNumberProperty("retried", stats.retried());
    json.writeNumberProperty("throttled", stats.throttled());
    json.writeNumberProperty("staleCompletions", stats.staleCompletions());
    json.writeNumberProperty("rescued", stats.rescued());
    Json.object(json, "inbound", () -> inbound(json, stats.inbound()));
    Json.objects(
        json,
        "accounts",
        stats.accounts(),
        account -> AccountsApi.members(postrider, json, account));
  }

  /** What nobody has yet. */
  static long pending(Stats.Inbound inbound) {
    return Math.max(0, inbound.waiting() - inbound.leased());
  }

  private static void inbound(JsonGenerator json, Stats.Inbound inbound) {
    json.writeNumberProperty("pending", pending(inbound));
    json.writeNumberProperty("leased", inbound.leased());
    json.writeNumberProperty("failed", inbound.deadLetters());
    json.writeNumberProperty("received", inbound.received());
    json.writeNumberProperty("refused", inbound.refused());
    json.writeNumberProperty("handled", inbound.handled());
    json.writeNumberProperty("errors", inbound.failedAttempts());
  }

  private static void write(JsonGenerator json, QueueMinute minute) {
    Json.instant(json, "at", minute.at());
    json.writeObjectPropertyStart("inbound");
    json.writeNumberProperty("pending", minute.inbound().waiting());
    json.writeNumberProperty("leased", minute.inbound().underWay());
    json.writeNumberProperty("failed", minute.inbound().deadLetters());
    json.writeNumberProperty("received", minute.inbound().taken());
    json.writeNumberProperty("handled", minute.inbound().done());
    json.writeNumberProperty("errors", minute.inbound().errors());
    json.writeNumberProperty("unhandled", minute.inbound().lost());
    json.writeEndObject();
    json.writeObjectPropertyStart("outbound");
    json.writeNumberProperty("queued", minute.outbound().waiting());
    json.writeNumberProperty("sending", minute.outbound().underWay());
    json.writeNumberProperty("deadLetters", minute.outbound().deadLetters());
    json.writeNumberProperty("accepted", minute.outbound().taken());
    json.writeNumberProperty("delivered", minute.outbound().done());
    json.writeNumberProperty("errors", minute.outbound().errors());
    json.writeNumberProperty("undelivered", minute.outbound().lost());
    json.writeEndObject();
  }
}
