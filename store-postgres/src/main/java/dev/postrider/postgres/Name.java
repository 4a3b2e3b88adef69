package dev.postrider.postgres;

import java.util.Comparator;
import java.util.UUID;

/**
 * What an account's platform calls something. In order, so that nodes which store the same names
 * wait for each other in one direction only.
 *
 * @param fingerprint of the platform's id
 */
record Name(int account, UUID fingerprint) implements Comparable<Name> {
  private static final Comparator<Name> ORDER =
      Comparator.comparingInt(Name::account).thenComparing(Name::fingerprint);

  @Override
  public int compareTo(Name other) {
    return ORDER.compare(this, other);
  }
}
