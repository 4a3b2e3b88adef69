package dev.postrider.channels.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * One request on a connection of its own, answered. The client is the minimal one: it knows no
 * cookies, no credentials, no proxies, no redirects, no second tries and no encodings.
 */
record FetchRequest(
    FetchAddress place, FetchChain line, CloseableHttpClient client, ClassicHttpResponse response)
    implements AutoCloseable {

  /** A head is kept in memory, so it has to end. */
  private static final Http1Config MODEST =
      Http1Config.custom().setMaxLineLength(16 << 10).setMaxHeaderCount(200).build();

  /** Made when first needed, because that reads every certificate the system trusts. */
  private static final class Trusted {
    static final TlsSocketStrategy BY_THE_SYSTEM = DefaultClientTlsStrategy.createDefault();
  }

  static final TlsSocketStrategy TRUSTED_BY_THE_SYSTEM =
      (socket, host, port, attachment, context) ->
          Trusted.BY_THE_SYSTEM.upgrade(socket, host, port, attachment, context);

  static FetchRequest to(
      FetchAddress place, FetchChain line, TlsSocketStrategy tls, ClassicHttpRequest request)
      throws IOException {
    request.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
    request.setHeader(HttpHeaders.CONNECTION, "close");
    request.setHeader(HttpHeaders.USER_AGENT, "Postrider");
    try {
      CloseableHttpClient client = client(line, tls, line.lookUp(place));
      return new FetchRequest(place, line, client, client.executeOpen(place.host(), request, null));
    } catch (IOException e) {
      throw line.failure(place, e); // the client has let go of its connection
    }
  }

  private static CloseableHttpClient client(
      FetchChain line, TlsSocketStrategy tls, List<InetAddress> addresses) {
    BasicHttpClientConnectionManager connections =
        new BasicHttpClientConnectionManager(
            new DefaultHttpClientConnectionOperator(
                _ -> line.socket(),
                DefaultSchemePortResolver.INSTANCE,
                new Found(addresses),
                RegistryBuilder.<TlsSocketStrategy>create().register("https", tls).build()),
            ManagedHttpClientConnectionFactory.builder().http1Config(MODEST).build());
    Duration patience = line.patience(addresses.size());
    connections.setConnectionConfig(
        ConnectionConfig.custom().setConnectTimeout(Timeout.of(patience)).build());
    return HttpClients.createMinimal(connections);
  }

  /** The addresses that were checked, for the client to connect to. */
  private record Found(List<InetAddress> addresses) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) {
      return addresses.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
      throw new UnknownHostException(host);
    }
  }

  /** How many bytes are said to come, or less than zero. */
  long length() {
    HttpEntity entity = response.getEntity();
    return entity == null ? 0 : entity.getContentLength();
  }

  InputStream body() throws IOException {
    HttpEntity entity = response.getEntity();
    return entity == null ? InputStream.nullInputStream() : new Body(entity.getContent());
  }

  private final class Body extends FilterInputStream {
    Body(InputStream bytes) {
      super(bytes);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        throw line.failure(place, e);
      }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        return super.read(into, offset, length);
      } catch (IOException e) {
        throw line.failure(place, e);
      }
    }

    /** Not the client's way, which is to read on to the end. */
    @Override
    public void close() {
      line.hangUp();
    }
  }

  @Override
  public void close() {
    line.hangUp();
    client.close(CloseMode.IMMEDIATE);
  }
}
