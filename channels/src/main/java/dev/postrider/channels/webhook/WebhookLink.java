package dev.postrider.channels.webhook;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.Settings;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.fetch.SafePoster;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.Network;
import dev.postrider.media.Fetcher.Refused;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One account's posts. An address may be anybody's wish, so it is reached through {@link
 * SafePoster}, which checks what it connects to. Thread-safe.
 */
final class WebhookLink implements Link {
  private final String url;
  private final boolean anyTarget;
  private final Signatures signatures;
  private final SafePoster poster;
  private final WebhookVerdict verdict;
  private final InstantSource clock;

  WebhookLink(Settings settings, InstantSource clock) {
    this.clock = clock;
    anyTarget = settings.flag("allowAnyTarget", false);
    url = anyTarget ? settings.text("url", "") : settings.required("url");
    if (!url.isEmpty() && !url.matches("(?i)https?://.+")) {
      throw settings.wrong("url", "is not an address such as https://example.org/hook");
    }
    signatures = Signatures.of(settings, "secret");
    poster = new SafePoster(networks(settings), positive(settings, "timeout"), secrets(settings));
    verdict =
        new WebhookVerdict(
            settings.flag("permanentOn4xx", false), positive(settings, "throttle"), clock);
  }

  private static Duration positive(Settings settings, String key) {
    Duration value = settings.duration(key, Duration.ofSeconds(30));
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  private static List<Network> networks(Settings settings) {
    try {
      return settings.texts("allowedNetworks").stream().map(Network::parse).toList();
    } catch (IllegalArgumentException e) {
      throw settings.wrong("allowedNetworks", "is wrong: " + e.getMessage());
    }
  }

  private Secrets secrets(Settings settings) {
    return Secrets.ofAddress(
        url,
        Stream.concat(Stream.of(url), settings.texts("secret").stream()).toArray(String[]::new));
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    boolean own = !isItsOwnTarget(dispatch.to());
    String target = own ? url : dispatch.to();
    if (target.isEmpty()) {
      return new Outcome.Rejected(
          Blame.TARGET, "to is not an https address, and the account has no url of its own");
    }
    String id = "msg_" + dispatch.key();
    try {
      byte[] body = WebhookPayload.of(dispatch);
      return outcome(
          poster.postJson(target, signatures.headers(id, clock.instant(), body), body), id, own);
    } catch (Refused e) {
      return WebhookVerdict.refusal(own, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be read: " + e.getMessage());
    }
  }

  /** Named with its port, and never with more: the rest of an address may be a secret. */
  @Override
  public @Nullable String server(String chat) {
    if (!isItsOwnTarget(chat)) {
      return null;
    }
    URI target = WebAddress.of(chat);
    if (target == null) {
      return null;
    }
    String host = target.getHost().toLowerCase(Locale.ROOT);
    return target.getPort() < 0 ? host : host + ":" + target.getPort();
  }

  private boolean isItsOwnTarget(String chat) {
    return anyTarget && chat.regionMatches(true, 0, "https://", 0, 8);
  }

  private Outcome outcome(HttpResult result, String id, boolean own) {
    return switch (result) {
      case HttpResult.Response response -> verdict.of(response, id, own);
      case HttpResult.Failed failed -> failed.outcome();
    };
  }
}
