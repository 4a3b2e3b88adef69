package dev.postrider.server.config;

import dev.postrider.config.Network;
import dev.postrider.server.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens and who may speak to it.
 *
 * @param bodyLimit most bytes of one request, and of one line of a batch
 * @param batchLimit most bytes of a batch
 * @param bodyTimeout how long a request's body may take to arrive; large ones are given more
 * @param tls null if it speaks plain HTTP
 * @param clusterCa whose certificates are believed when other servers of the cluster are asked;
 *     null for those that Java believes
 * @param trustedProxies who is believed when he says for whom he asks
 */
public record HttpSettings(
    String host,
    int port,
    List<Token> tokens,
    long bodyLimit,
    long batchLimit,
    Duration bodyTimeout,
    HttpLimits limits,
    @Nullable TlsSettings tls,
    @Nullable Path clusterCa,
    List<Network> trustedProxies) {
  private static final Pattern LOOPBACK = Pattern.compile("127(\\.\\d{1,3}){3}");

  public HttpSettings {
    tokens = List.copyOf(tokens);
    trustedProxies = List.copyOf(trustedProxies);
  }

  public HttpSettings(
      String host,
      int port,
      List<Token> tokens,
      long bodyLimit,
      long batchLimit,
      Duration bodyTimeout) {
    this(
        host,
        port,
        tokens,
        bodyLimit,
        batchLimit,
        bodyTimeout,
        HttpLimits.DEFAULT,
        null,
        null,
        List.of());
  }

  /** Whether only programs on this machine can reach the server. */
  public boolean loopback() {
    return isLoopback(host);
  }

  /** Whether a host name or address (IPv6 with or without brackets) is this machine's own. */
  public static boolean isLoopback(String host) {
    return host.equalsIgnoreCase("localhost")
        || host.equals("::1")
        || host.equals("[::1]")
        || LOOPBACK.matcher(host).matches();
  }
}
