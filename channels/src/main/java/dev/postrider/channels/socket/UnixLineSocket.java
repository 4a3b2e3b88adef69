package dev.postrider.channels.socket;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A socket in the file system on which both sides write lines of UTF-8. One thread reads; writing
 * is thread-safe. Blocks in real time. Closing it from another thread ends whoever reads or writes.
 */
public final class UnixLineSocket implements AutoCloseable {
  private final Path path;
  private final SocketChannel channel;
  private final InputStream in;
  private final int longest;

  private UnixLineSocket(Path path, SocketChannel channel, int longest) {
    this.path = path;
    this.channel = channel;
    this.longest = longest;
    in = new BufferedInputStream(Channels.newInputStream(channel));
  }

  /**
   * @param longest bytes that a line may have
   */
  public static UnixLineSocket connect(Path path, int longest) throws IOException {
    try {
      return new UnixLineSocket(
          path, SocketChannel.open(UnixDomainSocketAddress.of(path)), longest);
    } catch (IOException e) {
      throw new IOException("nobody at " + path + ": " + e.getMessage(), e);
    }
  }

  /**
   * The next line, without its end.
   *
   * @throws IOException if the connection ends, or a line does not
   */
  public String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException(path + " has ended the connection");
      }
      if (line.size() >= longest) {
        throw new IOException(path + " sends a line without an end");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  /** Writes a line, which may not have another in it. */
  public void say(String line) throws IOException {
    if (line.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a line has no end in it");
    }
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    synchronized (channel) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
