package dev.postrider.server.api;

import dev.postrider.config.Network;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Knows who asks. That is whoever has connected; unless that is a proxy we trust, which tells in
 * {@code X-Forwarded-For} for whom it asks. Every proxy adds a name at the end, so names are
 * believed from there, up to the first that is not a trusted proxy's: those before it anybody can
 * write.
 */
public final class Callers {
  private static final HeaderName FORWARDED_FOR = HeaderNames.X_FORWARDED_FOR;

  private final List<Network> proxies;

  public Callers(List<Network> proxies) {
    this.proxies = proxies;
  }

  public InetAddress find(InetAddress peer, ServerRequestHeaders headers) {
    if (!trusts(peer) || !headers.contains(FORWARDED_FOR)) {
      return peer;
    }
    String[] hops = String.join(",", headers.all(FORWARDED_FOR, List::of)).split(",", -1);
    InetAddress caller = peer;
    for (int i = hops.length - 1; i >= 0 && trusts(caller); i--) {
      @Nullable InetAddress hop = parsed(hops[i].strip());
      if (hop == null) {
        return caller; // it says nothing about who is behind it
      }
      caller = hop;
    }
    return caller;
  }

  private boolean trusts(InetAddress address) {
    return proxies.stream().anyMatch(proxy -> proxy.contains(address));
  }

  /** An address, which may have a port; a name is none, and nobody is asked what it means. */
  private static @Nullable InetAddress parsed(String hop) {
    String literal = hop;
    if (hop.startsWith("[")) {
      literal = hop.substring(1, Math.max(hop.indexOf(']'), 1));
    } else if (hop.indexOf(':') == hop.lastIndexOf(':') && hop.indexOf(':') > 0) {
      literal = hop.substring(0, hop.indexOf(':'));
    }
    try {
      return InetAddress.ofLiteral(literal);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether a request says of itself that a proxy has passed it on. */
  static boolean isPassedOn(ServerRequestHeaders headers) {
    for (var header : headers) {
      String name = header.headerName().lowerCase().toLowerCase(Locale.ROOT);
      if (name.equals("forwarded") || name.startsWith("x-forwarded-")) {
        return true;
      }
    }
    return false;
  }
}
