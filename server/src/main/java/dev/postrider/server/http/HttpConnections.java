package dev.postrider.server.http;

import dev.postrider.server.api.ConnectionLimits;
import dev.postrider.server.api.HttpProblem;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens every connection of the server. It must be the only selector: Helidon waits for the first
 * bytes, as long as they like to take, where it has to choose.
 */
final class HttpConnections implements ServerConnectionSelector {
  private final Http1Config config;
  private final Http1ConnectionSelector http11;
  private final ConnectionLimits limits;
  private final @Nullable ServerTls tls;

  HttpConnections(Http1Config config, ConnectionLimits limits, @Nullable ServerTls tls) {
    this.config = config;
    this.limits = limits;
    this.tls = tls;
    http11 = Http1ConnectionSelector.builder().config(config).build();
  }

  @Override
  public int bytesToIdentifyConnection() {
    return 0;
  }

  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http11.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    @Nullable InetAddress address =
        context.remotePeer().address() instanceof InetSocketAddress peer ? peer.getAddress() : null;
    @Nullable HttpProblem refusal = limits.admit(address);
    HelidonSocket plain = context.serverSocket();
    HelidonSocket socket = tls == null ? plain : new TlsSocket(plain, tls.engine());
    return refusal == null
        ? new HttpConnection(context, socket, config, http11, limits, address)
        : new RefusedConnection(socket, limits, refusal);
  }
}
