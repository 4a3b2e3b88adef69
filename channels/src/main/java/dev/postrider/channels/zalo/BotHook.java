package dev.postrider.channels.zalo;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * A bot's webhook: one update per request, with a secret of ours in a header. What is older than
 * Zalo repeats events of Official Accounts is refused; within that time its message is recognised
 * by its id.
 */
record BotHook(String secret) implements Hook {
  private static final String SECRET = "x-bot-api-secret-token";

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    String presented = request.header(SECRET);
    if (presented == null || !Hmac.same(secret, presented)) {
      return new Answer.Forged("the secret token is missing or wrong");
    }
    JsonNode body = Json.readObject(request.text());
    if (body != null && body.isEmpty()) { // Zalo looks whether somebody answers
      return Answer.Genuine.only(Reply.OK);
    }
    // Zalo has sent updates as they are, and inside of an answer.
    JsonNode update = body == null || body.has("event_name") ? body : body.path("result");
    if (update == null || !update.path("event_name").isString()) {
      return new Answer.Malformed("this is no update");
    }
    Instant at = ZaloText.time(update.path("message").path("date"));
    return at != null && !OaHook.isOfNow(at, request.receivedAt())
        ? new Answer.Forged(OaHook.OLD)
        : Answer.Genuine.of(BotUpdates.read(update));
  }

  @Override
  public String toString() {
    return "BotHook";
  }
}
