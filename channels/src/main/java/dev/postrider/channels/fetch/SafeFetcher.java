package dev.postrider.channels.fetch;

import dev.postrider.config.MediaSettings;
import dev.postrider.media.Fetcher;
import dev.postrider.store.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files by their address, as a stranger would: from public addresses, and from the private
 * ones the owner allows. Redirects are followed by hand, each as if it were the first address.
 *
 * <p>The check is on the address that is connected to, not on how it is written or what a name
 * stood for a moment ago ({@link Line}). Every hop has a connection of its own, which nothing else
 * has used or will use. Thread-safe; blocks in real time, and an interrupted virtual thread leaves
 * at once.
 */
public final class SafeFetcher implements Fetcher {
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Names names;
  private final TlsSocketStrategy tls;

  /** Made when first needed, because that reads every certificate the system trusts. */
  private static final class Trusted {
    static final TlsSocketStrategy BY_THE_SYSTEM = DefaultClientTlsStrategy.createDefault();
  }

  public SafeFetcher() {
    this(
        Names.SYSTEM,
        (socket, host, port, attachment, context) ->
            Trusted.BY_THE_SYSTEM.upgrade(socket, host, port, attachment, context));
  }

  SafeFetcher(Names names, TlsSocketStrategy tls) {
    this.names = names;
    this.tls = tls;
  }

  @Override
  public <T> T fetch(String url, MediaSettings settings, Taker<T> taker) throws IOException {
    Reach reach = new Reach(settings.allowedNetworks());
    Place place = Place.of(url);
    try (Line line = new Line(reach, names, settings.fetchTimeout())) {
      for (int followed = 0; followed <= settings.maxRedirects(); followed++) {
        try (Visit visit = Visit.to(place, line, tls)) {
          String onward = redirect(visit.response());
          if (onward == null) {
            return taker.take(file(visit, settings.largest()));
          }
          place = place.onward(onward);
        }
      }
    }
    throw new Refused(place + " is one redirect too many (media.maxRedirects)");
  }

  private static @Nullable String redirect(ClassicHttpResponse response) {
    Header location = response.getFirstHeader(HttpHeaders.LOCATION);
    if (location == null || !REDIRECTS.contains(response.getCode())) {
      return null;
    }
    return location.getValue();
  }

  private static InputStream file(Visit visit, long largest) throws IOException {
    int status = visit.response().getCode();
    if (status < 200 || status > 299) {
      String answer = visit.place() + " answered " + status;
      throw isPassing(status) ? new IOException(answer) : new Refused(answer);
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
