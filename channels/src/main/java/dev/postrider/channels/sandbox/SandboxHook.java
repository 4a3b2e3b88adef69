package dev.postrider.channels.sandbox;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.MediaKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The sandbox's webhook. Nobody outside can sign for a platform that is inside, so a request is
 * genuine only if it was made here. Thread-safe.
 */
final class SandboxHook implements Hook {
  private static final String PROOF = "sandbox-proof";

  private final String proof = UUID.randomUUID().toString();

  /** The request by which the platform would tell what somebody wrote. */
  Request request(SandboxMessage written) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("id", written.id());
    body.put("chat", written.chat());
    body.put("sender", written.sender());
    body.put("name", written.name());
    body.put("text", written.text());
    body.put("threadId", written.threadId());
    body.put("replyToId", written.replyToId());
    body.put("media", written.media());
    body.put("at", written.at().toString());
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    return new Request("POST", Map.of(PROOF, proof), Map.of(), bytes, written.at());
  }

  /** The request by which the platform would tell what became of a part. */
  Request request(DeliveryReport report) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("receipt", report.receipt());
    body.put("state", report.state().label());
    body.put("detail", report.detail());
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    return new Request("POST", Map.of(PROOF, proof), Map.of(), bytes, report.at());
  }

  @Override
  public Answer read(Request request) {
    String presented = request.header(PROOF);
    if (presented == null || !Hmac.same(proof, presented)) {
      return new Answer.Forged("people write in the sandbox by POST /v1/sandbox/ACCOUNT/messages");
    }
    @Nullable JsonNode body = Json.readObject(request.text());
    if (body == null) {
      return new Answer.Malformed("this is no message");
    }
    return body.has("receipt")
        ? new Answer.Genuine(List.of(), List.of(report(body, request)), Reply.OK)
        : Answer.Genuine.of(List.of(arrival(body)));
  }

  private static DeliveryReport report(JsonNode body, Request request) {
    return new DeliveryReport(
        body.path("receipt").asString(),
        DeliveryReport.State.valueOf(body.path("state").asString().toUpperCase(Locale.ROOT)),
        request.receivedAt(),
        text(body, "detail"));
  }

  private static InboundMessage arrival(JsonNode body) {
    String id = body.path("id").asString();
    String chat = body.path("chat").asString();
    String sender = body.path("sender").asString();
    return new InboundMessage(
        id,
        InboundMessage.Kind.MESSAGE,
        chat,
        chat.equals(sender) ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(sender, text(body, "name")),
        body.path("text").asString(),
        body.path("media").valueStream().map(url -> file(url.asString(""))).toList(),
        id,
        text(body, "replyToId"),
        text(body, "threadId"),
        Instant.parse(body.path("at").asString()),
        Json.map(body));
  }

  private static InboundMessage.File file(String url) {
    String type = SandboxInboundFiles.type(url);
    String kind = (type == null ? MediaKind.DOCUMENT : MediaTypes.kind(type)).label();
    return new InboundMessage.File(kind, null, url, null, type, null);
  }

  private static @Nullable String text(JsonNode body, String field) {
    return body.path(field).isString() ? body.path(field).asString() : null;
  }
}
