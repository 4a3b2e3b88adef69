package dev.postrider.server.api;

import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.config.Role;
import dev.postrider.server.config.Token;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides who comes in.
 *
 * <p>With tokens, the bearer's role must cover the route's. Without tokens the server is bound to
 * this machine, and the danger is a web page in this machine's browser: one that sends requests
 * here (its {@code Origin} is not ours), or one whose host name was made to point here (its {@code
 * Host} is not this machine's). Both are turned away, whatever they ask for; and so is what a proxy
 * passes on, since behind it may be the world.
 */
public final class Gate {
  private final List<Guarded> tokens;
  private final String scheme;

  private record Guarded(byte[] digest, Token token) {}

  public Gate(HttpSettings settings, String scheme) {
    this.scheme = scheme;
    tokens = settings.tokens().stream().map(token -> new Guarded(token.digest(), token)).toList();
  }

  /**
   * Lets the request pass, and gives its token; null if it needs none.
   *
   * @throws HttpProblem 401 or 403
   */
  public @Nullable Token check(
      @Nullable Role needed, @Nullable String host, ServerRequestHeaders headers) {
    return check(needed, null, host, headers);
  }

  /** The same where another role will do as well. */
  public @Nullable Token check(
      @Nullable Role needed,
      @Nullable Role orElse,
      @Nullable String host,
      ServerRequestHeaders headers) {
    if (tokens.isEmpty()) {
      checkLoopback(host, headers.first(HeaderNames.ORIGIN).orElse(null));
      if (Callers.isPassedOn(headers)) {
        throw HttpProblem.forbidden(
            "A proxy has passed this request on (it has Forwarded or X-Forwarded-…"
                + " headers), and without http.tokens everybody behind it could do"
                + " everything. Set http.tokens, or let nothing but /hooks/ through.");
      }
      return null;
    }
    return needed == null
        ? null
        : checkToken(needed, orElse, headers.first(HeaderNames.AUTHORIZATION).orElse(null));
  }

  private void checkLoopback(@Nullable String host, @Nullable String origin) {
    if (host == null || !HttpSettings.isLoopback(withoutPort(host))) {
      throw HttpProblem.forbidden(
          "Without http.tokens, only requests to localhost, 127.0.0.1 or [::1] are answered.");
    }
    if (origin != null && !origin.equalsIgnoreCase(scheme + host)) {
      throw HttpProblem.forbidden(
          "Without http.tokens, web pages of other origins are not answered.");
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  private Token checkToken(Role needed, @Nullable Role orElse, @Nullable String authorization) {
    @Nullable Token token = token(authorization);
    if (token == null) {
      throw HttpProblem.unauthorized();
    }
    if (!token.covers(needed) && (orElse == null || !token.covers(orElse))) {
      String roles =
          token.roles().stream().map(Json::word).sorted().collect(Collectors.joining("', '"));
      throw HttpProblem.forbidden(
          "This token has the role '%s'; '%s' is needed.".formatted(roles, Json.word(needed)));
    }
    return token;
  }

  /** Compares with every token in constant time, so that time tells nothing about any. */
  private @Nullable Token token(@Nullable String authorization) {
    if (authorization == null || !authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
      return null;
    }
    byte[] given = Token.sha256(authorization.substring(7).strip());
    @Nullable Token found = null;
    for (Guarded each : tokens) {
      if (MessageDigest.isEqual(each.digest(), given)) {
        found = each.token();
      }
    }
    return found;
  }
}
