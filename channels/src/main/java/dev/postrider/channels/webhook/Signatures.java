package dev.postrider.channels.webhook;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Signatures of one or several secrets: while one replaces another, both are good. Of the
 * specification's two schemes this is the symmetric one, {@code v1}. Thread-safe.
 */
public final class Signatures {
  private static final String PREFIX = "whsec_";

  private final List<byte[]> keys;

  private Signatures(List<byte[]> keys) {
    this.keys = keys;
  }

  /** With the secrets below a setting, of which there must be one at least. */
  static Signatures of(Settings settings, String setting) {
    List<String> secrets = settings.texts(setting);
    if (secrets.isEmpty()) {
      throw settings.wrong(setting, "is missing");
    }
    try {
      return of(secrets);
    } catch (IllegalArgumentException e) {
      throw settings.wrong(setting, String.valueOf(e.getMessage()));
    }
  }

  /**
   * With these secrets.
   *
   * @throws IllegalArgumentException with half a sentence, without the value, if one is none
   */
  public static Signatures of(List<String> secrets) {
    return new Signatures(secrets.stream().map(Signatures::key).toList());
  }

  private static byte[] key(String secret) {
    try {
      if (secret.startsWith(PREFIX)) {
        byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        if (key.length > 0) {
          return key;
        }
      }
    } catch (IllegalArgumentException _) {
      // Said below, without the value.
    }
    throw new IllegalArgumentException("is not whsec_ and then base64");
  }

  /** The headers of a request; the id is that of every try, the time that of this one. */
  public Map<String, String> headers(String id, Instant now, byte[] body) {
    String timestamp = Long.toString(now.getEpochSecond());
    return Map.of(
        "webhook-id", id,
        "webhook-timestamp", timestamp,
        "webhook-signature", sign(id, timestamp, body));
  }

  /** What goes into {@code webhook-signature}. */
  String sign(String id, String timestamp, byte[] body) {
    return keys.stream()
        .map(key -> "v1," + Base64.getEncoder().encodeToString(hmac(key, id, timestamp, body)))
        .collect(Collectors.joining(" "));
  }

  /** Whether one of the signatures in a {@code webhook-signature} is one of ours. */
  boolean vouchFor(String id, String timestamp, byte[] body, String signatures) {
    List<byte[]> given =
        Stream.of(signatures.split(" "))
            .filter(one -> one.startsWith("v1,"))
            .map(one -> one.substring("v1,".length()).getBytes(StandardCharsets.UTF_8))
            .toList();
    boolean good = false;
    for (byte[] key : keys) {
      byte[] right = Base64.getEncoder().encode(hmac(key, id, timestamp, body));
      for (byte[] one : given) {
        good |= MessageDigest.isEqual(right, one);
      }
    }
    return good;
  }

  private static byte[] hmac(byte[] key, String id, String timestamp, byte[] body) {
    return Hmac.sha256(key, (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
  }
}
