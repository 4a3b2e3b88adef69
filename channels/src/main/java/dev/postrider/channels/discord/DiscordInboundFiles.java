package dev.postrider.channels.discord;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fetches files from Discord, which asks for no token there. Its addresses are good for a day; then
 * the API gives new ones.
 */
record DiscordInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final Set<String> HOSTS = Set.of("discordapp.com", "discordapp.net");

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String url = message.media().get(index).url();
    Settings settings = Settings.of(account);
    String token = settings.required("token");
    String base = settings.web("baseUrl", DiscordChannel.BASE);
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(token), media);
    URI own = InboundFetch.own(url, base, HOSTS);
    if (own == null) {
      return fetch.openElsewhere(url);
    }
    try {
      return fetch.open(HttpCall.get(own), "Discord");
    } catch (Unavailable e) {
      if (e.why() == Why.UNREACHABLE) {
        throw e;
      }
      URI fresh = InboundFetch.own(refreshed(fetch, base, token, own), base, HOSTS);
      if (fresh == null || fresh.equals(own)) {
        throw e;
      }
      return fetch.open(HttpCall.get(fresh), "Discord");
    }
  }

  /** The address as it is good now; null if there is none. */
  private static @Nullable String refreshed(InboundFetch fetch, String base, String token, URI old)
      throws Unavailable {
    HttpResult.Response answer =
        fetch.ask(
            HttpCall.post(URI.create(base + "/attachments/refresh-urls"))
                .header("Authorization", "Bot " + token)
                .header("User-Agent", DiscordApi.USER_AGENT)
                .json(Map.of("attachment_urls", List.of(old.toString()))));
    JsonNode body = answer.status() == 200 ? Json.readObject(answer.body()) : null;
    JsonNode fresh = body == null ? null : body.at("/refreshed_urls/0/refreshed");
    return fresh == null || !fresh.isString() ? null : fresh.asString();
  }
}
