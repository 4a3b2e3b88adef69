package dev.postrider.channels.zalo;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.RememberedToken;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The access token of an Official Account: good for 25 hours, and renewed with a refresh token that
 * is good once, within three months. The next one is stored before the token is used. Thread-safe.
 */
final class OaLogin {
  /** So early that whatever goes wrong can be mended while the old token serves. */
  private static final Duration AHEAD = Duration.ofHours(5);

  private static final long USUAL_SECONDS = 90_000;
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private static final String REMEDY =
      "; authorise the app for the Official Account again, and put the new refresh token into"
          + " refreshToken";

  private final URI url;
  private final String appId;
  private final String appSecret;
  private final String configured;
  private final InstantSource clock;
  private final HttpSender http;
  private final RememberedToken store;
  private final TokenSource tokens;
  private @Nullable String refused; // the token that was refused last, unless one has passed since

  OaLogin(Settings settings, InstantSource clock, Memory memory, HttpSender http) {
    this.clock = clock;
    this.http = http;
    appId = settings.required("appId");
    if (!appId.matches("\\d+")) {
      throw settings.wrong("appId", "is not a number; Zalo shows it as the ID of the app");
    }
    appSecret = settings.required("appSecret");
    configured = settings.required("refreshToken");
    url = URI.create(settings.web("oauthUrl", "https://oauth.zaloapp.com") + "/v4/oa/access_token");
    store = new RememberedToken(memory, "oauth", clock, configured);
    tokens = new TokenSource(clock, AHEAD, store, this::renew);
  }

  /** What is to be shown nowhere, beside what was got since. */
  static Secrets secrets(Settings settings) {
    return Secrets.of(
        settings.text("appSecret", ""),
        settings.text("refreshToken", ""),
        settings.text("oaSecretKey", ""));
  }

  Result token() {
    return tokens.get();
  }

  /** What people should know while all goes well; empty if nothing. */
  String trouble() {
    Outcome trouble = tokens.trouble();
    return trouble instanceof Outcome.AccountBroken(String cause)
        ? ", but not for long: " + cause
        : "";
  }

  /** The token has passed. */
  synchronized void passed() {
    refused = null;
  }

  /**
   * Zalo does not take the token. It is renewed once; if the next one is not taken either, only a
   * person can help.
   */
  synchronized Outcome refused(String value, String cause) {
    tokens.refused(value);
    if (refused != null && !refused.equals(value)) {
      return new Outcome.AccountBroken(cause + " (of a token that is new)" + REMEDY);
    }
    refused = value;
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT, AFTER_REFUSAL, cause + "; the access token is renewed");
  }

  private Result renew(@Nullable Token last) {
    String refresh = last == null || last.refresh() == null ? configured : last.refresh();
    HttpCall call =
        HttpCall.post(url)
            .header("secret_key", appSecret)
            .fields(
                Map.of("refresh_token", refresh, "app_id", appId, "grant_type", "refresh_token"));
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Result.Failed(failed.outcome());
      case HttpResult.Response response -> read(response, refresh);
    };
  }

  private Result read(HttpResult.Response response, String refresh) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    String token = body == null ? "" : body.path("access_token").asString("");
    if (body != null && !token.isEmpty()) {
      Instant end = clock.instant().plusSeconds(body.path("expires_in").asLong(USUAL_SECONDS));
      return new Result.Good(new Token(token, end, body.path("refresh_token").asString(refresh)));
    }
    if (body == null || !body.path("error").isIntegralNumber()) {
      return new Result.Failed(
          new ForeignAnswer(clock, null, ThrottleScope.ACCOUNT, Set.of(404), "oauthUrl")
              .read(response));
    }
    int code = body.path("error").asInt();
    String name = body.path("error_name").asString(body.path("message").asString(""));
    String cause = Secrets.of(refresh).scrub("Zalo gives no access token: " + code + " " + name);
    if (code == -32) {
      return new Result.Failed(
          new Outcome.Throttled(ThrottleScope.ACCOUNT, OaErrors.MINUTE, cause));
    }
    return new Result.Failed(new Outcome.AccountBroken(cause + cutOff() + remedy(code, name)));
  }

  /** Why it is not taken, as far as we know. */
  private String cutOff() {
    Instant at = store.cutOffAt();
    return at == null
        ? ""
        : "; a renewal that began at " + at + " was cut off, and what Zalo answered is lost";
  }

  private static String remedy(int code, String name) {
    return switch (code) {
      case -14002 -> "; check appId, and that the app is activated";
      case -14004 -> "; check appSecret";
      default -> name.toLowerCase(Locale.ROOT).contains("secret") ? "; check appSecret" : REMEDY;
    };
  }
}
