package dev.postrider.server.api.message;

import dev.postrider.Postrider;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
        Route.list(
            "/v1/lanes", this::list, "account", "to", "state", "waitingFor", "cause", "sort"),
        Route.act("/v1/lanes/pause", this::pause),
        Route.act("/v1/lanes/resume", this::resume),
        Route.act("/v1/lanes/retry", this::retry),
        Route.act("/v1/lanes/cancel", this::cancel));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    LaneFilter filter =
        new LaneFilter(
            call.query("account"),
            call.query("to"),
            call.choice("state", LaneState.values()),
            call.choice("sort", Order.values()) == Order.AGE);
    WaitingFilter waitingFor = WaitingFilter.of(call::query);
    Map<Lane, WaitingFor> waits = new HashMap<>();
    Page<LaneView> page =
        call.page((cursor, limit) -> waitingFor.lanes(postrider, filter, cursor, limit, waits));
    return Json.page(
        page,
        (json, lane) ->
            write(
                json,
                lane,
                postrider.formerNames(lane.account(), lane.chat()),
                waits.get(WaitingFilter.name(lane))));
  }

  private ApiResponse pause(ApiRequest call) {
    JsonFields options = call.options(LaneSelection.options("reason"));
    String reason = ApiRequest.reason(options, AccountsApi.BY_OPERATOR);
    Postrider postrider = engineState.postrider();
    if (LaneSelection.isOne(options)) {
      postrider.pauseLane(options.required("account"), options.required("to"), reason);
      return changed(options, reason);
    }
    return many(
        call,
        options,
        lane -> !lane.paused(),
        lane -> postrider.pauseLane(lane.account(), lane.chat(), reason),
        reason);
  }

  private ApiResponse resume(ApiRequest call) {
    JsonFields options = call.options(LaneSelection.options());
    Postrider postrider = engineState.postrider();
    if (LaneSelection.isOne(options)) {
      postrider.resumeLane(options.required("account"), options.required("to"));
      return changed(options, null);
    }
    return many(
        call,
        options,
        LaneView::paused,
        lane -> postrider.resumeLane(lane.account(), lane.chat()),
        null);
  }

  /** Tries the first message of each lane now. */
  private ApiResponse retry(ApiRequest call) {
    JsonFields options = call.options(LaneSelection.options());
    Postrider postrider = engineState.postrider();
    return new LaneBulk(
            lane -> lane.headId() != null && lane.headStatus() == Status.QUEUED,
            lane -> postrider.retry(head(lane)))
        .run(call, options, new LaneSelection(options, postrider));
  }

  private MessageId head(Lane lane) {
    LaneFilter one = new LaneFilter(lane.account(), lane.chat(), null, false);
    return engineState.postrider().lanes(one, null, 1).items().stream()
        .flatMap(found -> Stream.ofNullable(found.headId()))
        .findFirst()
        .orElseThrow(
            () ->
                new Refused(
                    Refused.Cause.CONFLICT,
                    "no message waits for %s on %s".formatted(lane.chat(), lane.account())));
  }

  /** Cancels all that is queued in each lane. */
  private ApiResponse cancel(ApiRequest call) {
    JsonFields options = call.options(LaneSelection.options());
    Postrider postrider = engineState.postrider();
    return new LaneCancellation(postrider)
        .run(call, options, new LaneSelection(options, postrider));
  }

  private ApiResponse many(
      ApiRequest call,
      JsonFields options,
      Predicate<LaneView> fits,
      Consumer<Lane> action,
      @Nullable String pauseReason) {
    Postrider postrider = engineState.postrider();
    return new LaneBulk(fits, action)
        .run(
            call,
            options,
            new LaneSelection(options, postrider),
            (json, lane) -> write(json, now(lane.account(), lane.chat()), pauseReason));
  }

  private Lane now(String account, String chat) {
    return new Lane(account, engineState.postrider().chatName(account, chat));
  }

  private ApiResponse changed(JsonFields options, @Nullable String pauseReason) {
    Lane lane = now(options.required("account"), options.required("to"));
    return ApiResponse.json(200, json -> write(json, lane, pauseReason));
  }

  private static void write(JsonGenerator json, Lane lane, @Nullable String pauseReason) {
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
    json.writeBooleanProperty("paused", pauseReason != null);
    Json.text(json, "pauseReason", pauseReason);
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
