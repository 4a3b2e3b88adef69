package dev.postrider.channels.discord;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.discord.DiscordApi.Route;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Secrets;
import dev.postrider.message.Fix;
import java.net.URI;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One webhook. Discord does not know its messages again, and it cannot be asked. Thread-safe. */
final class DiscordWebhookLink implements Link {
  private static final Pattern URL = Pattern.compile(".*/webhooks/\\d+/(?<token>[\\w.~-]+)");

  private final String url;
  private final DiscordApi api;

  DiscordWebhookLink(Settings settings, InstantSource clock) {
    url = settings.required("url");
    Matcher parts = URL.matcher(url);
    if (!parts.matches() || WebAddress.of(url) == null) {
      throw settings.wrong("url", "is not an address such as " + DiscordChannel.HOOK);
    }
    api = new DiscordApi(settings, Secrets.of(url, parts.group("token")), clock);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    if (dispatch.replyToId() != null) {
      return cannotQuote();
    }
    DiscordRequest request = DiscordRequest.webhook(dispatch);
    // Without wait, Discord does not say whether it kept the message.
    StringBuilder address = new StringBuilder(url).append("?wait=true");
    if (dispatch.threadId() != null) {
      address.append("&thread_id=").append(dispatch.threadId());
    }
    if (request.fields().containsKey("components")) {
      address.append("&with_components=true");
    }
    HttpCall call = request.on(HttpCall.post(URI.create(address.toString())));
    return api.send(Route.of(ApiRoute.WEBHOOK, url), call, false);
  }

  static Outcome cannotQuote() {
    return new Outcome.Repairable(new Fix.DropReply(), "a webhook cannot quote a message");
  }

  @Override
  public Probe probe() {
    return api.probe(ApiRoute.WEBHOOK, HttpCall.get(URI.create(url)), "name");
  }

  @Override
  public void close() {
    api.close();
  }
}
