package dev.postrider.channels.nostr;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Bech32 (BIP-173), in which Nostr writes its keys and ids for people (NIP-19): a prefix that says
 * what it is, the bytes, and a checksum that finds typing errors.
 */
final class Bech32 {
  private static final String DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final int[] GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };
  private static final int CHECKSUM = 6;

  private Bech32() {}

  /** What a text says. */
  record Decoded(String prefix, byte[] bytes) {}

  /** Null if it is none, or mistyped. */
  static @Nullable Decoded decode(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int one = lower.lastIndexOf('1');
    if (one < 1 || lower.length() - one - 1 < CHECKSUM) {
      return null;
    }
    if (!text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT))) {
      return null;
    }
    String prefix = lower.substring(0, one);
    int[] digits = lower.substring(one + 1).chars().map(DIGITS::indexOf).toArray();
    int check = checked(prefix);
    for (int digit : digits) {
      if (digit < 0) {
        return null;
      }
      check = step(check) ^ digit;
    }
    byte[] bytes = check == 1 ? bytes(digits, digits.length - CHECKSUM) : null;
    return bytes == null ? null : new Decoded(prefix, bytes);
  }

  /** Eight bits each from digits of five; null if more is left over than zeros to fill up. */
  private static byte @Nullable [] bytes(int[] digits, int count) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int rest = 0;
    int bits = 0;
    for (int i = 0; i < count; i++) {
      rest = (rest << 5 | digits[i]) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.write(rest >> bits);
      }
    }
    return bits < 5 && (rest & (1 << bits) - 1) == 0 ? bytes.toByteArray() : null;
  }

  static String encode(String prefix, byte[] bytes) {
    StringBuilder text = new StringBuilder(prefix).append('1');
    int check = checked(prefix);
    int rest = 0;
    int bits = 0;
    for (byte each : bytes) {
      rest = (rest << 8 | each & 0xff) & 0xfff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        check = digit(text, check, rest >> bits & 31);
      }
    }
    if (bits > 0) {
      check = digit(text, check, rest << 5 - bits & 31);
    }
    for (int i = 0; i < CHECKSUM; i++) {
      check = step(check);
    }
    check ^= 1;
    for (int i = CHECKSUM - 1; i >= 0; i--) {
      text.append(DIGITS.charAt(check >> 5 * i & 31));
    }
    return text.toString();
  }

  private static int digit(StringBuilder text, int check, int digit) {
    text.append(DIGITS.charAt(digit));
    return step(check) ^ digit;
  }

  private static int checked(String prefix) {
    int check = 1;
    for (char c : prefix.toCharArray()) {
      check = step(check) ^ c >> 5;
    }
    check = step(check);
    for (char c : prefix.toCharArray()) {
      check = step(check) ^ c & 31;
    }
    return check;
  }

  private static int step(int check) {
    int top = check >>> 25;
    int next = (check & 0x1ffffff) << 5;
    for (int i = 0; i < GENERATOR.length; i++) {
      next ^= (top >> i & 1) == 1 ? GENERATOR[i] : 0;
    }
    return next;
  }
}
