package dev.postrider.channels.feishu;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Sha256;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads what Feishu encrypts and signs with an app's encrypt key. Thread-safe. */
final class FeishuCipher {
  private static final int BLOCK = 16;

  private final String key;

  FeishuCipher(String encryptKey) {
    this.key = encryptKey;
  }

  /** Whether Feishu has signed these bytes. */
  boolean signed(String signature, String timestamp, String nonce, byte[] body) {
    byte[] head = (timestamp + nonce + key).getBytes(UTF_8);
    return Hmac.same(HexFormat.of().formatHex(Sha256.of(head, body)), signature);
  }

  /** What was encrypted; null if it was not with this key. */
  @Nullable String decrypt(String encrypted) {
    try {
      byte[] bytes = Base64.getDecoder().decode(encrypted);
      if (bytes.length < 2 * BLOCK) {
        return null;
      }
      Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(Sha256.of(key.getBytes(UTF_8)), "AES"),
          new IvParameterSpec(bytes, 0, BLOCK));
      return new String(cipher.doFinal(bytes, BLOCK, bytes.length - BLOCK), UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return null;
    }
  }
}
