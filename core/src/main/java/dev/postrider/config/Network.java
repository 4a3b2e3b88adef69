package dev.postrider.config;

import java.net.InetAddress;

/**
 * A block of addresses.
 *
 * @param prefix how many of the leading bits count
 */
public record Network(InetAddress base, int prefix) {

  /**
   * Reads {@code 10.1.0.0/16}, {@code fd00::/8} or a single address.
   *
   * @throws IllegalArgumentException with half a sentence about what is wrong
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    try {
      InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
      int bits = base.getAddress().length * 8;
      int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
      if (prefix >= 0 && prefix <= bits) {
        return new Network(base, prefix);
      }
    } catch (IllegalArgumentException e) {
      // Told below, with what it should look like.
    }
    throw new IllegalArgumentException(
        "must be networks such as 10.1.0.0/16 or fd00::/8, not '" + text + "'");
  }

  public boolean contains(InetAddress address) {
    byte[] mine = base.getAddress();
    byte[] theirs = address.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    for (int bit = 0; bit < prefix; bit++) {
      if (((mine[bit / 8] ^ theirs[bit / 8]) & 0x80 >> bit % 8) != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + prefix;
  }
}
