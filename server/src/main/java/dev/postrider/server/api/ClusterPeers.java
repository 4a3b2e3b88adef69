package dev.postrider.server.api;

import dev.postrider.Postrider;
import dev.postrider.server.tls.BadTlsFile;
import dev.postrider.server.tls.Trust;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The other servers that share the store. A few requests can only be answered by the one that works
 * the account, since it has the link to the platform: they are passed on to it, with the caller's
 * own token, once.
 */
public final class ClusterPeers {
  private static final HeaderName PASSED_ON = HeaderNames.create("Postrider-Passed-On");
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(40); // longer than a probe takes

  private final EngineState engineState;
  private final @Nullable Path authorities;
  private @Nullable HttpClient client; // guarded by this; made when it is first needed

  /**
   * @param authorities whose certificates are believed; null for those that Java believes
   */
  public ClusterPeers(EngineState engineState, @Nullable Path authorities) {
    this.engineState = engineState;
    this.authorities = authorities;
  }

  private synchronized HttpClient client() {
    if (client == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NEVER);
      if (authorities != null) {
        builder.sslContext(trust(authorities));
      }
      client = builder.build();
    }
    return client;
  }

  private static SSLContext trust(Path authorities) {
    try {
      return Trust.only(authorities);
    } catch (BadTlsFile e) {
      throw HttpProblem.notReady("cluster.ca " + e.getMessage() + ".");
    }
  }

  /** The answer of the server that works the account; null if this one should answer. */
  public @Nullable ApiResponse ask(ApiRequest call, String account) {
    return ask(call, account, new byte[0]);
  }

  /** The same, with the JSON that the request brought. */
  @Nullable ApiResponse ask(ApiRequest call, String account, byte[] body) {
    Postrider postrider = engineState.postrider();
    Optional<Cluster> cluster = postrider.cluster();
    if (cluster.isEmpty() || postrider.works(account) || call.header(PASSED_ON).isPresent()) {
      return null;
    }
    ClusterSnapshot.Node owner = owner(cluster.get().roll(), account);
    return owner == null || owner.address().isEmpty() ? null : passOn(call, owner, body);
  }

  private static ClusterSnapshot.@Nullable Node owner(ClusterSnapshot snapshot, String account) {
    for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
      if (holding.account().equals(account)) {
        return snapshot.nodes().stream()
            .filter(node -> node.alive() && node.name().equals(holding.owner()))
            .findFirst()
            .orElse(null);
      }
    }
    return null;
  }

  private ApiResponse passOn(ApiRequest call, ClusterSnapshot.Node owner, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(owner.address() + call.target()))
            .timeout(PATIENCE)
            .header(PASSED_ON.defaultCase(), engineState.postrider().node())
            .method(call.method(), HttpRequest.BodyPublishers.ofByteArray(body));
    if (body.length > 0) {
      request.header("Content-Type", Json.TYPE);
    }
    call.header(HeaderNames.AUTHORIZATION)
        .ifPresent(token -> request.header("Authorization", token));
    try {
      HttpResponse<byte[]> answer =
          client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return new ApiResponse.Whole(
          answer.statusCode(),
          answer.headers().firstValue("Content-Type").orElse(Json.TYPE),
          answer.body(),
          Map.of());
    } catch (SSLException e) {
      throw HttpProblem.notReady(
          ("The account is worked by %s, whose certificate at %s is not trusted (%s);"
                  + " cluster.ca says whose are.")
              .formatted(owner.name(), owner.address(), e.getMessage()));
    } catch (IOException e) {
      throw HttpProblem.notReady(
          "The account is worked by "
              + owner.name()
              + ", which does not answer at "
              + owner.address()
              + ".");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw HttpProblem.notReady("The server is stopping.");
    }
  }
}
