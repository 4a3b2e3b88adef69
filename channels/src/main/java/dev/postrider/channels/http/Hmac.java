package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC, with which most platforms sign what they send us, and comparing without a hint. */
public final class Hmac {
  private Hmac() {}

  /** HMAC-SHA256 of the pieces one after the other. */
  public static byte[] sha256(byte[] key, byte[]... pieces) {
    return sign("HmacSHA256", key, pieces);
  }

  /** HMAC-SHA512 of the pieces one after the other. */
  public static byte[] sha512(byte[] key, byte[]... pieces) {
    return sign("HmacSHA512", key, pieces);
  }

  private static byte[] sign(String algorithm, byte[] key, byte[]... pieces) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      for (byte[] piece : pieces) {
        mac.update(piece);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }

  /** Whether two texts are equal, in a time that does not tell how much of them is. */
  public static boolean same(String expected, String presented) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), presented.getBytes(UTF_8));
  }
}
