package dev.postrider.channels.googlechat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A service account's access token: good for an hour, got anew with a signed statement and without
 * a refresh token. Thread-safe.
 */
final class GoogleToken {
  private static final String GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  private static final Duration AHEAD = Duration.ofMinutes(5);
  private static final long USUAL_SECONDS = 3600;
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration BUSY = Duration.ofSeconds(30);

  private final ServiceAccount account;
  private final HttpSender http;
  private final InstantSource clock;
  private final TokenSource tokens;

  /** Tokens that Google took at least once: a handful in the life of a link. */
  private final Set<String> taken = ConcurrentHashMap.newKeySet();

  GoogleToken(ServiceAccount account, HttpSender http, InstantSource clock) {
    this.account = account;
    this.http = http;
    this.clock = clock;
    tokens = new TokenSource(clock, AHEAD, TokenSource.Store.inMemory(), _ -> renewed());
  }

  Result get() {
    return tokens.get();
  }

  /** Google took a request with this token. */
  void took(String token) {
    if (taken.size() > 8) {
      taken.clear();
    }
    taken.add(token);
  }

  /**
   * Google does not take this token. One that it took before may have been revoked: the next try
   * gets another, uncharged. One that is new says that the account itself is not welcome.
   */
  Outcome refused(String token, String cause) {
    tokens.refused(token);
    return taken.contains(token)
        ? new Outcome.Throttled(ThrottleScope.ACCOUNT, SHORT, cause + " (a new token is got)")
        : new Outcome.AccountBroken(cause);
  }

  private Result renewed() {
    Map<String, String> form =
        Map.of("grant_type", GRANT, "assertion", account.assertion(clock.instant()));
    return switch (http.send(HttpCall.post(account.tokenUrl()).fields(form))) {
      case HttpResult.Unreachable(String cause) ->
          new Result.Failed(new Outcome.Unreachable(cause));
      // Whatever became of the question, no message went out.
      case HttpResult.Failed failed -> new Result.Failed(new Outcome.NotSent(failed.cause()));
      case HttpResult.Response answer -> read(answer);
    };
  }

  private Result read(HttpResult.Response answer) {
    JsonNode body = Json.readObject(answer.body());
    String token = body == null ? "" : body.path("access_token").asString("");
    if (answer.status() == 200 && body != null && !token.isEmpty()) {
      long lasts = body.path("expires_in").asLong(USUAL_SECONDS);
      return new Result.Good(new Token(token, clock.instant().plusSeconds(lasts), null));
    }
    return new Result.Failed(refusal(answer, body));
  }

  private Outcome refusal(HttpResult.Response answer, @Nullable JsonNode body) {
    String error = body == null ? "" : body.path("error").asString("");
    String said = body == null ? "" : body.path("error_description").asString("");
    String cause =
        "no access token for "
            + account.email()
            + ": "
            + answer.status()
            + " "
            + (error.isEmpty() ? answer.excerpt() : (error + " " + said).strip());
    Duration asked = answer.retryAfter(clock.instant());
    if (answer.status() == 429) {
      return new Outcome.Throttled(ThrottleScope.ACCOUNT, asked == null ? BUSY : asked, cause);
    }
    return answer.status() / 100 == 4 && !error.isEmpty() // RFC 6749, 5.2
        ? new Outcome.AccountBroken(cause + remedy(said))
        : new Outcome.NotSent(cause);
  }

  private static String remedy(String said) {
    if (said.contains("Invalid JWT Signature")) {
      return " (the key was deleted or belongs to another account; make a new one)";
    }
    if (said.contains("reasonable timeframe")) {
      return " (the clock of this machine is wrong)";
    }
    return said.contains("account not found") ? " (the service account was deleted)" : "";
  }
}
