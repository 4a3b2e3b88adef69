package dev.postrider.internal.media;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** Bytes written into an address (RFC 2397). */
final class DataUri {
  private DataUri() {}

  /**
   * The bytes.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static byte[] bytes(String uri) {
    int comma = uri.indexOf(',');
    if (comma < 0) {
      throw new IllegalArgumentException("there is no comma before the data");
    }
    boolean base64 = uri.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(";base64");
    byte[] data = unescaped(uri.substring(comma + 1));
    if (!base64) {
      return data;
    }
    try {
      return Base64.getMimeDecoder().decode(data);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("its data is not Base64", e);
    }
  }

  private static byte[] unescaped(String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    if (text.indexOf('%') < 0) {
      return raw;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] != '%') {
        bytes.write(raw[i]);
        continue;
      }
      int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
      int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException("a percent sign is not followed by two digits");
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return bytes.toByteArray();
  }
}
