package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.AccountsApi;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The lanes that hold messages or are paused. */
public final class LanesApi {
  /** What lanes are sorted by. */
  private enum Order {
    NAME,
    AGE
  }

  /** Lanes looked at for one page of those that wait for one thing. */
  private static final int MOST_LOOKED_AT = 2_000;

  private static final int AT_ONCE = 500;

  /** Lanes that one request can pause or resume. */
  private static final int MOST_CHANGED = 1_000;

  private final EngineState engineState;

  public LanesApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/lanes", this::list, "account", "to", "state", "waitingFor", "sort"),
        Route.act("/v1/lanes/pause", this::pause),
        Route.act("/v1/lanes/resume", this::resume));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    LaneFilter filter =
        new LaneFilter(
            call.query("account"),
            call.query("to"),
            call.choice("state", LaneState.values()),
            call.choice("sort", Order.values()) == Order.AGE);
    @Nullable String kind = call.word("waitingFor", WaitingFor.KINDS);
    Map<Lane, WaitingFor> waits = new HashMap<>();
    Page<LaneView> page =
        call.page(
            (cursor, limit) ->
                kind == null
                    ? page(postrider, filter, cursor, limit, waits)
                    : waiting(postrider, filter, kind, cursor, limit, waits));
    return Json.page(
        page,
        (json, lane) ->
            write(
                json,
                lane,
                postrider.formerNames(lane.account(), lane.chat()),
                waits.get(name(lane))));
  }

  private static Page<LaneView> page(
      Postrider postrider,
      LaneFilter filter,
      @Nullable String cursor,
      int limit,
      Map<Lane, WaitingFor> waits) {
    Page<LaneView> page = postrider.lanes(filter, cursor, limit);
    waits.putAll(postrider.waitingForLanes(page.items().stream().map(LanesApi::name).toList()));
    return page;
  }

  /**
   * Those that wait for one thing. No index knows, so lanes are looked at, so many for one page.
   */
  private static Page<LaneView> waiting(
      Postrider postrider,
      LaneFilter filter,
      String kind,
      @Nullable String from,
      int limit,
      Map<Lane, WaitingFor> waits) {
    List<LaneView> found = new ArrayList<>();
    @Nullable String next = from;
    int looked = 0;
    do {
      List<LaneView> some = page(postrider, filter, next, AT_ONCE, waits).items();
      int taken = 0;
      while (taken < some.size() && found.size() < limit) {
        LaneView lane = some.get(taken++);
        if (isFor(kind, waits.get(name(lane)))) {
          found.add(lane);
        }
      }
      looked += taken;
      next = taken == 0 ? null : postrider.lanes(filter, next, taken).next();
    } while (next != null && looked < MOST_LOOKED_AT && found.size() < limit);
    return new Page<>(found, next, new Page.Scanned(looked, null));
  }

  private static boolean isFor(String kind, @Nullable WaitingFor wait) {
    return wait != null && wait.kind().equals(kind);
  }

  private ApiResponse pause(ApiRequest call) {
    JsonFields options = call.options("account", "to", "lanes", "reason");
    String reason = ApiRequest.reason(options, AccountsApi.BY_OPERATOR);
    Postrider postrider = engineState.postrider();
    if (options.has("lanes")) {
      return many(
          call, options, reason, lane -> postrider.pauseLane(lane.account(), lane.chat(), reason));
    }
    postrider.pauseLane(options.required("account"), options.required("to"), reason);
    return changed(options, reason);
  }

  private ApiResponse resume(ApiRequest call) {
    JsonFields options = call.options("account", "to", "lanes");
    Postrider postrider = engineState.postrider();
    if (options.has("lanes")) {
      return many(call, options, null, lane -> postrider.resumeLane(lane.account(), lane.chat()));
    }
    postrider.resumeLane(options.required("account"), options.required("to"));
    return changed(options, null);
  }

  /** Does it to each of several lanes; nothing is done if one of them is not rightly named. */
  private ApiResponse many(
      ApiRequest call, JsonFields options, @Nullable String pauseReason, Consumer<Lane> action) {
    if (options.has("account") || options.has("to")) {
      throw HttpProblem.invalid("lanes", "name account and to each; leave these out beside them");
    }
    List<Lane> lanes =
        options.objects("lanes").stream()
            .map(lane -> lane.only(List.of("account", "to")))
            .map(lane -> new Lane(lane.required("account"), lane.required("to")))
            .toList();
    if (lanes.isEmpty() || lanes.size() > MOST_CHANGED) {
      throw HttpProblem.invalid("lanes", "must be from 1 to " + MOST_CHANGED);
    }
    List<Changed> changes = AtOnce.each(lanes, lane -> change(lane, action));
    List<Changed> refused = changes.stream().filter(each -> each.refusal != null).toList();
    List<Changed> done = changes.stream().filter(each -> each.refusal == null).toList();
    call.tell("done", done.size());
    return ApiResponse.json(
        200,
        json -> {
          Json.objects(json, "items", done, each -> write(json, each.lane, pauseReason));
          json.writeNumberProperty("done", done.size());
          Json.objects(
              json,
              "refused",
              refused,
              each -> {
                json.writeStringProperty("account", each.lane.account());
                json.writeStringProperty("to", each.lane.chat());
                Json.text(json, "reason", each.refusal);
              });
        });
  }

  /**
   * @param refusal why it was not changed; null if it was
   */
  private record Changed(Lane lane, @Nullable String refusal) {}

  private Changed change(Lane lane, Consumer<Lane> action) {
    try {
      action.accept(lane);
      String now = engineState.postrider().chatName(lane.account(), lane.chat());
      return new Changed(new Lane(lane.account(), now), null);
    } catch (Refused | InvalidInput e) {
      return new Changed(lane, String.valueOf(e.getMessage()));
    }
  }

  private ApiResponse changed(JsonFields options, @Nullable String pauseReason) {
    String now =
        engineState.postrider().chatName(options.required("account"), options.required("to"));
    return ApiResponse.json(
        200, json -> write(json, new Lane(options.required("account"), now), pauseReason));
  }

  private static void write(JsonGenerator json, Lane lane, @Nullable String pauseReason) {
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
    json.writeBooleanProperty("paused", pauseReason != null);
    Json.text(json, "pauseReason", pauseReason);
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
