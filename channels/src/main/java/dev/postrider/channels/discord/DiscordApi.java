package dev.postrider.channels.discord;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.socket.TextWebSocket;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Requests to Discord within its rate limits, and their results. Thread-safe. */
final class DiscordApi implements AutoCloseable {
  /** Discord refuses whoever does not introduce himself in this form. */
  static final String USER_AGENT = "DiscordBot (https://postrider.dev, 0.1)";

  private final HttpSender http;
  private final DiscordVerdict verdict;
  private final RateLimitBuckets buckets;

  DiscordApi(Settings settings, Secrets secrets, InstantSource clock) {
    http = HttpSender.of(settings, secrets);
    verdict = new DiscordVerdict(PermanentErrors.of(settings), clock);
    buckets = new RateLimitBuckets(clock);
  }

  /** One request, as it is. */
  HttpResult send(HttpCall call) {
    return http.send(call.header("User-Agent", USER_AGENT));
  }

  TextWebSocket connect(URI address) throws IOException, InterruptedException {
    return http.webSocket(address, Map.of("User-Agent", USER_AGENT));
  }

  /**
   * Where a request goes in.
   *
   * @param limit whose rate limit it counts against
   * @param secrets what its answer must not show, besides the account's own secrets
   */
  record Route(ApiRoute door, String limit, Secrets secrets) {
    static Route of(ApiRoute door, String limit) {
      return new Route(door, limit, Secrets.of());
    }
  }

  /**
   * Makes a request unless its limit is known to be used up.
   *
   * @param quoting whether the message is to quote another
   */
  Outcome send(Route route, HttpCall call, boolean quoting) {
    Duration empty = buckets.empty(route.limit);
    if (empty.isPositive()) {
      return new Outcome.Throttled(route.door.scope(), empty, "the rate limit is used up");
    }
    HttpResult result = send(call);
    if (result instanceof HttpResult.Response response) {
      buckets.note(route.limit, response);
    }
    Outcome outcome = judge(result, route, quoting);
    if (outcome instanceof Outcome.Throttled held && held.scope() == route.door.scope()) {
      buckets.hold(route.limit, held.delay());
    }
    return outcome;
  }

  private Outcome judge(HttpResult result, Route route, boolean quoting) {
    return switch (result) {
      case HttpResult.Response(var status, var headers, String body, var whole) ->
          verdict.of(
              new HttpResult.Response(status, headers, route.secrets.scrub(body), whole),
              route.door,
              quoting);
      case HttpResult.Failed failed -> failed.outcome();
    };
  }

  /** Asks for something with an id and a name, which is there if the account is in order. */
  Probe probe(ApiRoute door, HttpCall call, String name) {
    HttpResult result = send(call);
    return Probe.of(judge(result, Route.of(door, ""), false), text(result, name));
  }

  private static String text(HttpResult result, String name) {
    JsonNode body = result instanceof HttpResult.Response r ? Json.readObject(r.body()) : null;
    return body == null ? "" : body.path(name).asString("");
  }

  @Override
  public void close() {
    http.close();
  }
}
