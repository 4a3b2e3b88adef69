package dev.postrider.server.http;

import dev.postrider.channel.Channel;
import dev.postrider.channels.sandbox.Delivered;
import dev.postrider.channels.sandbox.SandboxChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What arrived on the built-in sandbox channel. */
final class SandboxApi {
  private final Life life;
  private final Neighbours neighbours;

  SandboxApi(Life life, Neighbours neighbours) {
    this.life = life;
    this.neighbours = neighbours;
  }

  List<Route> routes() {
    return List.of(Route.get("/v1/sandbox/{account}/inbox", this::inbox));
  }

  private Answer inbox(Call call) {
    @Nullable Answer ofOwner = neighbours.ask(call, call.path("account"));
    if (ofOwner != null) {
      return ofOwner;
    }
    Channel channel = life.postrider().channel("sandbox").orElse(null);
    if (!(channel instanceof SandboxChannel sandbox)) {
      throw HttpProblem.notFound("This server has no sandbox channel.");
    }
    List<Delivered> inbox = sandbox.inbox(call.path("account"), call.query("chat"), call.limit());
    return Json.page(inbox, null, SandboxApi::write);
  }

  private static void write(JsonGenerator json, Delivered part) {
    json.writeStartObject();
    Json.instant(json, "at", part.at());
    json.writeStringProperty("platformId", part.platformId());
    json.writeStringProperty("account", part.account());
    json.writeStringProperty("chat", part.chat());
    Json.text(json, "text", part.text());
    Json.text(json, "mediaUrl", part.media().isEmpty() ? null : part.media().getFirst().url());
    json.writeName("media");
    MediaJson.write(json, part.media());
    Json.text(json, "threadId", part.threadId());
    Json.text(json, "replyToId", part.replyToId());
    json.writeBooleanProperty("silent", part.silent());
    json.writeStringProperty("key", part.key());
    json.writeEndObject();
  }
}
