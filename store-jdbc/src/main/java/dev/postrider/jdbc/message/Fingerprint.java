package dev.postrider.jdbc.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What stands for a platform's id in an index: the first 128 bits of its SHA-256, so that ids of
 * any length, with any characters, cost the same.
 */
public final class Fingerprint {
  private Fingerprint() {}

  public static UUID of(String platformsId) {
    byte[] digest = IncomingBytes.sha256().digest(platformsId.getBytes(StandardCharsets.UTF_8));
    ByteBuffer first = ByteBuffer.wrap(digest);
    return new UUID(first.getLong(), first.getLong());
  }
}
