package dev.postrider.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Turns an answer in HTTP/1.1 into one that an HTTP/1.0 client understands: chunks are unpacked,
 * and the end of the connection is the end of the body.
 */
final class Http10Answer implements DataWriter {
  private enum Expected {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    NOTHING
  }

  private final DataWriter to;
  private final Http10Request request;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private Expected expected = Expected.HEAD;
  private int chunkLeft;
  private boolean keepsAlive;

  Http10Answer(DataWriter to, Http10Request request) {
    this.to = to;
    this.request = request;
  }

  /** Whether the client has been told that the connection stays open. */
  boolean keepsAlive() {
    return keepsAlive;
  }

  @Override
  public void write(BufferData... buffers) {
    write(BufferData.create(buffers));
  }

  @Override
  public void write(BufferData buffer) {
    byte[] translated = translated(buffer.readBytes());
    if (translated.length > 0) {
      to.write(BufferData.create(translated));
    }
  }

  @Override
  public void writeNow(BufferData... buffers) {
    writeNow(BufferData.create(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    byte[] translated = translated(buffer.readBytes());
    if (translated.length > 0) {
      to.writeNow(BufferData.create(translated));
    }
  }

  @Override
  public void flush() {
    to.flush();
  }

  private byte[] translated(byte[] bytes) {
    if (expected == Expected.BODY) {
      return bytes;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int at = 0; at < bytes.length; ) {
      switch (expected) {
        case HEAD -> {
          line.write(bytes[at]);
          if (bytes[at++] == '\n'
              && line.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            out.writeBytes(head());
          }
        }
        case CHUNK_SIZE -> {
          line.write(bytes[at]);
          if (bytes[at++] == '\n') {
            chunkLeft = Integer.parseInt(taken().strip(), 16);
            expected = chunkLeft == 0 ? Expected.NOTHING : Expected.CHUNK;
          }
        }
        case CHUNK -> {
          int size = Math.min(chunkLeft, bytes.length - at);
          out.write(bytes, at, size);
          at += size;
          chunkLeft -= size;
          expected = chunkLeft == 0 ? Expected.CHUNK_END : Expected.CHUNK;
        }
        case CHUNK_END -> {
          if (bytes[at++] == '\n') {
            expected = Expected.CHUNK_SIZE;
          }
        }
        case BODY -> {
          out.write(bytes, at, bytes.length - at);
          at = bytes.length;
        }
        case NOTHING -> at = bytes.length;
      }
    }
    return out.toByteArray();
  }

  private String taken() {
    String text = line.toString(StandardCharsets.ISO_8859_1);
    line.reset();
    return text;
  }

  private byte[] head() {
    String head = taken();
    String lowerCase = head.toLowerCase(Locale.ROOT);
    boolean chunked = lowerCase.contains("\r\ntransfer-encoding: chunked\r\n");
    expected = chunked ? Expected.CHUNK_SIZE : Expected.BODY;
    keepsAlive = request.mayBeFollowed() && lowerCase.contains("\r\ncontent-length:");
    StringBuilder translated = new StringBuilder(head.length());
    for (String field : head.strip().split("\r\n")) {
      String name = field.substring(0, Math.max(field.indexOf(':'), 0)).toLowerCase(Locale.ROOT);
      if (field.startsWith("HTTP/1.1 ")) {
        translated.append("HTTP/1.0 ").append(field.substring(9)).append("\r\n");
      } else if (!name.equals("transfer-encoding") && !name.equals("connection")) {
        translated.append(field).append("\r\n");
      }
    }
    translated.append("Connection: ").append(keepsAlive ? "keep-alive" : "close");
    return translated.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
