package dev.postrider.channels.socket;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which both sides write lines of UTF-8, such as IRC's or a daemon's JSON-RPC, with
 * TLS or without. One thread reads; writing is thread-safe. Blocks in real time. Closing it from
 * another thread ends whoever reads.
 */
public final class LineSocket implements AutoCloseable {
  private final String host;
  private final TcpConnection connection;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final int longest;

  private LineSocket(Peer peer, TcpConnection connection) throws IOException {
    this.connection = connection;
    host = peer.host();
    longest = peer.longest();
    socket = connection.socket();
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /**
   * Where to connect.
   *
   * @param patience how long connecting may take, hands shaken and all
   * @param longest bytes that a line may have
   */
  public record Peer(String host, int port, Duration patience, int longest) {
    private TcpConnection.Peer tcp() {
      return new TcpConnection.Peer(host, port, Proxy.NO_PROXY, patience);
    }
  }

  /** Connects without TLS. */
  public static LineSocket plain(Peer peer) throws IOException {
    return new LineSocket(peer, TcpConnection.plain(peer.tcp()));
  }

  /**
   * Connects with TLS, and to nobody else than the host.
   *
   * @param tls whom to believe; null for those whom the system believes
   */
  public static LineSocket tls(Peer peer, @Nullable SSLContext tls) throws IOException {
    return new LineSocket(peer, TcpConnection.tls(peer.tcp(), tls));
  }

  /**
   * The next line, without its end, or null if none begins in this time.
   *
   * @throws IOException if the connection ends, or a line does not
   */
  public @Nullable String next(Duration patience) throws IOException {
    socket.setSoTimeout(Math.toIntExact(Math.max(1, patience.toMillis())));
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      in.mark(longest + 2);
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new EOFException(host + " has ended the connection");
        }
        if (line.size() >= longest) {
          throw new IOException(host + " sends a line without an end");
        }
        if (b != '\r') {
          line.write(b);
        }
      }
      return line.toString(StandardCharsets.UTF_8);
    } catch (SocketTimeoutException e) {
      in.reset(); // what there is of a line comes again with its rest
      return null;
    } catch (SocketException e) {
      throw new IOException("the connection to " + host + " broke: " + e.getMessage(), e);
    }
  }

  /**
   * The next line, however long it takes. A connection that is quiet for so long is asked for a
   * sign of life; one that stays quiet then is lost.
   *
   * @param ping a line that the other side answers
   */
  public String nextKeptAlive(Duration idle, String ping) throws IOException {
    String line = next(idle);
    if (line == null) {
      say(ping);
      line = next(idle);
    }
    if (line == null) {
      throw new IOException(host + " has fallen silent");
    }
    return line;
  }

  /** Writes a line, which may not have another in it. */
  public synchronized void say(String line) throws IOException {
    if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0 || line.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a line has no end in it");
    }
    try {
      out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (SocketException e) {
      throw new IOException("the connection to " + host + " broke: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
