package dev.postrider.server.api.inbound;

import dev.postrider.Inbox;
import dev.postrider.Postrider;
import dev.postrider.config.NearestName;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.server.api.Answer;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.Replays;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looking at what came from platforms, and giving what could not be handled another chance. */
public final class InboundApi {
  private static final int PAGE = 200;

  private final EngineState engineState;

  public InboundApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/inbound", this::list, "account", "sessionId", "status"),
        Route.get("/v1/inbound/{id}", this::show),
        Route.act("/v1/inbound/replay", this::replayMany),
        Route.act("/v1/inbound/{id}/replay", this::replay),
        Route.delete("/v1/inbound/{id}", this::discard));
  }

  private Answer list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    InboundFilter filter =
        new InboundFilter(
            call.query("account"), call.query("sessionId"), status(call.query("status")));
    Page<StoredInbound> page =
        call.page((cursor, limit) -> postrider.inbox().list(filter, cursor, limit));
    return Json.page(
        page.items(), page.next(), (json, inbound) -> InboundJson.object(json, inbound, postrider));
  }

  private static @Nullable InboundStatus status(@Nullable String name) {
    if (name == null) {
      return null;
    }
    List<String> known = Arrays.stream(InboundStatus.values()).map(InboundStatus::label).toList();
    int at = known.indexOf(name);
    if (at < 0) {
      throw HttpProblem.invalid(
          "status", "'" + name + "' is not known" + NearestName.hint(name, known));
    }
    return InboundStatus.values()[at];
  }

  private Answer show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    StoredInbound inbound =
        postrider
            .inbox()
            .find(call.inboundId())
            .orElseThrow(
                () -> HttpProblem.notFound("There is no inbound message " + call.path("id") + "."));
    return full(postrider, 200, inbound);
  }

  private static Answer full(Postrider postrider, int status, StoredInbound inbound) {
    boolean untouched = inbound.handling().attempts() == 0;
    List<InboundNote> notes = untouched ? List.of() : postrider.inbox().notes(inbound.id());
    return Answer.json(
        status,
        json -> {
          InboundJson.members(json, inbound, postrider);
          InboundJson.history(json, notes);
        });
  }

  private Answer replay(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(postrider, 202, postrider.inbox().replay(call.inboundId()));
  }

  /** Replays all that match in the order of their sessions. */
  private Answer replayMany(ApiRequest call) {
    Inbox inbox = engineState.postrider().inbox();
    Map<String, Object> options = call.options(List.of("account", "sessionId", "limit", "dryRun"));
    InboundFilter filter =
        new InboundFilter(
            ApiRequest.textOrNull(options, "account"),
            ApiRequest.textOrNull(options, "sessionId"),
            InboundStatus.FAILED);
    return new Replays<>(
            StoredInbound::id,
            inbound -> inbound.replayedAs() == null,
            id -> inbox.replay(id).id().toString())
        .run(options, cursor -> inbox.list(filter, cursor, PAGE));
  }

  private Answer discard(ApiRequest call) {
    engineState.postrider().inbox().discard(call.inboundId());
    return Answer.nothing();
  }
}
