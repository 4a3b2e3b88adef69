package dev.postrider.server.api.inbound;

import dev.postrider.Inbox;
import dev.postrider.Postrider;
import dev.postrider.SendResult;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.message.Message;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.Replays;
import dev.postrider.server.api.message.ReplyDrafts;
import dev.postrider.store.inbound.InboundFilter;
import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Page;
import java.util.Comparator;
import java.util.List;

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
        Route.lead("/v1/inbound/{id}/ack", this::ack),
        Route.act("/v1/inbound/{id}/replay", this::replay),
        Route.delete("/v1/inbound/{id}", this::discard));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    InboundFilter filter =
        new InboundFilter(
            call.query("account"),
            call.query("sessionId"),
            call.choice("status", InboundStatus.values()));
    Page<StoredInbound> page =
        call.page((cursor, limit) -> postrider.inbox().list(filter, cursor, limit));
    return Json.page(page, new InboundJson(postrider, page.items())::members);
  }

  private ApiResponse show(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(
        postrider, 200, call.found(postrider.inbox().find(call.inboundId()), "inbound message"));
  }

  private static ApiResponse full(Postrider postrider, int status, StoredInbound inbound) {
    boolean untouched = inbound.handling().attempts() == 0;
    List<InboundNote> notes = untouched ? List.of() : postrider.inbox().notes(inbound.id());
    InboundJson written = new InboundJson(postrider, List.of(inbound));
    return ApiResponse.json(
        status,
        json -> {
          written.members(json, inbound);
          InboundJson.history(json, notes);
        });
  }

  /** By a person, while no program has it. */
  private ApiResponse ack(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    StoredInbound inbound = call.found(postrider.inbox().find(call.inboundId()), "inbound message");
    byte[] body = call.json();
    List<Message> replies =
        body.length == 0
            ? List.of()
            : ReplyDrafts.read(body, () -> postrider.inbox().replyTo(inbound), false);
    call.tell("replies", replies.size());
    List<SendResult> sent = postrider.inbox().ack(inbound.id(), replies);
    return LeasesApi.replies(sent, postrider);
  }

  private ApiResponse replay(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    return full(postrider, 202, postrider.inbox().replay(call.inboundId()));
  }

  /** Replays all that match in the order of their sessions. */
  private ApiResponse replayMany(ApiRequest call) {
    Inbox inbox = engineState.postrider().inbox();
    JsonFields options = call.options("account", "sessionId", "limit", "dryRun");
    InboundFilter filter =
        new InboundFilter(
            options.filled("account"), options.filled("sessionId"), InboundStatus.FAILED);
    record Letter(InboundId id, String session, long row) {}
    return new Replays<StoredInbound, Letter>(
            inbound -> new Letter(inbound.id(), inbound.sessionId(), inbound.row()),
            inbound -> inbound.replayedAs() == null,
            Comparator.comparing(Letter::row),
            letter -> letter.id().toString(),
            Letter::session,
            letter -> inbox.replay(letter.id()).id().toString())
        .run(call, options, cursor -> inbox.list(filter, cursor, PAGE));
  }

  private ApiResponse discard(ApiRequest call) {
    engineState.postrider().inbox().discard(call.inboundId());
    return ApiResponse.nothing();
  }
}
