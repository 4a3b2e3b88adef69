package dev.postrider.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;

/**
 * Opens every connection of the server. It must be the only selector: Helidon waits for the first
 * bytes, as long as they like to take, where it has to choose.
 */
final class HttpConnections implements ServerConnectionSelector {
  private final Http1Config config;
  private final Http1ConnectionSelector http11;

  HttpConnections(Http1Config config) {
    this.config = config;
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
    return new HttpConnection(context, config, http11);
  }
}
