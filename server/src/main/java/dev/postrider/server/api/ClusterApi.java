package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.config.Durations;
import dev.postrider.server.config.Build;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.cluster.Takeover;
import dev.postrider.view.AccountView;
import dev.postrider.view.Stats;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The servers that share the store, and who works what. The same from whichever is asked. */
public final class ClusterApi {
  private static final int TAKEOVERS = 50;

  private final EngineState engineState;

  public ClusterApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/cluster", this::show));
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Optional<Cluster> cluster = postrider.cluster();
    if (cluster.isEmpty()) {
      Stats stats = postrider.stats();
      return ApiResponse.json(200, json -> alone(json, stats));
    }
    ClusterSnapshot snapshot = cluster.get().roll();
    List<Takeover> takeovers = cluster.get().takeovers(TAKEOVERS);
    String asked = postrider.node();
    return ApiResponse.json(
        200,
        json -> {
          json.writeBooleanProperty("shared", true);
          json.writeStringProperty("node", asked);
          Json.instant(json, "at", snapshot.at());
          Json.text(json, "home", home(snapshot));
          nodes(json, snapshot);
          holdings(json, snapshot);
          takeovers(json, takeovers);
        });
  }

  private static @Nullable String home(ClusterSnapshot snapshot) {
    return snapshot.holdings().stream()
        .filter(holding -> holding.account().equals(Cluster.HOUSE))
        .findFirst()
        .map(ClusterSnapshot.Holding::owner)
        .orElse(null);
  }

  private static void nodes(JsonGenerator json, ClusterSnapshot snapshot) {
    Json.objects(
        json,
        "nodes",
        snapshot.nodes(),
        node -> {
          json.writeStringProperty("name", node.name());
          Json.text(json, "address", node.address().isEmpty() ? null : node.address());
          json.writeBooleanProperty("alive", node.alive());
          Json.instant(json, "startedAt", node.startedAt());
          Json.instant(json, "seenAt", node.seenAt());
          Json.text(json, "version", node.version());
          Json.value(json, "format", node.format());
          Json.value(
              json,
              "accounts",
              accounts(snapshot)
                  .filter(holding -> node.name().equals(holding.owner()))
                  .map(ClusterSnapshot.Holding::account)
                  .toList());
        });
  }

  private static Stream<ClusterSnapshot.Holding> accounts(ClusterSnapshot snapshot) {
    return snapshot.holdings().stream().filter(holding -> !holding.account().equals(Cluster.HOUSE));
  }

  private static void holdings(JsonGenerator json, ClusterSnapshot snapshot) {
    Json.objects(
        json,
        "accounts",
        accounts(snapshot).toList(),
        holding -> {
          json.writeStringProperty("id", holding.account());
          Json.text(json, "node", holding.owner());
          json.writeNumberProperty("fence", holding.fence());
          Json.instant(json, "since", holding.owner() == null ? null : holding.since());
        });
  }

  private static void takeovers(JsonGenerator json, List<Takeover> takeovers) {
    Json.objects(
        json,
        "takeovers",
        takeovers.stream().filter(it -> !it.account().equals(Cluster.HOUSE)).toList(),
        takeover -> {
          Json.instant(json, "at", takeover.at());
          json.writeStringProperty("account", takeover.account());
          Json.text(json, "from", takeover.from());
          json.writeStringProperty("to", takeover.to());
          json.writeBooleanProperty("died", takeover.died());
          json.writeStringProperty("why", why(takeover));
          json.writeStringProperty(
              "gap", Durations.format(takeover.gap().truncatedTo(ChronoUnit.MILLIS)));
        });
  }

  private static String why(Takeover takeover) {
    if (takeover.died()) {
      return "node " + takeover.from() + " gave no sign of life any more";
    }
    return takeover.from() == null
        ? "nobody had worked it"
        : "node " + takeover.from() + " had handed it over";
  }

  /** A server with a store of its own is a cluster of one. */
  private static void alone(JsonGenerator json, Stats stats) {
    List<AccountView> accounts =
        stats.accounts().stream().filter(account -> account.node() != null).toList();
    json.writeBooleanProperty("shared", false);
    json.writeStringProperty("node", stats.node());
    Json.instant(json, "at", stats.at());
    json.writeStringProperty("home", stats.node());
    Json.objects(
        json,
        "nodes",
        List.of(stats.node()),
        node -> {
          json.writeStringProperty("name", node);
          Json.text(json, "address", null);
          json.writeBooleanProperty("alive", true);
          Json.instant(json, "startedAt", stats.startedAt());
          Json.instant(json, "seenAt", stats.at());
          json.writeStringProperty("version", Build.version());
          json.writeNullProperty("format");
          Json.value(json, "accounts", accounts.stream().map(AccountView::id).toList());
        });
    Json.objects(
        json,
        "accounts",
        accounts,
        account -> {
          json.writeStringProperty("id", account.id());
          Json.text(json, "node", account.node());
          json.writeNullProperty("fence");
          Json.instant(json, "since", stats.startedAt());
        });
    Json.value(json, "takeovers", List.of());
  }
}
