package dev.postrider.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ordered parts of a message.
 *
 * @param origin the message whose id the parts' idempotency keys derive from: the message itself,
 *     or for a replay the message it replays, so that a platform which deduplicates sees one and
 *     the same part, unless it has said that the part failed
 */
public record Plan(MessageId origin, List<Part> parts) {
  public Plan {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a plan has at least one part");
    }
  }

  /** What the parts carry of the bytes in custody. */
  public Set<String> hashes() {
    Set<String> hashes = Set.of(); // as nearly always
    for (Part part : parts) {
      for (Attachment attachment : part.media()) {
        String hash = attachment.hash();
        if (hash != null) {
          hashes = hashes.isEmpty() ? new LinkedHashSet<>() : hashes;
          hashes.add(hash);
        }
      }
    }
    return hashes;
  }

  /** The idempotency key of a part: the same after every restart, never the same for two parts. */
  public String key(String account, int index) {
    try {
      byte[] seed = ("v1|" + account + "|" + origin + "|" + index).getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(seed);
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
