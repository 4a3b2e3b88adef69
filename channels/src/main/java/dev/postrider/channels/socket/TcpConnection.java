package dev.postrider.channels.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a host, with TLS or without.
 *
 * @param socket what is read from and written to
 * @param raw what is under its TLS; the same without
 */
record TcpConnection(Socket socket, Socket raw) implements AutoCloseable {

  /**
   * Where to connect.
   *
   * @param proxy an HTTP proxy that passes connections on, or none
   * @param patience how long connecting may take, and then shaking hands
   * @param allowed which addresses may be connected to, whatever the host's name; not asked of a
   *     proxy, which looks the name up by itself
   */
  record Peer(
      String host, int port, Proxy proxy, Duration patience, Predicate<InetAddress> allowed) {
    Peer(String host, int port, Proxy proxy, Duration patience) {
      this(host, port, proxy, patience, _ -> true);
    }
  }

  static TcpConnection plain(Peer peer) throws IOException {
    Socket socket = connected(peer);
    return new TcpConnection(socket, socket);
  }

  /**
   * With TLS, and to nobody else than the host.
   *
   * @param tls whom to believe; null for those whom the system believes
   */
  static TcpConnection tls(Peer peer, @Nullable SSLContext tls) throws IOException {
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
      return new TcpConnection(socket, raw);
    } catch (IOException e) {
      raw.close();
      throw new IOException(peer.host() + " cannot be trusted: " + e.getMessage(), e);
    }
  }

  private static Socket connected(Peer peer) throws IOException {
    Socket socket = new Socket(peer.proxy());
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(address(peer), Math.toIntExact(peer.patience().toMillis()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException("nobody at " + peer.host() + ": " + e.getMessage(), e);
    }
  }

  private static InetSocketAddress address(Peer peer) throws IOException {
    if (!peer.proxy().equals(Proxy.NO_PROXY)) {
      return InetSocketAddress.createUnresolved(peer.host(), peer.port());
    }
    InetSocketAddress address = new InetSocketAddress(peer.host(), peer.port());
    InetAddress resolved = address.getAddress(); // and not looked up again to connect
    if (resolved != null && !peer.allowed().test(resolved)) {
      throw new IOException("it is at a private address");
    }
    return address;
  }

  /** At once: the farewell of TLS would wait for a peer that reads nothing any more. */
  @Override
  public void close() throws IOException {
    raw.close();
  }
}
