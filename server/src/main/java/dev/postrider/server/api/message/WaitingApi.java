package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.view.AccountView;
import dev.postrider.view.WaitingSummary;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What messages wait for, added up. */
public final class WaitingApi {
  private static final List<String> KINDS =
      Stream.concat(WaitingJson.KINDS.stream(), Stream.of("other")).toList();

  private final EngineState engineState;

  public WaitingApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/waiting", this::show, "account", "kind"));
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    @Nullable String account = call.query("account");
    @Nullable String kind = call.word("kind", KINDS);
    List<AccountView> accounts =
        postrider.accounts().stream()
            .filter(view -> account == null || view.id().equals(account))
            .toList();
    WaitingSummary all = postrider.waiting(accounts);
    WaitingSummary shown =
        new WaitingSummary(
            all.groups().stream()
                .filter(group -> kind == null || group.kind().equals(kind))
                .toList(),
            all.complete());
    return ApiResponse.json(200, json -> write(json, shown));
  }

  private static void write(JsonGenerator json, WaitingSummary summary) {
    Json.objects(json, "items", summary.groups(), group -> write(json, group));
    json.writeNumberProperty("total", summary.messages());
    Json.instant(json, "oldestAt", oldestAt(summary));
    json.writeBooleanProperty("complete", summary.complete());
  }

  private static @Nullable Instant oldestAt(WaitingSummary summary) {
    return summary.groups().stream()
        .map(WaitingSummary.Group::oldestAt)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static void write(JsonGenerator json, WaitingSummary.Group group) {
    json.writeStringProperty("kind", group.kind());
    json.writeStringProperty("account", group.account());
    Json.text(json, "cause", group.cause());
    json.writeNumberProperty("messages", group.messages());
    Json.value(json, "lanes", group.lanes());
    Json.instant(json, "oldestAt", group.oldestAt());
    Json.instant(json, "since", group.since());
    Json.instant(json, "until", group.until());
  }
}
