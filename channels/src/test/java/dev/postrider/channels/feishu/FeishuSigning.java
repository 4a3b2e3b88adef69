package dev.postrider.channels.feishu;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts and signs events as Feishu does. */
public final class FeishuSigning {
  private FeishuSigning() {}

  /** The body of a request; its first block is what the others are mixed with. */
  public static String encrypted(String event, String key) {
    try {
      byte[] secret = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      byte[] start = "0123456789abcdef".getBytes(UTF_8);
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(secret, "AES"), new IvParameterSpec(start));
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.write(start);
      all.write(cipher.doFinal(event.getBytes(UTF_8)));
      return Json.write(Map.of("encrypt", Base64.getEncoder().encodeToString(all.toByteArray())));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The headers of a request. */
  public static Map<String, String> signed(byte[] body, String key, Instant at) {
    try {
      String timestamp = String.valueOf(at.getEpochSecond());
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((timestamp + "nonce" + key).getBytes(UTF_8));
      Map<String, String> headers = new HashMap<>();
      headers.put("x-lark-request-timestamp", timestamp);
      headers.put("x-lark-request-nonce", "nonce");
      headers.put("x-lark-signature", HexFormat.of().formatHex(digest.digest(body)));
      return headers;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
