package dev.postrider.channels.nostr;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** The address of a relay, in the one form by which it is known again. */
final class RelayAddress {
  private RelayAddress() {}

  /** Nothing if it is none. */
  static Optional<URI> of(String text) {
    try {
      URI uri = new URI(text.strip());
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() == null
          || uri.getRawUserInfo() != null
          || !scheme.equals("ws") && !scheme.equals("wss")) {
        return Optional.empty();
      }
      boolean usual = uri.getPort() == (scheme.equals("ws") ? 80 : 443);
      String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      String port = usual || uri.getPort() < 0 ? "" : ":" + uri.getPort();
      return Optional.of(
          URI.create(
              scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port + path + query));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
