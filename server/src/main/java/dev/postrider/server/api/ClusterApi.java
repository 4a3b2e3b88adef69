package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.config.Durations;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.cluster.Takeover;
import dev.postrider.view.AccountView;
import dev.postrider.view.Stats;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
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

  private Answer show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Optional<Cluster> cluster = postrider.cluster();
    if (cluster.isEmpty()) {
      Stats stats = postrider.stats();
      return Answer.json(200, json -> alone(json, stats));
    }
    ClusterSnapshot snapshot = cluster.get().roll();
    List<Takeover> takeovers = cluster.get().takeovers(TAKEOVERS);
    String asked = postrider.node();
    return Answer.json(
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
    json.writeName("nodes");
    json.writeStartArray();
    for (ClusterSnapshot.Node node : snapshot.nodes()) {
      json.writeStartObject();
      json.writeStringProperty("name", node.name());
      Json.text(json, "address", node.address().isEmpty() ? null : node.address());
      json.writeBooleanProperty("alive", node.alive());
      Json.instant(json, "startedAt", node.startedAt());
      Json.instant(json, "seenAt", node.seenAt());
      json.writeName("accounts");
      json.writeStartArray();
      for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
        if (node.name().equals(holding.owner()) && !holding.account().equals(Cluster.HOUSE)) {
          json.writeString(holding.account());
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void holdings(JsonGenerator json, ClusterSnapshot snapshot) {
    json.writeName("accounts");
    json.writeStartArray();
    for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
      if (!holding.account().equals(Cluster.HOUSE)) {
        json.writeStartObject();
        json.writeStringProperty("id", holding.account());
        Json.text(json, "node", holding.owner());
        json.writeNumberProperty("fence", holding.fence());
        Json.instant(json, "since", holding.owner() == null ? null : holding.since());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private static void takeovers(JsonGenerator json, List<Takeover> takeovers) {
    json.writeName("takeovers");
    json.writeStartArray();
    for (Takeover takeover : takeovers) {
      if (!takeover.account().equals(Cluster.HOUSE)) {
        json.writeStartObject();
        Json.instant(json, "at", takeover.at());
        json.writeStringProperty("account", takeover.account());
        Json.text(json, "from", takeover.from());
        json.writeStringProperty("to", takeover.to());
        json.writeBooleanProperty("died", takeover.died());
        json.writeStringProperty(
            "gap", Durations.format(takeover.gap().truncatedTo(ChronoUnit.MILLIS)));
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  /** A server with a store of its own is a cluster of one. */
  private static void alone(JsonGenerator json, Stats stats) {
    json.writeBooleanProperty("shared", false);
    json.writeStringProperty("node", stats.node());
    Json.instant(json, "at", stats.at());
    json.writeStringProperty("home", stats.node());
    json.writeName("nodes");
    json.writeStartArray();
    json.writeStartObject();
    json.writeStringProperty("name", stats.node());
    Json.text(json, "address", null);
    json.writeBooleanProperty("alive", true);
    Json.instant(json, "startedAt", stats.startedAt());
    Json.instant(json, "seenAt", stats.at());
    json.writeName("accounts");
    json.writeStartArray();
    stats.accounts().stream()
        .filter(account -> account.node() != null)
        .map(AccountView::id)
        .forEach(json::writeString);
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeName("accounts");
    json.writeStartArray();
    for (AccountView account : stats.accounts()) {
      if (account.node() != null) {
        json.writeStartObject();
        json.writeStringProperty("id", account.id());
        json.writeStringProperty("node", account.node());
        json.writeNullProperty("fence");
        Json.instant(json, "since", stats.startedAt());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeName("takeovers");
    json.writeStartArray();
    json.writeEndArray();
  }
}
