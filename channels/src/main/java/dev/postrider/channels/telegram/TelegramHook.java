package dev.postrider.channels.telegram;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Telegram's webhook: one update per request, with a secret of ours in a header. */
final class TelegramHook implements Hook {
  private static final String SECRET = "x-telegram-bot-api-secret-token";

  private final String secret;

  TelegramHook(String secret) {
    this.secret = secret;
  }

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
    @Nullable JsonNode update = Json.readObject(request.text());
    @Nullable InboundMessage arrival = update == null ? null : TelegramUpdates.read(update);
    return arrival == null
        ? new Answer.Malformed("this is no update")
        : Answer.Genuine.of(List.of(arrival));
  }
}
