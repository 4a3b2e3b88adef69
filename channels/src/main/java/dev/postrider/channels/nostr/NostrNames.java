package dev.postrider.channels.nostr;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The ways people write keys and ids of events (NIP-19, NIP-21), and the one we keep of each. */
final class NostrNames {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String SCHEME = "nostr:";
  private static final int BYTES = 32;

  private NostrNames() {}

  /** A public key in hexadecimal digits, from npub, nprofile or the digits; null if it is none. */
  static @Nullable String publicKey(String text) {
    return id(text, "npub", "nprofile");
  }

  /** The id of an event in hexadecimal digits, from note, nevent or the digits. */
  static @Nullable String event(String text) {
    return id(text, "note", "nevent");
  }

  /** A secret key, from nsec or hexadecimal digits. */
  static @Nullable String secretKey(String text) {
    return id(text, "nsec", "nsec");
  }

  static String npub(String hex) {
    return Bech32.encode("npub", HexFormat.of().parseHex(hex));
  }

  /**
   * @param plain the prefix of those that hold the bytes and nothing else
   * @param listed the prefix of those in which more is told
   */
  private static @Nullable String id(String text, String plain, String listed) {
    String name = text.strip();
    name = name.startsWith(SCHEME) ? name.substring(SCHEME.length()) : name;
    if (HEX.matcher(name).matches()) {
      return name.toLowerCase(Locale.ROOT);
    }
    Bech32.Decoded decoded = Bech32.decode(name);
    if (decoded == null) {
      return null;
    }
    byte[] bytes =
        decoded.prefix().equals(plain)
            ? decoded.bytes()
            : decoded.prefix().equals(listed) ? first(decoded.bytes()) : null;
    return bytes == null || bytes.length != BYTES ? null : HexFormat.of().formatHex(bytes);
  }

  /** The entry of type 0: the key or id itself. Others are hints where to find it. */
  private static byte @Nullable [] first(byte[] entries) {
    for (int at = 0; at + 2 <= entries.length; ) {
      int end = at + 2 + (entries[at + 1] & 0xff);
      if (entries[at] == 0) {
        return end <= entries.length ? Arrays.copyOfRange(entries, at + 2, end) : null;
      }
      at = end;
    }
    return null;
  }
}
