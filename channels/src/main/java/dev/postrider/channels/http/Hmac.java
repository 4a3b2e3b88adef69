package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, with which most platforms sign what they send us, and comparing without a hint. */
public final class Hmac {
  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  /** Of the pieces one after the other. */
  public static byte[] sha256(byte[] key, byte[]... pieces) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] piece : pieces) {
        mac.update(piece);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Whether two texts are equal, in a time that does not tell how much of them is. */
  public static boolean same(String expected, String presented) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), presented.getBytes(UTF_8));
  }
}
