package dev.postrider.store;

import java.time.Instant;

/**
 * Says that an entry of another queue was imported, for good: whoever finds that entry once more
 * leaves it.
 *
 * @param name of the queue and of the entry in it
 * @param size of the entry in bytes
 * @param sha256 of the entry's bytes, in hexadecimal
 */
public record ImportReceipt(String name, long size, String sha256, Instant at) {
  /** Whether it is about these very bytes. */
  public boolean covers(long otherSize, String otherSha256) {
    return size == otherSize && sha256.equals(otherSha256);
  }
}
