package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256. */
public final class Sha256 {
  private Sha256() {}

  /** Of the pieces one after the other. */
  public static byte[] of(byte[]... pieces) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] piece : pieces) {
        digest.update(piece);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Of a text, in hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text.getBytes(UTF_8)));
  }
}
