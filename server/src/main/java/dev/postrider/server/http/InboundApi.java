package dev.postrider.server.http;

import dev.postrider.Postrider;
import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.InboundFilter;
import dev.postrider.store.Page;
import dev.postrider.store.StoredInbound;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What came from platforms. */
final class InboundApi {
  private final Life life;

  InboundApi(Life life) {
    this.life = life;
  }

  List<Route> routes() {
    return List.of(Route.get("/v1/inbound", this::list), Route.get("/v1/inbound/{id}", this::show));
  }

  private Answer list(Call call) {
    Postrider postrider = life.postrider();
    InboundFilter filter =
        new InboundFilter(
            call.query("account"), call.query("sessionId"), status(call.query("status")));
    Page<StoredInbound> page =
        call.page((cursor, limit) -> postrider.inbound(filter, cursor, limit));
    return Json.page(
        page.items(),
        page.next(),
        (json, event) -> {
          json.writeStartObject();
          write(json, event, postrider);
          json.writeEndObject();
        });
  }

  private static @Nullable InboundStatus status(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return Arrays.stream(InboundStatus.values())
        .filter(status -> status.label().equals(name))
        .findFirst()
        .orElseThrow(() -> HttpProblem.invalid("status", "'" + name + "' is not known"));
  }

  private Answer show(Call call) {
    Postrider postrider = life.postrider();
    StoredInbound event =
        find(postrider, call.path("id"))
            .orElseThrow(
                () -> HttpProblem.notFound("There is no inbound message " + call.path("id") + "."));
    return Answer.json(200, json -> write(json, event, postrider));
  }

  private static Optional<StoredInbound> find(Postrider postrider, String id) {
    try {
      return postrider.inbound(InboundId.parse(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static void write(JsonGenerator json, StoredInbound event, Postrider postrider) {
    Arrival arrival = event.arrival();
    json.writeStringProperty("id", event.id().toString());
    json.writeStringProperty("account", event.account());
    Json.text(json, "channel", postrider.channelOf(event.account()));
    json.writeStringProperty("sessionId", event.sessionId());
    Json.word(json, "kind", arrival.kind());
    json.writeStringProperty("chat", arrival.chat());
    Json.word(json, "chatKind", arrival.chatKind());
    json.writeName("sender");
    json.writeStartObject();
    json.writeStringProperty("id", arrival.sender().id());
    Json.text(json, "name", arrival.sender().name());
    json.writeEndObject();
    Json.text(json, "text", arrival.text());
    json.writeName("media");
    json.writeStartArray();
    arrival.media().forEach(file -> write(json, file));
    json.writeEndArray();
    Json.text(json, "messageId", arrival.messageId());
    Json.text(json, "replyToId", arrival.replyToId());
    Json.text(json, "threadId", arrival.threadId());
    json.writeStringProperty("platformId", event.arrival().platformId());
    Json.instant(json, "sentAt", arrival.sentAt());
    Json.instant(json, "receivedAt", event.receivedAt());
    Json.word(json, "status", event.status());
    json.writeName("raw");
    Json.value(json, arrival.raw());
  }

  private static void write(JsonGenerator json, Arrival.File file) {
    json.writeStartObject();
    json.writeStringProperty("kind", file.kind());
    Json.text(json, "id", file.id());
    Json.text(json, "url", file.url());
    Json.text(json, "filename", file.filename());
    Json.text(json, "type", file.type());
    json.writeName("size");
    Json.value(json, file.size());
    json.writeEndObject();
  }
}
