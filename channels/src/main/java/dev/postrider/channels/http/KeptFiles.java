package dev.postrider.channels.http;

import dev.postrider.channel.PartFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Files for platforms that keep none, so that every chat takes the bytes again: as they are, or as
 * JSON carries them (Base64). What a run sends to many chats is read once, as long as it is among
 * the last used and not too large; beyond that it is read while it goes out. Thread-safe.
 */
public final class KeptFiles {
  /** Of all that is kept, in the form in which it goes out. */
  static final long MOST = 48L << 20;

  private static final int GROUPS = 12 << 10; // a multiple of three, so that no padding is inside

  private final boolean encoded;
  private final Map<String, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long size;

  private KeptFiles(boolean encoded) {
    this.encoded = encoded;
  }

  public static KeptFiles plain() {
    return new KeptFiles(false);
  }

  public static KeptFiles base64() {
    return new KeptFiles(true);
  }

  /** The bytes as they go out; a file without a hash is not known again. */
  public PartFile.Bytes of(PartFile file) throws IOException {
    PartFile.Bytes bytes = file.bytes();
    if (bytes == null) {
      throw new IOException("the file's bytes are not at hand");
    }
    String hash = file.attachment().hash();
    long length = encoded ? (bytes.size() + 2) / 3 * 4 : bytes.size();
    if (hash != null && length <= MOST) {
      return new Kept(kept(hash, bytes));
    }
    return encoded ? new Streamed(bytes, length) : bytes;
  }

  /** One reads while the others wait: they want the same. */
  private synchronized byte[] kept(String hash, PartFile.Bytes bytes) throws IOException {
    byte[] known = kept.get(hash);
    if (known != null) {
      return known;
    }
    try (InputStream in = bytes.open()) {
      byte[] read = in.readAllBytes();
      byte[] form = encoded ? Base64.getEncoder().encode(read) : read;
      kept.put(hash, form);
      size += form.length;
      Iterator<byte[]> oldest = kept.values().iterator();
      while (size > MOST) {
        size -= oldest.next().length;
        oldest.remove();
      }
      return form;
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
}
