package dev.postrider.channels.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves to a server that one knows the password, without telling it, and lets the server prove the
 * same (SCRAM: RFC 5802, 7677, 9266). For one login.
 */
public final class Scram {
  /** Fewer would be weak (RFC 7677). */
  private static final int FEWEST_ROUNDS = 4096;

  /** A server that asks for more wants to keep us busy. */
  private static final int MOST_ROUNDS = 1_000_000;

  private final String hash;
  private final String password;
  private final String header;
  private final byte[] binding;
  private final String nonce;
  private final String first;
  private byte[] expected = {};

  /**
   * @param hash {@code SHA-256}, or what else the server offers
   * @param header {@code n,,}, {@code y,,} or {@code p=tls-exporter,,}
   * @param binding what only the two ends of the TLS connection know; empty without it
   * @param nonce random printable characters without a comma
   */
  public Scram(
      String hash, String user, String password, String header, byte[] binding, String nonce) {
    this.hash = hash;
    this.password = Normalizer.normalize(password, Normalizer.Form.NFKC);
    this.header = header;
    this.binding = binding;
    this.nonce = nonce;
    String name = Normalizer.normalize(user, Normalizer.Form.NFKC);
    first = "n=" + name.replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
  }

  /** What we say first. */
  public String first() {
    return header + first;
  }

  /** The proof for the server's challenge. */
  public String answer(String challenge) throws IOException {
    Map<String, String> asked = fields(challenge);
    String both = asked.getOrDefault("r", "");
    int rounds = number(asked.getOrDefault("i", ""));
    if (!both.startsWith(nonce) || both.length() == nonce.length() || asked.containsKey("m")) {
      throw new IOException("the server's challenge is none");
    }
    if (rounds < FEWEST_ROUNDS || rounds > MOST_ROUNDS) {
      throw new IOException("the server's challenge asks for " + rounds + " rounds");
    }
    try {
      byte[] salt = Base64.getDecoder().decode(asked.getOrDefault("s", ""));
      byte[] salted = salted(salt, rounds);
      byte[] client = hmac(salted, "Client Key");
      byte[] stored = MessageDigest.getInstance(hash).digest(client);
      String proofless = "c=" + base64(bound()) + ",r=" + both;
      String all = first + "," + challenge + "," + proofless;
      byte[] proof = hmac(stored, all);
      for (int i = 0; i < proof.length; i++) {
        proof[i] ^= client[i];
      }
      expected = hmac(hmac(salted, "Server Key"), all);
      return proofless + ",p=" + base64(proof);
    } catch (IllegalArgumentException e) {
      throw new IOException("the server's challenge is none", e);
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java does not have " + hash, e);
    }
  }

  /**
   * Checks the server's own proof.
   *
   * @throws IOException if it does not know the password: then it is not our server
   */
  public void verify(String last) throws IOException {
    byte[] signature;
    try {
      signature = Base64.getDecoder().decode(fields(last).getOrDefault("v", ""));
    } catch (IllegalArgumentException _) {
      signature = new byte[0];
    }
    if (expected.length == 0 || !MessageDigest.isEqual(expected, signature)) {
      throw new IOException("the server could not prove that it knows the account");
    }
  }

  private byte[] bound() {
    byte[] head = header.getBytes(StandardCharsets.UTF_8);
    byte[] all = java.util.Arrays.copyOf(head, head.length + binding.length);
    System.arraycopy(binding, 0, all, head.length, binding.length);
    return all;
  }

  private byte[] salted(byte[] salt, int rounds) throws GeneralSecurityException {
    int bits = MessageDigest.getInstance(hash).getDigestLength() * 8;
    return SecretKeyFactory.getInstance("PBKDF2WithHmac" + hash.replace("-", ""))
        .generateSecret(new PBEKeySpec(password.toCharArray(), salt, rounds, bits))
        .getEncoded();
  }

  private byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    String algorithm = "Hmac" + hash.replace("-", "");
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String field : text.split(",")) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        fields.put(field.substring(0, equals), field.substring(equals + 1));
      }
    }
    return fields;
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
