package dev.postrider.postgres.read;

import java.util.Comparator;
import java.util.UUID;

/**
 * What an account's platform calls something. In order, so that nodes which store the same names
 * wait for each other in one direction only.
 *
 * @param fingerprint of the platform's id
 */
public record PlatformName(int account, UUID fingerprint) implements Comparable<PlatformName> {
  private static final Comparator<PlatformName> ORDER =
      Comparator.comparingInt(PlatformName::account).thenComparing(PlatformName::fingerprint);

  @Override
  public int compareTo(PlatformName other) {
    return ORDER.compare(this, other);
  }
}
