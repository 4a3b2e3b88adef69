package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.PartFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files as JSON carries them. What a run sends to many chats is read and encoded once, as long as
 * it is among the last used and not too large; beyond that it is encoded while it goes out.
 * Thread-safe.
 */
final class EncodedFiles {
  /** Of all that is kept, encoded. */
  static final long MOST = 48L << 20;

  private static final int GROUPS = 12 << 10; // a multiple of three, so that no padding is inside

  private final Map<String, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long size;

  /** The encoded bytes; a file without a hash is not known again. */
  PartFile.Bytes of(PartFile file) throws IOException {
    PartFile.Bytes bytes = file.bytes();
    if (bytes == null) {
      throw new IOException("the file's bytes are not at hand");
    }
    String hash = file.attachment().hash();
    long length = (bytes.size() + 2) / 3 * 4;
    return hash == null || length > MOST
        ? new Streamed(bytes, length)
        : new Kept(encoded(hash, bytes));
  }

  /** One reads while the others wait: they want the same. */
  private synchronized byte[] encoded(String hash, PartFile.Bytes bytes) throws IOException {
    byte[] known = kept.get(hash);
    if (known != null) {
      return known;
    }
    try (InputStream in = bytes.open()) {
      byte[] encoded = Base64.getEncoder().encode(in.readAllBytes());
      kept.put(hash, encoded);
      size += encoded.length;
      Iterator<byte[]> oldest = kept.values().iterator();
      while (size > MOST) {
        size -= oldest.next().length;
        oldest.remove();
      }
      return encoded;
    }
  }

  private record Kept(byte[] bytes) implements PartFile.Bytes {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  private record Streamed(PartFile.Bytes plain, long size) implements PartFile.Bytes {
    @Override
    public InputStream open() throws IOException {
      return new Encoding(plain.open());
    }
  }

  /** Encodes what it reads. */
  private static final class Encoding extends InputStream {
    private final InputStream plain;
    private byte[] ready = new byte[0];
    private int next;

    Encoding(InputStream plain) {
      this.plain = plain;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (next == ready.length) {
        ready = Base64.getEncoder().encode(plain.readNBytes(GROUPS));
        next = 0;
        if (ready.length == 0) {
          return -1;
        }
      }
      int count = Math.min(length, ready.length - next);
      System.arraycopy(ready, next, into, offset, count);
      next += count;
      return count;
    }

    @Override
    public void close() throws IOException {
      plain.close();
    }
  }

  /** A text, a file and a text, one after the other. */
  record Framed(byte[] before, PartFile.Bytes file, byte[] after) implements PartFile.Bytes {
    @Override
    public long size() {
      return before.length + file.size() + after.length;
    }

    @Override
    public InputStream open() throws IOException {
      return new java.io.SequenceInputStream(
          new java.io.SequenceInputStream(new ByteArrayInputStream(before), file.open()),
          new ByteArrayInputStream(after));
    }
  }
}
