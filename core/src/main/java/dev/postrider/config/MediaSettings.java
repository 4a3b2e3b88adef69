package dev.postrider.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How files are taken in and fetched.
 *
 * @param largest most bytes of one file
 * @param keepUnused how long an upload that no message names is kept
 * @param fetchTimeout how long fetching an address may take in all, to the last byte
 * @param maxRedirects how often an address may send on to another
 * @param allowedNetworks private networks that may be fetched from nevertheless, such as {@code
 *     10.1.0.0/16}; none by default
 * @param publicUrl where platforms find this server, such as {@code https://postrider.example.org},
 *     for those that take files by address only; null if they do not
 */
public record MediaSettings(
    long largest,
    Duration keepUnused,
    Duration fetchTimeout,
    int maxRedirects,
    List<Network> allowedNetworks,
    @Nullable String publicUrl) {
  public static final MediaSettings DEFAULTS =
      new MediaSettings(100L << 20, Duration.ofHours(24), Duration.ofSeconds(30), 5, List.of());

  public MediaSettings {
    allowedNetworks = List.copyOf(allowedNetworks);
    require(largest > 0, "media.maxSize must be above zero");
    require(keepUnused.isPositive(), "media.keepUnused must be longer than zero");
    require(fetchTimeout.isPositive(), "media.fetchTimeout must be longer than zero");
    require(maxRedirects >= 0, "media.maxRedirects must not be below zero");
  }

  /** Of a server that platforms do not find. */
  public MediaSettings(
      long largest,
      Duration keepUnused,
      Duration fetchTimeout,
      int maxRedirects,
      List<Network> allowedNetworks) {
    this(largest, keepUnused, fetchTimeout, maxRedirects, allowedNetworks, null);
  }

  public MediaSettings publicUrl(@Nullable String url) {
    return new MediaSettings(largest, keepUnused, fetchTimeout, maxRedirects, allowedNetworks, url);
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException(problem);
    }
  }
}
