package dev.postrider.channels.socket;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which both sides write lines of UTF-8, such as IRC's or a daemon's JSON-RPC, with
 * TLS or without. One thread reads; writing is thread-safe. Blocks in real time. Closing it from
 * another thread ends whoever reads.
 */
public final class LineSocket implements AutoCloseable {
  private final String host;
  private final Socket raw;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final int longest;

  private LineSocket(String host, Socket raw, Socket socket, int longest) throws IOException {
    this.host = host;
    this.raw = raw;
    this.socket = socket;
    this.longest = longest;
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /**
   * Where to connect.
   *
   * @param patience how long connecting may take, hands shaken and all
   * @param longest bytes that a line may have
   */
  public record Peer(String host, int port, Duration patience, int longest) {}

  /** Connects without TLS. */
  public static LineSocket plain(Peer peer) throws IOException {
    Socket socket = connected(peer);
    return new LineSocket(peer.host(), socket, socket, peer.longest());
  }

  /**
   * Connects with TLS, and to nobody else than the host.
   *
   * @param tls whom to believe; null for those whom the system believes
   */
  public static LineSocket tls(Peer peer, @Nullable SSLContext tls) throws IOException {
    SSLSocketFactory factory =
        tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls.getSocketFactory();
    Socket raw = connected(peer);
    try {
      SSLSocket socket = (SSLSocket) factory.createSocket(raw, peer.host(), peer.port(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(Math.toIntExact(peer.patience().toMillis()));
      socket.startHandshake();
      return new LineSocket(peer.host(), raw, socket, peer.longest());
    } catch (IOException e) {
      raw.close();
      throw new IOException(peer.host() + " cannot be trusted: " + e.getMessage(), e);
    }
  }

  private static Socket connected(Peer peer) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(
          new InetSocketAddress(peer.host(), peer.port()),
          Math.toIntExact(peer.patience().toMillis()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException("nobody at " + peer.host() + ": " + e.getMessage(), e);
    }
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

  /** At once: the farewell of TLS would wait for a peer that reads nothing any more. */
  @Override
  public void close() throws IOException {
    raw.close();
  }
}
