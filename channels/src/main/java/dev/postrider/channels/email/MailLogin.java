package dev.postrider.channels.email;

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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How an account proves to its mail servers who it is: with a password, or with an access token of
 * OAuth 2 (XOAUTH2), which is renewed before it expires. Thread-safe.
 */
final class MailLogin {
  private static final Duration AHEAD = Duration.ofMinutes(5);

  /** A token without a given end is asked for again after this long. */
  private static final int USUAL_SECONDS = 3600;

  /** There is nothing to log in with, and the outcome of whatever needed it. */
  static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Outcome outcome;

    Unavailable(Outcome outcome) {
      super(outcome.toString());
      this.outcome = outcome;
    }

    Outcome outcome() {
      return outcome;
    }
  }

  private final @Nullable String user;
  private final @Nullable String password;
  private final @Nullable TokenSource tokens;

  private MailLogin(
      @Nullable String user, @Nullable String password, @Nullable TokenSource tokens) {
    this.user = user;
    this.password = password;
    this.tokens = tokens;
  }

  /** For the server that takes our mail. */
  static MailLogin smtp(Settings settings, @Nullable TokenSource tokens) {
    String user = settings.text("username", "");
    if (user.isEmpty()) {
      return new MailLogin(null, null, null);
    }
    return tokens == null
        ? new MailLogin(user, settings.required("password"), null)
        : new MailLogin(user, null, tokens);
  }

  /** For the mailbox. */
  static MailLogin imap(Settings settings, @Nullable TokenSource tokens) {
    String user = settings.text("imapUser", settings.text("username", ""));
    String password = settings.text("imapPassword", settings.text("password", ""));
    return new MailLogin(user, password, password.isEmpty() ? tokens : null);
  }

  /** Where tokens come from; null if the account has passwords. */
  static @Nullable TokenSource tokens(
      Settings settings, InstantSource clock, TokenSource.Store store) {
    if (settings.text("oauthTokenUrl", "").isEmpty()) {
      return null;
    }
    settings.required("username");
    URI url = URI.create(settings.requiredWeb("oauthTokenUrl", "https://login.example/token"));
    Map<String, String> form = new LinkedHashMap<>();
    form.put("client_id", settings.required("oauthClientId"));
    for (String field : new String[] {"oauthClientSecret", "oauthScope"}) {
      String value = settings.text(field, "");
      if (!value.isEmpty()) {
        form.put(field.equals("oauthScope") ? "scope" : "client_secret", value);
      }
    }
    String refresh = settings.text("oauthRefreshToken", "");
    Secrets secrets = Secrets.of(settings.text("oauthClientSecret", ""), refresh);
    return new TokenSource(
        clock, AHEAD, store, last -> renewed(settings, secrets, url, form, refresh, last, clock));
  }

  private static Result renewed(
      Settings settings,
      Secrets secrets,
      URI url,
      Map<String, String> client,
      String given,
      @Nullable Token last,
      InstantSource clock) {
    String refresh = last == null || last.refresh() == null ? given : last.refresh();
    Map<String, String> form = new LinkedHashMap<>(client);
    if (refresh.isEmpty()) {
      form.put("grant_type", "client_credentials");
    } else {
      form.put("grant_type", "refresh_token");
      form.put("refresh_token", refresh);
    }
    try (HttpSender http = HttpSender.of(settings, secrets)) {
      return switch (http.send(HttpCall.post(url).fields(form))) {
        case HttpResult.Failed failed -> new Result.Failed(new Outcome.NotSent(failed.cause()));
        case HttpResult.Response answer -> read(answer, refresh, secrets, clock.instant());
      };
    }
  }

  private static Result read(
      HttpResult.Response answer, String refresh, Secrets secrets, Instant now) {
    JsonNode body = Json.readObject(answer.body());
    String token = body == null ? "" : body.path("access_token").asString("");
    if (answer.status() == 200 && body != null && !token.isEmpty()) {
      long lasts = body.path("expires_in").asLong(USUAL_SECONDS);
      String next = body.path("refresh_token").asString(refresh);
      return new Result.Good(
          new Token(token, now.plusSeconds(lasts), next.isEmpty() ? null : next));
    }
    String error = body == null ? "" : body.path("error").asString("");
    String cause = "OAuth: " + answer.status() + " " + secrets.scrub(answer.excerpt());
    boolean refused = answer.status() / 100 == 4 && !error.isEmpty(); // RFC 6749, 5.2
    return new Result.Failed(
        refused ? new Outcome.AccountBroken(cause) : new Outcome.NotSent(cause));
  }

  /** How the library is told to log in. */
  void configure(String protocol, Properties session) {
    if (tokens != null) {
      session.put("mail." + protocol + ".auth.mechanisms", "XOAUTH2");
    }
  }

  @Nullable String user() {
    return user;
  }

  /** The password, or a token that is good now. */
  @Nullable String secret() throws Unavailable {
    if (tokens == null) {
      return password;
    }
    return switch (tokens.get()) {
      case Result.Good(Token token) -> token.value();
      case Result.Failed(Outcome outcome) -> throw new Unavailable(outcome);
    };
  }

  /**
   * The server does not take this secret.
   *
   * @return whether there may be another one: a token that was good can be revoked
   */
  boolean refused(@Nullable String secret) {
    if (tokens == null || secret == null) {
      return false;
    }
    tokens.refused(secret);
    return true;
  }
}
