package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.TurnView;
import dev.postrider.store.Handling;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What became of an inbound message and of everything it caused. */
final class TurnsApi {
  private final Life life;

  TurnsApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(Route.get("/v1/turns/{id}", this::show));
  }

  private Answer show(Call call) {
    Postrider postrider = life.postrider();
    TurnView turn =
        postrider
            .inbox()
            .turn(call.inboundId())
            .orElseThrow(() -> HttpProblem.notFound("There is no turn " + call.path("id") + "."));
    return Answer.json(200, json -> write(json, turn, postrider));
  }

  private static void write(JsonGenerator json, TurnView turn, Postrider postrider) {
    Handling handling = turn.event().handling();
    json.writeStringProperty("id", turn.event().id().toString());
    Json.word(json, "state", handling.turn());
    json.writeName("message");
    InboundJson.object(json, turn.event(), postrider);
    json.writeNumberProperty("attempts", handling.attempts());
    Json.instant(json, "handedOutAt", handling.handedOutAt());
    Json.instant(json, "endedAt", handling.turnEndedAt());
    InboundJson.history(json, turn.notes());
    json.writeName("messages");
    json.writeStartArray();
    turn.messages().forEach(message -> MessagesApi.object(postrider, json, message));
    json.writeEndArray();
  }
}
