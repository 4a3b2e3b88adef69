package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.TurnView;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.MessagesApi;
import dev.postrider.store.inbound.HandlingState;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What happened to an inbound message and of everything it caused. */
public final class TurnsApi {
  private final EngineState engineState;

  public TurnsApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/turns/{id}", this::show));
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    TurnView turn = call.found(postrider.inbox().turn(call.inboundId()), "turn");
    InboundJson written = new InboundJson(postrider, List.of(turn.inbound()));
    return ApiResponse.json(200, json -> write(json, turn, written, postrider));
  }

  private static void write(
      JsonGenerator json, TurnView turn, InboundJson written, Postrider postrider) {
    HandlingState handling = turn.inbound().handling();
    json.writeStringProperty("id", turn.inbound().id().toString());
    Json.word(json, "state", handling.turn());
    written.message(json, turn.inbound());
    json.writeNumberProperty("attempts", handling.attempts());
    Json.instant(json, "handedOutAt", handling.handedOutAt());
    Json.instant(json, "endedAt", handling.turnEndedAt());
    InboundJson.history(json, turn.notes());
    MessagesApi.list(postrider, json, "messages", turn.messages());
  }
}
