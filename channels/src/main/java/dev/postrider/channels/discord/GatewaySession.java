package dev.postrider.channels.discord;

import dev.postrider.channels.http.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How far the gateway's events were read. Discord keeps those that follow for a few minutes and
 * tells them again to whoever comes back with this.
 *
 * @param seq the number of the last event that is stored, or that nobody needs
 * @param url where to come back to
 * @param self the bot's user
 */
record GatewaySession(String id, long seq, String url, String self) {

  static @Nullable GatewaySession parse(@Nullable String cursor) {
    JsonNode node = cursor == null ? null : Json.readObject(cursor);
    return node == null
        ? null
        : new GatewaySession(
            node.path("session").asString(""),
            node.path("seq").asLong(0),
            node.path("url").asString(""),
            node.path("self").asString(""));
  }

  String cursor() {
    return Json.write(Map.of("session", id, "seq", seq, "url", url, "self", self));
  }

  GatewaySession at(long later) {
    return new GatewaySession(id, later, url, self);
  }
}
