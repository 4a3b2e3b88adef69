package dev.postrider.server.http;

import dev.postrider.Inbox;
import dev.postrider.Postrider;
import dev.postrider.config.Nearest;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.InboundFilter;
import dev.postrider.store.InboundNote;
import dev.postrider.store.Page;
import dev.postrider.store.StoredInbound;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looking at what came from platforms, and giving what could not be handled another chance. */
final class InboundApi {
  private static final int PAGE = 200;

  private final Life life;

  InboundApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(
        Route.list("/v1/inbound", this::list, "account", "sessionId", "status"),
        Route.get("/v1/inbound/{id}", this::show),
        Route.act("/v1/inbound/replay", this::replayMany),
        Route.act("/v1/inbound/{id}/replay", this::replay),
        Route.delete("/v1/inbound/{id}", this::discard));
  }

  private Answer list(Call call) {
    Postrider postrider = life.postrider();
    InboundFilter filter =
        new InboundFilter(
            call.query("account"), call.query("sessionId"), status(call.query("status")));
    Page<StoredInbound> page =
        call.page((cursor, limit) -> postrider.inbox().list(filter, cursor, limit));
    return Json.page(
        page.items(), page.next(), (json, event) -> InboundJson.object(json, event, postrider));
  }

  private static @Nullable InboundStatus status(@Nullable String name) {
    if (name == null) {
      return null;
    }
    List<String> known = Arrays.stream(InboundStatus.values()).map(InboundStatus::label).toList();
    int at = known.indexOf(name);
    if (at < 0) {
      throw HttpProblem.invalid(
          "status", "'" + name + "' is not known" + Nearest.hint(name, known));
    }
    return InboundStatus.values()[at];
  }

  private Answer show(Call call) {
    Postrider postrider = life.postrider();
    StoredInbound event =
        postrider
            .inbox()
            .find(call.inboundId())
            .orElseThrow(
                () -> HttpProblem.notFound("There is no inbound message " + call.path("id") + "."));
    return full(postrider, 200, event);
  }

  private static Answer full(Postrider postrider, int status, StoredInbound event) {
    boolean untouched = event.handling().attempts() == 0;
    List<InboundNote> notes = untouched ? List.of() : postrider.inbox().notes(event.id());
    return Answer.json(
        status,
        json -> {
          InboundJson.members(json, event, postrider);
          InboundJson.history(json, notes);
        });
  }

  private Answer replay(Call call) {
    Postrider postrider = life.postrider();
    return full(postrider, 202, postrider.inbox().replay(call.inboundId()));
  }

  /** Replays all that match in the order of their sessions. */
  private Answer replayMany(Call call) {
    Inbox inbox = life.postrider().inbox();
    Map<String, Object> options = call.options(List.of("account", "sessionId", "limit", "dryRun"));
    InboundFilter filter =
        new InboundFilter(
            Call.textOrNull(options, "account"),
            Call.textOrNull(options, "sessionId"),
            InboundStatus.FAILED);
    return new Replays<>(
            StoredInbound::id,
            event -> event.replayedAs() == null,
            id -> inbox.replay(id).id().toString())
        .run(options, cursor -> inbox.list(filter, cursor, PAGE));
  }

  private Answer discard(Call call) {
    life.postrider().inbox().discard(call.inboundId());
    return Answer.nothing();
  }
}
