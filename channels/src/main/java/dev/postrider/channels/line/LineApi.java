package dev.postrider.channels.line;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Asks LINE as one account: with the long-lived token of the console, or with short ones that its
 * id and secret are exchanged for. Thread-safe.
 */
final class LineApi implements AutoCloseable {
  private static final Duration AHEAD = Duration.ofMinutes(1);
  private static final long USUAL_SECONDS = 900;

  private final String base;
  private final HttpSender http;
  private final TokenSource tokens;
  private final boolean renewable;

  LineApi(Settings settings, InstantSource clock) {
    base = settings.web("baseUrl", "https://api.line.me");
    String token = settings.text("token", "");
    String channel = settings.text("channelId", "");
    String secret = LineChannel.secret(settings);
    if (token.isEmpty() == channel.isEmpty()) {
      throw settings.wrong(
          "token",
          token.isEmpty()
              ? "is missing; give the channel's long-lived token, or channelId and channelSecret"
              : "and channelId are both there; give one of them: with channelId, tokens are made"
                  + " of it and of channelSecret");
    }
    if (token.isEmpty() && secret.isEmpty()) {
      throw settings.wrong("channelSecret", "is missing: channelId needs it to get a token");
    }
    if (!token.matches("[\\x21-\\x7e]*")) {
      throw settings.wrong("token", "has characters that no token has");
    }
    http = HttpSender.of(settings, Secrets.of(token, secret));
    renewable = token.isEmpty();
    tokens =
        new TokenSource(
            clock,
            AHEAD,
            TokenSource.Store.inMemory(),
            _ ->
                renewable
                    ? issued(channel, secret, clock)
                    : new Result.Good(new Token(token, Instant.MAX, null)));
  }

  /** An answer, or what there is instead. */
  sealed interface Answer {
    record Said(HttpResult.Response response) implements Answer {}

    record Nothing(Outcome outcome) implements Answer {}
  }

  /**
   * Makes a request. A token that LINE does not take any more, though it should be good, is changed
   * for another one, once: nothing was done for the old one.
   */
  Answer ask(HttpCall call) {
    Answer answer = tryWith(call);
    boolean refused = answer instanceof Answer.Said(var response) && response.status() == 401;
    return refused && renewable ? tryWith(call) : answer;
  }

  private Answer tryWith(HttpCall call) {
    return switch (tokens.get()) {
      case Result.Failed(Outcome outcome) -> new Answer.Nothing(outcome);
      case Result.Good(Token token) ->
          switch (http.send(call.bearer(token.value()))) {
            case HttpResult.Failed failed -> new Answer.Nothing(failed.outcome());
            case HttpResult.Response response -> {
              if (response.status() == 401 && renewable) {
                tokens.refused(token.value());
              }
              yield new Answer.Said(response);
            }
          };
    };
  }

  /** A token that is good now, for requests that go elsewhere. */
  Result token() {
    return tokens.get();
  }

  HttpCall get(String path) {
    return HttpCall.get(URI.create(base + path));
  }

  HttpCall post(String path) {
    return HttpCall.post(URI.create(base + path));
  }

  /** A stateless token: as many as one likes, each good for a quarter of an hour. */
  private Result issued(String channel, String secret, InstantSource clock) {
    HttpCall call =
        post("/oauth2/v3/token")
            .fields(
                Map.of(
                    "grant_type", "client_credentials",
                    "client_id", channel,
                    "client_secret", secret));
    return switch (http.send(call)) {
      case HttpResult.Unreachable(String cause) ->
          new Result.Failed(new Outcome.Unreachable(cause));
      // Whatever became of it, what needs the token was not sent.
      case HttpResult.Failed failed -> new Result.Failed(new Outcome.NotSent(failed.cause()));
      case HttpResult.Response answer -> read(answer, clock.instant());
    };
  }

  private static Result read(HttpResult.Response answer, Instant now) {
    JsonNode body = Json.readObject(answer.body());
    String token = body == null ? "" : body.path("access_token").asString("");
    if (answer.status() == 200 && body != null && !token.isEmpty()) {
      long lasts = body.path("expires_in").asLong(USUAL_SECONDS);
      return new Result.Good(new Token(token, now.plusSeconds(lasts), null));
    }
    boolean refused = answer.status() / 100 == 4 && body != null && body.has("error");
    String cause = "no token: " + answer.status() + " " + answer.excerpt();
    return new Result.Failed(
        refused
            ? new Outcome.AccountBroken(cause + " (check channelId and channelSecret)")
            : new Outcome.NotSent(cause));
  }

  @Override
  public void close() {
    http.close();
  }
}
