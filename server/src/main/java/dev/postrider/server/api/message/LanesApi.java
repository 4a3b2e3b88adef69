package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.AccountsApi;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneState;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import dev.postrider.view.WaitingFor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The lanes that hold messages or are paused. */
public final class LanesApi {
  /** What lanes are sorted by. */
  private enum Order {
    NAME,
    AGE
  }

  private final EngineState engineState;

  public LanesApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/lanes", this::list, "account", "state", "sort"),
        Route.act("/v1/lanes/pause", this::pause),
        Route.act("/v1/lanes/resume", this::resume));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    LaneFilter filter =
        new LaneFilter(
            call.query("account"),
            call.choice("state", LaneState.values()),
            call.choice("sort", Order.values()) == Order.AGE);
    Page<LaneView> page = call.page((cursor, limit) -> postrider.lanes(filter, cursor, limit));
    Map<Lane, WaitingFor> waits =
        postrider.waitingForLanes(page.items().stream().map(LanesApi::name).toList());
    return Json.page(
        page,
        (json, lane) ->
            write(
                json,
                lane,
                postrider.formerNames(lane.account(), lane.chat()),
                waits.get(name(lane))));
  }

  private ApiResponse pause(ApiRequest call) {
    JsonFields options = call.options("account", "to", "reason");
    String reason = ApiRequest.reason(options, AccountsApi.BY_OPERATOR);
    Postrider postrider = engineState.postrider();
    postrider.pauseLane(options.required("account"), options.required("to"), reason);
    return changed(options, reason);
  }

  private ApiResponse resume(ApiRequest call) {
    JsonFields options = call.options("account", "to");
    engineState.postrider().resumeLane(options.required("account"), options.required("to"));
    return changed(options, null);
  }

  private ApiResponse changed(JsonFields options, @Nullable String pauseReason) {
    String now =
        engineState.postrider().chatName(options.required("account"), options.required("to"));
    return ApiResponse.json(
        200,
        json -> {
          json.writeStringProperty("account", options.required("account"));
          json.writeStringProperty("to", now);
          json.writeBooleanProperty("paused", pauseReason != null);
          Json.text(json, "pauseReason", pauseReason);
        });
  }

  private static Lane name(LaneView lane) {
    return new Lane(lane.account(), lane.chat());
  }

  private static void write(
      JsonGenerator json, LaneView lane, List<String> formerly, @Nullable WaitingFor waits) {
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
    Json.value(json, "formerly", formerly);
    json.writeNumberProperty("depth", lane.depth());
    Json.word(json, "state", lane.state());
    json.writeBooleanProperty("paused", lane.paused());
    Json.text(json, "pauseReason", lane.pauseReason());
    Json.text(json, "headId", lane.headId() == null ? null : lane.headId().toString());
    Json.word(json, "headStatus", lane.headStatus());
    Json.instant(json, "headDueAt", lane.headDueAt());
    WaitingJson.write(json, waits);
  }
}
