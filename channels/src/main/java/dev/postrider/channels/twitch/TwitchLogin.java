package dev.postrider.channels.twitch;

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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The account's access token, and whose it is. A person's token is renewed with a refresh token,
 * which Twitch may replace each time; an app's with the app's secret; one that is configured as it
 * stands, not at all. Twitch wants every token asked after once an hour. Thread-safe.
 */
final class TwitchLogin {
  static final String WRITE = "user:write:chat";
  static final String READ = "user:read:chat";

  /** So early that whatever goes wrong can be mended while the old token serves. */
  private static final Duration AHEAD = Duration.ofMinutes(30);

  private static final Duration ASK_AGAIN = Duration.ofHours(1);
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);
  private static final long USUAL_SECONDS = 14_400;
  private static final String AUTHORISE =
      "; authorise the bot again, and put the new refresh token into refreshToken";

  private final String base;
  private final String clientId;
  private final String clientSecret;
  private final String fixed;
  private final String refreshToken;
  private final String senderId;
  private final InstantSource clock;
  private final HttpSender http;
  private final RememberedToken store;
  private final TokenSource tokens;
  private @Nullable String refused; // the token that was refused last, unless one has passed since
  private @Nullable Session known;
  private Instant knownSince = Instant.MIN;

  TwitchLogin(Settings settings, InstantSource clock, Memory memory, HttpSender http) {
    this.clock = clock;
    this.http = http;
    base = settings.web("oauthUrl", "https://id.twitch.tv");
    clientId = settings.required("clientId");
    clientSecret = settings.text("clientSecret", "");
    fixed = settings.text("token", "");
    refreshToken = settings.text("refreshToken", "");
    senderId = settings.text("senderId", "");
    store = new RememberedToken(memory, "oauth", clock, refreshToken);
    tokens =
        new TokenSource(
            clock,
            AHEAD,
            refreshToken.isEmpty() ? TokenSource.Store.inMemory() : store,
            this::renew);
  }

  /** What is to be shown nowhere, beside what was got since. */
  static Secrets secrets(Settings settings) {
    return Secrets.of(
        settings.text("clientSecret", ""),
        settings.text("token", ""),
        settings.text("refreshToken", ""),
        settings.text("webhookSecret", ""));
  }

  /**
   * A token and whose it is.
   *
   * @param user whom messages come from
   * @param name that user's, if the token says it
   * @param scopes what the token allows; null for an app's, to whom people have allowed it
   */
  record Session(String token, String user, String name, @Nullable Set<String> scopes) {
    /** What people should do before this scope is there; null if it is. */
    @Nullable String lacks(String scope) {
      return scopes == null || scopes.contains(scope)
          ? null
          : "the token lacks the scope "
              + scope
              + "; authorise the bot again with scope="
              + WRITE
              + "+"
              + READ;
    }

    boolean isApp() {
      return scopes == null;
    }

    @Override
    public String toString() {
      return "Session[" + user + "]";
    }
  }

  /** Whoever is logged in, or why nobody is: nothing was sent. */
  sealed interface State {
    record In(Session session) implements State {}

    record Out(Outcome outcome) implements State {}
  }

  String clientId() {
    return clientId;
  }

  /** Logs in, unless somebody is. */
  State state() {
    return switch (tokens.get()) {
      case Result.Failed(Outcome outcome) -> new State.Out(outcome);
      case Result.Good(Token token) -> asked(token.value());
    };
  }

  /** What people should know while all goes well; empty if nothing. */
  String trouble() {
    return tokens.trouble() instanceof Outcome.AccountBroken(String cause)
        ? ", but not for long: " + cause
        : "";
  }

  /** The token has passed. */
  synchronized void passed() {
    refused = null;
  }

  /**
   * Twitch does not take the token. It is renewed once; if the next one is not taken either, only a
   * person can help.
   */
  synchronized Outcome refused(String value, String cause) {
    tokens.refused(value);
    known = null;
    if (!fixed.isEmpty()) {
      return new Outcome.AccountBroken(
          cause
              + "; the token is expired or revoked: give a new one, or better clientSecret and"
              + " refreshToken, so that it is renewed");
    }
    if (refused != null && !refused.equals(value)) {
      return new Outcome.AccountBroken(cause + " (of a token that is new)" + AUTHORISE);
    }
    refused = value;
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT, AFTER_REFUSAL, cause + "; the access token is renewed");
  }

  /** Asks Twitch whose the token is, once an hour; what it said before serves if it is away. */
  private synchronized State asked(String token) {
    Session before = known != null && known.token().equals(token) ? known : null;
    if (before != null && clock.instant().isBefore(knownSince.plus(ASK_AGAIN))) {
      return new State.In(before);
    }
    HttpCall call =
        HttpCall.get(URI.create(base + "/oauth2/validate"))
            .header("Authorization", "OAuth " + token);
    State now =
        switch (http.send(call)) {
          case HttpResult.Failed failed -> new State.Out(unseen(failed.outcome()));
          case HttpResult.Response response -> validated(response, token);
        };
    if (now instanceof State.In(Session session)) {
      known = session;
      knownSince = clock.instant();
    } else if (before != null && now instanceof State.Out(Outcome outcome) && isOutage(outcome)) {
      return new State.In(before);
    }
    return now;
  }

  private static boolean isOutage(Outcome outcome) {
    return outcome instanceof Outcome.Unreachable
        || outcome instanceof Outcome.NotSent
        || outcome instanceof Outcome.Throttled(_, Duration delay, _)
            && !delay.equals(AFTER_REFUSAL);
  }

  /** A question shows nothing to anybody, whatever became of it. */
  static Outcome unseen(Outcome outcome) {
    return outcome instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : outcome;
  }

  private State validated(HttpResult.Response response, String token) {
    JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
    if (response.status() == 401 && body != null) {
      String said = Secrets.of(token).scrub(body.path("message").asString("invalid access token"));
      return new State.Out(refused(token, "401 " + said));
    }
    String client = body == null ? null : Json.text(body, "client_id");
    if (body == null || response.status() != 200 || client == null) {
      return new State.Out(unseen(foreign(response)));
    }
    if (!client.equals(clientId)) {
      return broken("the token belongs to another app than clientId names; take both from one app");
    }
    String user = Json.text(body, "user_id");
    if (user == null) {
      return senderId.isEmpty()
          ? broken("this is an app's token: name the bot's user id as senderId")
          : new State.In(new Session(token, senderId, "", null));
    }
    if (!senderId.isEmpty() && !senderId.equals(user)) {
      return broken("the token is user " + user + "'s, and not senderId's; leave senderId out");
    }
    Set<String> scopes =
        body.path("scopes")
            .valueStream()
            .map(scope -> scope.asString(""))
            .collect(Collectors.toUnmodifiableSet());
    return new State.In(new Session(token, user, body.path("login").asString(""), scopes));
  }

  private static State broken(String cause) {
    return new State.Out(new Outcome.AccountBroken(cause));
  }

  private Result renew(@Nullable Token last) {
    if (!fixed.isEmpty()) {
      return new Result.Good(new Token(fixed, Instant.MAX, null));
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("client_id", clientId);
    fields.put("client_secret", clientSecret.isEmpty() ? null : clientSecret);
    String refresh = last == null || last.refresh() == null ? refreshToken : last.refresh();
    if (refreshToken.isEmpty()) {
      fields.put("grant_type", "client_credentials");
    } else {
      fields.put("grant_type", "refresh_token");
      fields.put("refresh_token", refresh);
    }
    HttpCall call = HttpCall.post(URI.create(base + "/oauth2/token")).fields(fields);
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
      String next = body.path("refresh_token").asString(refresh);
      return new Result.Good(new Token(token, end, next.isEmpty() ? null : next));
    }
    String said = body == null ? null : Json.text(body, "message");
    if (said == null || response.status() == 429 || response.status() >= 500) {
      return new Result.Failed(foreign(response));
    }
    String cause = "Twitch gives no access token: " + response.status() + " " + said;
    return new Result.Failed(
        new Outcome.AccountBroken(Secrets.of(refresh).scrub(cause) + cutOff() + remedy(said)));
  }

  private Outcome foreign(HttpResult.Response response) {
    return new ForeignAnswer(clock, null, ThrottleScope.ACCOUNT, Set.of(404), "oauthUrl")
        .read(response);
  }

  /** Why it is not taken, as far as we know. */
  private String cutOff() {
    Instant at = store.cutOffAt();
    return at == null
        ? ""
        : "; a renewal that began at " + at + " was cut off, and what Twitch answered is lost";
  }

  private static String remedy(String said) {
    String text = said.toLowerCase(Locale.ROOT);
    if (text.contains("secret")) {
      return "; check clientSecret";
    }
    return text.contains("client") ? "; check clientId" : AUTHORISE;
  }
}
