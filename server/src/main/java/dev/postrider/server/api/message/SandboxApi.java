package dev.postrider.server.api.message;

import static java.util.Objects.requireNonNullElse;

import dev.postrider.Postrider;
import dev.postrider.channel.Channel;
import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.channels.sandbox.SandboxDelivery;
import dev.postrider.channels.sandbox.SandboxMessage;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.ApiResponse;
import dev.postrider.server.api.ClusterPeers;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.Route;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What arrives on the built-in sandbox channel, and what people write there. */
public final class SandboxApi {
  private final EngineState engineState;
  private final ClusterPeers peers;

  public SandboxApi(EngineState engineState, ClusterPeers peers) {
    this.engineState = engineState;
    this.peers = peers;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/v1/sandbox/{account}/inbox", this::inbox, "chat", "limit"),
        Route.send("/v1/sandbox/{account}/messages", this::write));
  }

  private ApiResponse inbox(ApiRequest call) {
    @Nullable ApiResponse ofOwner = peers.ask(call, call.path("account"));
    if (ofOwner != null) {
      return ofOwner;
    }
    List<SandboxDelivery> inbox =
        sandbox(engineState.postrider())
            .inbox(call.path("account"), call.query("chat"), call.limit());
    return Json.page(inbox, SandboxApi::write);
  }

  /** Somebody in a sandbox chat writes: it comes in as any platform's message does. */
  private ApiResponse write(ApiRequest call) {
    Postrider postrider = engineState.postrider();
    SandboxChannel sandbox = sandbox(postrider);
    if (!sandbox.name().equals(postrider.channelOf(call.path("account")))) {
      throw HttpProblem.notFound(
          "There is no account '" + call.path("account") + "' on the sandbox channel.");
    }
    JsonFields options =
        call.options("chat", "text", "sender", "name", "threadId", "replyToId", "media");
    String chat = options.required("chat");
    SandboxMessage written =
        new SandboxMessage(
            "sandbox-" + UUID.randomUUID(),
            chat,
            options.filled("sender", chat),
            options.filled("name"),
            options.required("text"),
            options.filled("threadId"),
            options.filled("replyToId"),
            requireNonNullElse(options.texts("media"), List.of()),
            Instant.now());
    postrider.receive(call.path("account"), sandbox.webhook(written));
    return ApiResponse.json(202, json -> json.writeStringProperty("platformId", written.id()));
  }

  private static SandboxChannel sandbox(Postrider postrider) {
    Channel channel = postrider.channel("sandbox").orElse(null);
    if (channel instanceof SandboxChannel sandbox) {
      return sandbox;
    }
    throw HttpProblem.notFound("This server has no sandbox channel.");
  }

  private static void write(JsonGenerator json, SandboxDelivery part) {
    Json.instant(json, "at", part.at());
    json.writeStringProperty("platformId", part.platformId());
    json.writeStringProperty("account", part.account());
    json.writeStringProperty("chat", part.chat());
    Json.text(json, "text", part.text());
    Json.text(json, "mediaUrl", part.media().isEmpty() ? null : part.media().getFirst().url());
    MediaJson.write(json, part.media());
    Json.text(json, "threadId", part.threadId());
    Json.text(json, "replyToId", part.replyToId());
    json.writeBooleanProperty("silent", part.silent());
    json.writeStringProperty("key", part.key());
  }
}
