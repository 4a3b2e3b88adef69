package dev.postrider.channels.fetch;

import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.Settings;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.MediaSettings;
import dev.postrider.media.Fetcher;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the files of one account's inbound messages: from the platform as the account, with its
 * secrets, its proxy and its patience, and without following redirects, which could carry the
 * secrets elsewhere; from everywhere else as a stranger. Thread-safe.
 */
public final class InboundFetch {
  private final Settings settings;
  private final Secrets secrets;
  private final MediaSettings media;
  private final SafeFetcher strangers = new SafeFetcher();

  public InboundFetch(Settings settings, Secrets secrets, MediaSettings media) {
    this.settings = settings;
    this.secrets = secrets;
    this.media = media;
  }

  /**
   * Asks the platform something that has a short answer.
   *
   * @throws Unavailable if none came
   */
  public HttpResult.Response ask(HttpCall call) throws Unavailable {
    try (HttpSender http = HttpSender.of(settings, secrets)) {
      return switch (http.send(call)) {
        case HttpResult.Response response -> response;
        case HttpResult.Failed failed -> throw new Unavailable(Why.UNREACHABLE, failed.cause());
      };
    }
  }

  /** Asks the platform for a file. */
  public FileAnswer get(HttpCall call) throws IOException {
    HttpSender http = HttpSender.of(settings, secrets);
    try {
      return http.open(call, media.largest());
    } catch (IOException | RuntimeException e) {
      http.close();
      throw e;
    }
  }

  /**
   * Opens a file of the platform's.
   *
   * @param platform its name, for whoever reads why not
   */
  public Opened open(HttpCall call, String platform) throws IOException {
    return switch (get(call)) {
      case FileAnswer.Found found -> found.file();
      case FileAnswer.Other(HttpResult.Response response) -> throw refusal(response, platform);
    };
  }

  /** What an answer means that is not the file. */
  public static Unavailable refusal(HttpResult.Response response, String platform) {
    int status = response.status();
    String said = platform + " answered " + status + " " + response.excerpt();
    return switch (status) {
      case 404, 410 -> new Unavailable(Why.GONE, said.strip());
      case 408, 425, 429 -> new Unavailable(Why.UNREACHABLE, said.strip());
      default -> new Unavailable(status >= 500 ? Why.UNREACHABLE : Why.REFUSED, said.strip());
    };
  }

  /** Opens a file at an address that somebody has named: from there, nothing of ours is sent. */
  public Opened openElsewhere(@Nullable String url) throws IOException {
    if (url == null) {
      throw new Unavailable(Why.GONE, "nobody has said where the file is");
    }
    try {
      return strangers.open(
          url, media, media.fetchTimeout().plus(PartFile.allowance(media.largest())));
    } catch (Fetcher.Refused e) {
      throw new Unavailable(e.gone() ? Why.GONE : Why.REFUSED, String.valueOf(e.getMessage()));
    } catch (Fetcher.Unreachable e) {
      throw new Unavailable(Why.UNREACHABLE, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The address, if it is the platform's own: on its API's server, or over TLS on one of the hosts
   * or a host below them. Only such an address may be shown a secret.
   */
  public static @Nullable URI own(@Nullable String url, String base, Set<String> hosts) {
    URI uri = url == null ? null : WebAddress.of(url);
    if (uri == null || uri.getRawUserInfo() != null) {
      return null;
    }
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    boolean known =
        "https".equals(uri.getScheme())
            && (uri.getPort() < 0 || uri.getPort() == 443)
            && hosts.stream().anyMatch(name -> host.equals(name) || host.endsWith("." + name));
    return known || isOnServer(uri, URI.create(base)) ? uri : null;
  }

  private static boolean isOnServer(URI uri, URI base) {
    return Objects.equals(uri.getScheme(), base.getScheme())
        && Objects.equals(uri.getHost(), base.getHost())
        && uri.getPort() == base.getPort();
  }
}
