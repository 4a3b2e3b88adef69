package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.message.Message;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.AccountsApi;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import dev.postrider.server.api.message.MediaJson;
import dev.postrider.store.inbound.SessionEntry;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.inbound.SessionView;
import dev.postrider.store.message.Page;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Conversations: who waits in them, what was heard and said in them. */
public final class SessionsApi {
  private final EngineState engineState;

  public SessionsApi(EngineState engineState) {
    this.engineState = engineState;
  }

  public List<Route> routes() {
    return List.of(
        Route.list("/v1/sessions", this::list, "account"),
        Route.get("/v1/sessions/{id}", this::show),
        Route.list("/v1/sessions/{id}/history", this::history),
        Route.act("/v1/sessions/pause", this::pause),
        Route.act("/v1/sessions/resume", this::resume));
  }

  private ApiResponse list(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    Page<SessionView> page =
        call.page(
            (cursor, limit) -> postrider.inbox().sessions(call.query("account"), cursor, limit));
    return Json.page(page, this::members);
  }

  private ApiResponse show(ApiRequest call) {
    return one(found(engineState.postrider(), call));
  }

  private static SessionView found(Postrider postrider, ApiRequest call) {
    return postrider
        .inbox()
        .session(call.path("id"))
        .orElseThrow(
            () ->
                HttpProblem.notFound(
                    "There is no session '"
                        + call.path("id")
                        + "'; a slash in it is written %2F."));
  }

  private ApiResponse history(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    SessionView session = found(postrider, call);
    Page<SessionEntry> page =
        call.page((cursor, limit) -> postrider.inbox().history(session.id(), cursor, limit));
    InboundJson heard =
        new InboundJson(
            postrider,
            page.items().stream()
                .filter(SessionEntry.Heard.class::isInstance)
                .map(entry -> ((SessionEntry.Heard) entry).inbound())
                .toList());
    return Json.page(page, (json, entry) -> write(json, entry, heard));
  }

  private ApiResponse pause(ApiRequest call) {
    JsonFields options = call.options("id", "reason");
    String reason = ApiRequest.reason(options, AccountsApi.BY_OPERATOR);
    return one(engineState.postrider().inbox().pause(options.required("id"), reason));
  }

  private ApiResponse resume(ApiRequest call) {
    return one(engineState.postrider().inbox().resume(call.options("id").required("id")));
  }

  private ApiResponse one(SessionView session) {
    return ApiResponse.json(200, json -> members(json, session));
  }

  private void members(JsonGenerator json, SessionView session) {
    json.writeStringProperty("id", session.id());
    json.writeStringProperty("account", session.account());
    json.writeStringProperty("chat", session.chat());
    String now = engineState.postrider().chatName(session.account(), session.chat());
    Json.text(json, "movedTo", now.equals(session.chat()) ? null : now);
    Json.text(json, "threadId", session.threadId());
    json.writeNumberProperty("waiting", session.waiting());
    Json.instant(json, "lastAt", session.lastAt());
    json.writeBooleanProperty("paused", session.pausedBecause() != null);
    Json.text(json, "pauseReason", session.pausedBecause());
    Json.instant(json, "pausedSince", session.pausedSince());
  }

  private static void write(JsonGenerator json, SessionEntry entry, InboundJson inbound) {
    switch (entry) {
      case SessionEntry.Heard heard -> {
        json.writeStringProperty("kind", "heard");
        Json.instant(json, "at", heard.at());
        inbound.message(json, heard.inbound());
      }
      case SessionEntry.Said said -> {
        json.writeStringProperty("kind", "said");
        Json.instant(json, "at", said.at());
        said(json, said.message());
      }
    }
  }

  private static void said(JsonGenerator json, SessionReply mirrored) {
    Message message = mirrored.message();
    json.writeStringProperty("messageId", mirrored.id().toString());
    json.writeStringProperty("account", message.account());
    json.writeStringProperty("to", message.to());
    Json.text(json, "text", message.text());
    Json.word(json, "format", message.format());
    Json.objects(json, "media", message.media(), media -> MediaJson.write(json, media));
    Json.text(json, "threadId", message.threadId());
    Json.text(json, "replyToId", message.replyToId());
    Json.text(json, "turnId", message.turnId());
    Json.word(json, "dispatchKind", message.dispatchKind());
    Json.value(json, "receipts", mirrored.receipts());
  }
}
