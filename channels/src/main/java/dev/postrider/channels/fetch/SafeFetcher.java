package dev.postrider.channels.fetch;

import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.config.MediaSettings;
import dev.postrider.media.Fetcher;
import dev.postrider.store.media.Blobs;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files by their address, as a stranger would: from public addresses, and from the private
 * ones the owner allows. Redirects are followed by hand, each as if it were the first address.
 *
 * <p>The check is on the address that is connected to, not on how it is written or what a name
 * stood for a moment ago ({@link FetchChain}). Every hop has a connection of its own, which nothing
 * else has used or will use. Thread-safe; blocks in real time, and an interrupted virtual thread
 * leaves at once.
 */
public final class SafeFetcher implements Fetcher {
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final HostLookup names;
  private final TlsSocketStrategy tls;

  public SafeFetcher() {
    this(HostLookup.SYSTEM, FetchRequest.TRUSTED_BY_THE_SYSTEM);
  }

  SafeFetcher(HostLookup names, TlsSocketStrategy tls) {
    this.names = names;
    this.tls = tls;
  }

  @Override
  public <T> T fetch(String url, MediaSettings settings, Taker<T> taker) throws IOException {
    return fetch(url, "*/*", settings, taker);
  }

  /**
   * The same, for addresses that have several things to give.
   *
   * @param accept the type of what is wanted
   */
  public <T> T fetch(String url, String accept, MediaSettings settings, Taker<T> taker)
      throws IOException {
    try (Opened file = open(url, accept, settings, settings.fetchTimeout())) {
      return taker.take(file.bytes());
    }
  }

  /**
   * Fetches an address and gives its bytes while they arrive. Fails as {@link #fetch} does.
   *
   * @param timeout how long that may take in all, to the last byte
   */
  Opened open(String url, MediaSettings settings, Duration timeout) throws IOException {
    return open(url, "*/*", settings, timeout);
  }

  private Opened open(String url, String accept, MediaSettings settings, Duration timeout)
      throws IOException {
    FetchChain.Bounds bounds =
        new FetchChain.Bounds(
            new AllowedAddresses(settings.allowedNetworks()),
            timeout,
            "media.allowedNetworks",
            "media.fetchTimeout");
    FetchAddress place = FetchAddress.of(url);
    FetchChain line = new FetchChain(bounds, names);
    try {
      for (int followed = 0; followed <= settings.maxRedirects(); followed++) {
        FetchRequest visit = FetchRequest.to(place, line, tls, request(place, accept));
        String onward = redirect(visit.response());
        if (onward == null) {
          return opened(visit, line, settings.largest());
        }
        visit.close();
        place = place.onward(onward);
      }
      throw new Refused(place + " is one redirect too many (media.maxRedirects)");
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
  }

  private static Opened opened(FetchRequest visit, FetchChain line, long largest)
      throws IOException {
    try {
      return new Opened(new Closing(file(visit, largest), visit, line), visit.length());
    } catch (IOException | RuntimeException e) {
      visit.close();
      throw e;
    }
  }

  /** Bytes that end the connection when they are closed. */
  private static final class Closing extends FilterInputStream {
    private final FetchRequest visit;
    private final FetchChain line;

    Closing(InputStream bytes, FetchRequest visit, FetchChain line) {
      super(bytes);
      this.visit = visit;
      this.line = line;
    }

    @Override
    public void close() {
      visit.close();
      line.close();
    }
  }

  private static ClassicHttpRequest request(FetchAddress place, String accept) {
    var request = new BasicClassicHttpRequest("GET", place.host(), place.target());
    request.setHeader(HttpHeaders.ACCEPT, accept);
    return request;
  }

  private static @Nullable String redirect(ClassicHttpResponse response) {
    Header location = response.getFirstHeader(HttpHeaders.LOCATION);
    if (location == null || !REDIRECTS.contains(response.getCode())) {
      return null;
    }
    return location.getValue();
  }

  private static InputStream file(FetchRequest visit, long largest) throws IOException {
    int status = visit.response().getCode();
    if (status < 200 || status > 299) {
      String answer = visit.place() + " answered " + status;
      throw isPassing(status)
          ? new IOException(answer)
          : new Refused(answer, status == 404 || status == 410);
    }
    if (visit.length() > largest) {
      throw new Blobs.TooLarge(largest);
    }
    return visit.body();
  }

  private static boolean isPassing(int status) {
    return status >= 500 || status == 408 || status == 425 || status == 429;
  }
}
