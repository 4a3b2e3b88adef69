package dev.postrider.config;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys that a store keeps contents under: the first encrypts, every one decrypts, so that a new
 * key is put before the old ones. Never printed.
 *
 * @param keys 32 bytes each, in base64; the first may be {@code none}: then nothing is encrypted
 *     any more, and what was encrypted under the others is still read
 */
public record EncryptionKeys(List<String> keys) {
  /** Contents are stored as they are. */
  public static final EncryptionKeys OFF = new EncryptionKeys(List.of());

  /** In the place of the first key: what is new is not encrypted. */
  public static final String NONE = "none";

  private static final int BYTES = 32;

  /** Random bytes have fewer different values than this once in more than 10^20 keys. */
  private static final int FEWEST_VALUES = 16;

  private static final String REMEDY = "; 'postrider key' makes one";

  public EncryptionKeys {
    keys = List.copyOf(keys);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      if (i > 0 || !keys.getFirst().equals(NONE)) {
        bytes(keys.get(i));
      }
      if (!seen.add(keys.get(i))) {
        throw new IllegalArgumentException("has the same key twice");
      }
    }
    if (keys.equals(List.of(NONE))) {
      throw new IllegalArgumentException(
          "has none and no key that was used before; leave it out to encrypt nothing");
    }
  }

  public static EncryptionKeys of(String... keys) {
    return new EncryptionKeys(List.of(keys));
  }

  /** Whether there is nothing to encrypt or decrypt with. */
  public boolean isOff() {
    return keys.isEmpty();
  }

  /** Whether what is new is encrypted. */
  public boolean encrypts() {
    return !isOff() && !keys.getFirst().equals(NONE);
  }

  /** The keys as bytes, in their order, less {@code none}. */
  public List<byte[]> secrets() {
    List<byte[]> secrets = new ArrayList<>();
    for (String key : keys) {
      if (!key.equals(NONE)) {
        secrets.add(bytes(key));
      }
    }
    return secrets;
  }

  /** A new key. */
  public static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The number that stands for a key wherever one is named; it tells nothing of the key. */
  public static int id(byte[] secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("postrider key id:".getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest.digest(secret)).getInt();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A key's id as people are shown it. */
  public static String name(int id) {
    return String.format("%08x", id);
  }

  private static byte[] bytes(String key) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(key.strip().replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must be a key in base64" + REMEDY); // without the key
    }
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "must be a key of " + BYTES + " bytes in base64, not of " + bytes.length + REMEDY);
    }
    Set<Byte> values = new HashSet<>();
    for (byte one : bytes) {
      values.add(one);
    }
    if (values.size() < FEWEST_VALUES) {
      throw new IllegalArgumentException("is not a random key, so it can be guessed" + REMEDY);
    }
    return bytes;
  }

  @Override
  public String toString() {
    return isOff() ? "no keys" : keys.size() + " keys";
  }
}
