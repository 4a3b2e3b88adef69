package dev.postrider.channels.msteams;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the Bot Connector: with the bot's token, and only to Microsoft's own addresses, so
 * that the token is never shown to anybody else. Thread-safe.
 */
final class ConnectorApi implements AutoCloseable {
  /** Serves every conversation of the public cloud, if nothing more is known of it. */
  private static final String HOME = "https://smba.trafficmanager.net/teams";

  private static final Set<String> HOSTS =
      Set.of("smba.trafficmanager.net", "smba.infra.gcc.teams.microsoft.com");

  private final String home;
  private final Set<String> hosts;
  private final HttpSender http;
  private final TokenSource tokens;

  ConnectorApi(Settings settings, InstantSource clock) {
    home = home(settings);
    hosts = hosts(settings);
    http = HttpSender.of(settings, Secrets.of(settings.required("appPassword")));
    tokens = BotToken.source(settings, http::send, clock);
  }

  static String home(Settings settings) {
    return settings.web("baseUrl", HOME);
  }

  static Set<String> hosts(Settings settings) {
    Set<String> all = new LinkedHashSet<>(HOSTS);
    for (String host : settings.texts("serviceHosts")) {
      if (!host.matches("[\\w-]+(\\.[\\w-]+)+")) {
        throw settings.wrong(
            "serviceHosts", "holds something that is not a host such as smba.example.com");
      }
      all.add(host.toLowerCase(java.util.Locale.ROOT));
    }
    return all;
  }

  /** The address a conversation told, if it may be shown the token; else the usual one. */
  private String service(@Nullable String told) {
    URI own = InboundFetch.own(told, home, hosts);
    return own == null ? home : own.toString().replaceAll("/+$", "");
  }

  TokenSource tokens() {
    return tokens;
  }

  /**
   * Posts something.
   *
   * @param service where the conversation is served; null if nobody has said
   */
  Outcome post(
      @Nullable String service,
      String path,
      Map<String, ?> body,
      Function<Response, Outcome> verdict) {
    return send(HttpCall.post(URI.create(service(service) + path)).json(body), verdict, false);
  }

  private Outcome send(HttpCall call, Function<Response, Outcome> verdict, boolean again) {
    return switch (tokens.get()) {
      case TokenSource.Result.Failed(Outcome outcome) -> outcome;
      case TokenSource.Result.Good(TokenSource.Token token) ->
          switch (http.send(call.bearer(token.value()))) {
            case HttpResult.Failed failed -> failed.outcome();
            case Response response -> {
              if (response.status() == 401 && !again) {
                // Nothing was processed, and a token can end before its time.
                tokens.refused(token.value());
                yield send(call, verdict, true);
              }
              yield verdict.apply(response);
            }
          };
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
