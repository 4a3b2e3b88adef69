package dev.postrider.channels;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** An address on the web. */
public final class WebAddress {
  private WebAddress() {}

  /**
   * The text as such an address, or null if it is none; what is wrong with it might be a secret.
   */
  public static @Nullable URI of(String text) {
    try {
      URI uri = new URI(text);
      boolean web = String.valueOf(uri.getScheme()).matches("https?");
      return web && uri.getHost() != null ? uri : null;
    } catch (URISyntaxException _) {
      return null;
    }
  }
}
