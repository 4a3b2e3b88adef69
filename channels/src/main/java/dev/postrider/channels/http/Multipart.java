package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.PartFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A form with files, written as browsers write it ({@code multipart/form-data}, RFC 7578). Its
 * length is known before its first byte is read, and files are read while they are sent. Immutable.
 */
public final class Multipart {
  private final String boundary;
  private final List<PartFile.Bytes> pieces;

  private Multipart(String boundary, List<PartFile.Bytes> pieces) {
    this.boundary = boundary;
    this.pieces = List.copyOf(pieces);
  }

  /**
   * A form to fill in.
   *
   * @param key what the line between its entries is made of: the part's key, say, which whoever
   *     made the files cannot have known
   */
  public static Builder builder(String key) {
    return new Builder(key);
  }

  String contentType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  long length() {
    return pieces.stream().mapToLong(PartFile.Bytes::size).sum();
  }

  /** Opens every file, so that one that is missing is noticed while nothing has been sent yet. */
  Content open() throws IOException {
    Content content = new Content();
    try {
      for (PartFile.Bytes piece : pieces) {
        content.left.add(piece.open());
      }
    } catch (IOException | RuntimeException e) {
      content.close();
      throw e;
    }
    return content;
  }

  /**
   * The form as one stream. A read fills its buffer if it can, so the first sees a file's start.
   */
  static final class Content extends InputStream {
    private final Deque<InputStream> left = new ArrayDeque<>();

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) throws IOException {
      int filled = 0;
      while (filled < length && !left.isEmpty()) {
        int count = left.getFirst().readNBytes(into, offset + filled, length - filled);
        filled += count;
        if (filled < length) {
          left.removeFirst().close();
        }
      }
      return filled == 0 && length > 0 ? -1 : filled;
    }

    @Override
    public synchronized void close() {
      while (!left.isEmpty()) {
        try {
          left.removeFirst().close();
        } catch (IOException _) {
          // It was only read from.
        }
      }
    }
  }

  private record Text(byte[] bytes) implements PartFile.Bytes {
    Text(String text) {
      this(text.getBytes(UTF_8));
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  /** Fills in a form, entry by entry. */
  public static final class Builder {
    private final String boundary;
    private final List<PartFile.Bytes> pieces = new ArrayList<>();

    private Builder(String key) {
      boundary = Sha256.hex("form|" + key).substring(0, 32);
    }

    public Builder field(String name, String value) {
      return entry(name, null, null, new Text(value));
    }

    /** A file; of an unknown type if there is none to send. */
    public Builder file(String name, String filename, @Nullable String type, PartFile.Bytes bytes) {
      boolean sound = type != null && type.matches("[\\x20-\\x7e]+");
      return entry(name, filename, sound ? type : "application/octet-stream", bytes);
    }

    private Builder entry(
        String name, @Nullable String filename, @Nullable String type, PartFile.Bytes bytes) {
      StringBuilder head = new StringBuilder("--").append(boundary).append("\r\n");
      head.append("Content-Disposition: form-data; name=\"").append(escaped(name)).append('"');
      if (filename != null) {
        head.append("; filename=\"").append(escaped(filename)).append('"');
      }
      if (type != null) {
        head.append("\r\nContent-Type: ").append(type);
      }
      pieces.add(new Text(head.append("\r\n\r\n").toString()));
      pieces.add(bytes);
      pieces.add(new Text("\r\n"));
      return this;
    }

    private static String escaped(String name) {
      return name.replace("\r", "%0D").replace("\n", "%0A").replace("\"", "%22");
    }

    public Multipart build() {
      List<PartFile.Bytes> all = new ArrayList<>(pieces);
      all.add(new Text("--" + boundary + "--\r\n"));
      return new Multipart(boundary, all);
    }
  }
}
