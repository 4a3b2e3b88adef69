package dev.postrider.config;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * Addresses that begin alike, written {@code 10.1.0.0/16} or {@code fd00::/8}; an address without a
 * length is a network of one.
 *
 * @param bits how many leading bits of the base they share
 */
public record Network(InetAddress base, int bits) {

  /**
   * The network in the text.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    InetAddress base = address(slash < 0 ? text : text.substring(0, slash), text);
    int most = base.getAddress().length * Byte.SIZE;
    return new Network(base, slash < 0 ? most : length(text.substring(slash + 1), most, text));
  }

  private static InetAddress address(String literal, String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(literal);
      // Spelled out in full, or as IPv6: a short or octal IPv4 address means different things to
      // different people, and one with a zone only means something on one machine.
      if (address.getHostAddress().equals(literal)
          || literal.matches("[0-9a-fA-F:]*:[0-9a-fA-F:]*")) {
        return address;
      }
    } catch (IllegalArgumentException _) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is not a network such as 10.1.0.0/16 or fd00::/8");
  }

  private static int length(String digits, int most, String text) {
    int bits = digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException(
          "the length of the network \"" + text + "\" must be a number from 0 to " + most);
    }
    return bits;
  }

  public boolean contains(InetAddress address) {
    byte[] mine = base.getAddress();
    byte[] other = address.getAddress();
    int whole = bits / Byte.SIZE;
    if (mine.length != other.length || !Arrays.equals(mine, 0, whole, other, 0, whole)) {
      return false;
    }
    int rest = bits % Byte.SIZE;
    return rest == 0 || (mine[whole] ^ other[whole]) >> (Byte.SIZE - rest) == 0;
  }
}
