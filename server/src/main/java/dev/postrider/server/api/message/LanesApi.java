package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.config.NearestName;
import dev.postrider.server.api.AccountsApi;
import dev.postrider.server.api.Answer;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.WaitingJson;
import dev.postrider.store.message.Lane;
import dev.postrider.store.message.LaneFilter;
import dev.postrider.store.message.LaneState;
import dev.postrider.store.message.LaneView;
import dev.postrider.store.message.Page;
import dev.postrider.view.WaitingFor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The lanes that hold messages or are paused. */
public final class LanesApi {
  private static final List<String> STATES =
      Arrays.stream(LaneState.values()).map(Json::word).toList();

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

  private Answer list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    boolean byAge = choice(call, "sort", List.of("name", "age")) == 1;
    int state = choice(call, "state", STATES);
    LaneFilter filter =
        new LaneFilter(call.query("account"), state < 0 ? null : LaneState.values()[state], byAge);
    Page<LaneView> page = call.page((cursor, limit) -> postrider.lanes(filter, cursor, limit));
    Map<Lane, WaitingFor> waits =
        postrider.waitingForLanes(page.items().stream().map(LanesApi::name).toList());
    return Json.page(
        page.items(),
        page.next(),
        (json, lane) ->
            write(
                json,
                lane,
                postrider.formerNames(lane.account(), lane.chat()),
                waits.get(name(lane))));
  }

  /** Which of the values a parameter has, or -1 if it is not given. */
  private static int choice(ApiRequest call, String name, List<String> values) {
    @Nullable String given = call.query(name);
    if (given != null && !values.contains(given)) {
      throw HttpProblem.invalid(
          name, "'" + given + "' is not known" + NearestName.hint(given, values));
    }
    return given == null ? -1 : values.indexOf(given);
  }

  private Answer pause(ApiRequest call) {
    Map<String, Object> options = call.options(List.of("account", "to", "reason"));
    String reason = ApiRequest.reason(options, AccountsApi.BY_OPERATOR);
    Postrider postrider = engineState.postrider();
    postrider.pauseLane(account(options), chat(options), reason);
    return changed(options, reason);
  }

  private Answer resume(ApiRequest call) {
    Map<String, Object> options = call.options(List.of("account", "to"));
    engineState.postrider().resumeLane(account(options), chat(options));
    return changed(options, null);
  }

  private static String account(Map<String, Object> options) {
    return ApiRequest.text(options, "account", null);
  }

  private static String chat(Map<String, Object> options) {
    return ApiRequest.text(options, "to", null);
  }

  private Answer changed(Map<String, Object> options, @Nullable String pauseReason) {
    String now = engineState.postrider().chatName(account(options), chat(options));
    return Answer.json(
        200,
        json -> {
          json.writeStringProperty("account", account(options));
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
    json.writeStartObject();
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
    json.writeArrayPropertyStart("formerly");
    formerly.forEach(json::writeString);
    json.writeEndArray();
    json.writeNumberProperty("depth", lane.depth());
    Json.word(json, "state", lane.state());
    json.writeBooleanProperty("paused", lane.paused());
    Json.text(json, "pauseReason", lane.pauseReason());
    Json.text(json, "headId", lane.headId() == null ? null : lane.headId().toString());
    Json.word(json, "headStatus", lane.headStatus());
    Json.instant(json, "headDueAt", lane.headDueAt());
    WaitingJson.write(json, waits);
    json.writeEndObject();
  }
}
