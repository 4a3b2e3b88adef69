package dev.postrider.channels.whatsapp;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks Meta for a file's address, which is good for five minutes, and fetches it there with the
 * token.
 */
record WhatsAppInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final Set<String> HOSTS = Set.of("fbsbx.com", "whatsapp.net", "facebook.com");
  private static final String WHO = "WhatsApp";

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String id = message.media().get(index).id();
    if (id == null || !id.matches("\\w+")) {
      throw new Unavailable(Why.GONE, "WhatsApp has not said what the file is called");
    }
    Settings settings = Settings.of(account);
    String token = settings.required("token");
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(token), media);
    URI question = WhatsAppLink.number(settings).resolve(id);
    HttpResult.Response answer = fetch.ask(HttpCall.get(question).bearer(token));
    JsonNode body = Json.readObject(answer.body());
    if (answer.status() != 200 || body == null) {
      throw refusal(answer, body);
    }
    URI file = InboundFetch.own(body.path("url").asString(""), question.toString(), HOSTS);
    if (file == null) {
      throw new Unavailable(Why.REFUSED, "WhatsApp names an address that is not Meta's");
    }
    return fetch.open(HttpCall.get(file).bearer(token), WHO);
  }

  /** Meta says so of what it has not, or not any more: after 30 days, or 7 for webhooks. */
  private static Unavailable refusal(HttpResult.Response answer, @Nullable JsonNode body) {
    boolean unknown = body != null && body.at("/error/code").asInt(0) == 100;
    return unknown
        ? new Unavailable(Why.GONE, "WhatsApp does not have the file (any more)")
        : InboundFetch.refusal(answer, WHO);
  }
}
