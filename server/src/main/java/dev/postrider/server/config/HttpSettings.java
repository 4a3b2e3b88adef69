package dev.postrider.server.config;

import java.util.List;
import java.util.Locale;

/**
 * Where the server listens and who may speak to it.
 *
 * @param bodyLimit most bytes of one request, and of one line of a batch
 * @param batchLimit most bytes of a batch
 */
public record HttpSettings(
    String host, int port, List<Token> tokens, long bodyLimit, long batchLimit) {
  public HttpSettings {
    tokens = List.copyOf(tokens);
  }

  /** Whether only programs on this machine can reach the server. */
  public boolean loopback() {
    return isLoopback(host);
  }

  /** Whether a host name or address (IPv6 with or without brackets) is this machine's own. */
  public static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.equals("::1")
        || name.equals("[::1]")
        || name.matches("127(\\.\\d{1,3}){3}");
  }
}
