package dev.postrider.jdbc.message;

import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Bytes that came in: what they are called, and how many there are. */
public record IncomingBytes(String hash, long size) {
  private static final int BUFFER = 65_536;

  /**
   * Writes bytes down as they come.
   *
   * @throws Blobs.TooLarge if there are more than {@code limit}
   * @throws IOException if they cannot be read
   * @throws StoreUnavailable if they cannot be written
   */
  public static IncomingBytes copy(InputStream from, OutputStream to, long limit)
      throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER];
    long size = 0;
    for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
      size += read;
      if (size > limit) {
        throw new Blobs.TooLarge(limit);
      }
      digest.update(buffer, 0, read);
      write(to, buffer, read);
    }
    return new IncomingBytes(HexFormat.of().formatHex(digest.digest()), size);
  }

  private static void write(OutputStream to, byte[] buffer, int length) {
    try {
      to.write(buffer, 0, length);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /** Says that a file cannot be written. */
  public static StoreUnavailable unwritable(IOException e) {
    return new StoreUnavailable("a file cannot be written: " + e.getMessage(), e);
  }

  /** Whether anything can have that name; everything else is simply not there. */
  public static boolean isName(String hash) {
    return hash.length() == 64
        && hash.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
