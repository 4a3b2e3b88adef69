package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.engine.WaitingFor;
import dev.postrider.store.Lane;
import dev.postrider.store.LaneView;
import dev.postrider.store.Page;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** The lanes that hold messages or are paused. */
final class LanesApi {
  private final Life life;

  LanesApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(
        Route.list("/v1/lanes", this::list, "account"),
        Route.act("/v1/lanes/pause", this::pause),
        Route.act("/v1/lanes/resume", this::resume));
  }

  private Answer list(Call call) {
    Postrider postrider = life.postrider();
    Page<LaneView> page =
        call.page((cursor, limit) -> postrider.lanes(call.query("account"), cursor, limit));
    Map<Lane, WaitingFor> waits =
        postrider.waitingForLanes(page.items().stream().map(LanesApi::name).toList());
    return Json.page(
        page.items(), page.next(), (json, lane) -> write(json, lane, waits.get(name(lane))));
  }

  private Answer pause(Call call) {
    Map<String, Object> options = call.options(List.of("account", "to", "reason"));
    String reason = Call.text(options, "reason", AccountsApi.BY_OPERATOR);
    Postrider postrider = life.postrider();
    postrider.pauseLane(account(options), chat(options), reason);
    return changed(options, reason);
  }

  private Answer resume(Call call) {
    Map<String, Object> options = call.options(List.of("account", "to"));
    life.postrider().resumeLane(account(options), chat(options));
    return changed(options, null);
  }

  private static String account(Map<String, Object> options) {
    return Call.text(options, "account", null);
  }

  private static String chat(Map<String, Object> options) {
    return Call.text(options, "to", null);
  }

  private static Answer changed(Map<String, Object> options, @Nullable String pauseReason) {
    return Answer.json(
        200,
        json -> {
          json.writeStringProperty("account", account(options));
          json.writeStringProperty("to", chat(options));
          json.writeBooleanProperty("paused", pauseReason != null);
          Json.text(json, "pauseReason", pauseReason);
        });
  }

  private static Lane name(LaneView lane) {
    return new Lane(lane.account(), lane.chat());
  }

  private static void write(JsonGenerator json, LaneView lane, @Nullable WaitingFor waits) {
    json.writeStartObject();
    json.writeStringProperty("account", lane.account());
    json.writeStringProperty("to", lane.chat());
    json.writeNumberProperty("depth", lane.depth());
    json.writeBooleanProperty("paused", lane.paused());
    Json.text(json, "pauseReason", lane.pauseReason());
    Json.text(json, "headId", lane.headId() == null ? null : lane.headId().toString());
    Json.word(json, "headStatus", lane.headStatus());
    Json.instant(json, "headDueAt", lane.headDueAt());
    WaitingJson.write(json, waits);
    json.writeEndObject();
  }
}
