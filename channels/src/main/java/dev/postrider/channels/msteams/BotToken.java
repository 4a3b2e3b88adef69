package dev.postrider.channels.msteams;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import dev.postrider.channels.verdict.ErrorTable;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Gets the bot's access token from Entra ID. Whatever comes of it, no message was sent by it. */
final class BotToken implements TokenSource.Renewal {
  private static final String HOME = "https://login.microsoftonline.com";
  private static final String SCOPE = "https://api.botframework.com/.default";

  /** Whose tokens a bot gets that is not of one tenant alone. */
  private static final String ANY_TENANT = "botframework.com";

  /** How long before its end a token is renewed. */
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Pattern CODE = Pattern.compile("AADSTS(\\d+)");

  /** By the number after AADSTS, or by the word of OAuth where there is none. */
  static final ErrorTable ERRORS =
      ErrorTable.of(
          broken("appPassword is wrong: give the secret's value, not its id", 7000215),
          broken(
              "the client secret has expired: make a new one under Certificates & secrets of the"
                  + " app registration, and set appPassword",
              7000222),
          broken(
              "there is no such app in this tenant: check appId; set tenantId for a single-tenant"
                  + " bot, and leave it out for a multi-tenant one",
              700016,
              700038,
              1000502),
          broken(
              "tenantId is unknown to Microsoft: give the directory's id or its domain",
              90002,
              900021,
              900023,
              50059),
          broken(
              "the app is disabled: an administrator must enable it under Enterprise applications",
              7000112,
              7000114),
          broken("a Conditional Access policy keeps the bot out", 53003, 530003, 53011),
          broken("the tenant does not know the Bot Framework", 500011, 500014, 650052),
          broken("appPassword is missing", 7000216, 7000218),
          ErrorTable.row(
              Outcome.Unreachable::new, 90033, 90001, "temporarily_unavailable", "server_error"),
          ErrorTable.row(
              cause -> new Outcome.Throttled(ThrottleScope.ACCOUNT, PAUSE, cause), 50196, 90055),
          ErrorTable.broken(
              "invalid_client",
              "unauthorized_client",
              "invalid_request",
              "invalid_scope",
              "invalid_resource",
              "invalid_grant",
              "access_denied",
              "unsupported_grant_type"));

  private static ErrorTable.Row broken(String remedy, Object... codes) {
    return ErrorTable.row(cause -> new Outcome.AccountBroken(cause + " (" + remedy + ")"), codes);
  }

  private final URI address;
  private final Map<String, String> question;
  private final Function<HttpCall, HttpResult> http;
  private final InstantSource clock;

  private BotToken(Settings settings, Function<HttpCall, HttpResult> http, InstantSource clock) {
    String tenant = settings.text("tenantId", ANY_TENANT);
    if (!tenant.matches("[\\w.-]+")) {
      throw settings.wrong("tenantId", "is neither a directory's id nor its domain");
    }
    address = URI.create(settings.web("loginUrl", HOME) + "/" + tenant + "/oauth2/v2.0/token");
    question =
        Map.of(
            "grant_type",
            "client_credentials",
            "client_id",
            settings.required("appId"),
            "client_secret",
            settings.required("appPassword"),
            "scope",
            SCOPE);
    this.http = http;
    this.clock = clock;
  }

  static TokenSource source(
      Settings settings, Function<HttpCall, HttpResult> http, InstantSource clock) {
    return new TokenSource(
        clock, AHEAD, TokenSource.Store.inMemory(), new BotToken(settings, http, clock));
  }

  @Override
  public Result renew(@Nullable Token last) {
    return switch (http.apply(HttpCall.post(address).fields(question))) {
      case HttpResult.Failed failed ->
          new Result.Failed(new Outcome.Unreachable("no access token: " + failed.cause()));
      case Response response -> read(response);
    };
  }

  private Result read(Response response) {
    JsonNode body = Json.readObject(response.body());
    String value = body == null ? null : Json.text(body, "access_token");
    if (body != null && value != null && response.status() == 200) {
      // Since when it was asked for it is younger than it says, if anything.
      Long seconds = Json.count(body.path("expires_in"));
      Duration lasts = Duration.ofSeconds(seconds == null ? 0 : Math.clamp(seconds, 0, 86_400));
      return new Result.Good(new Token(value, clock.instant().plus(lasts), null));
    }
    return new Result.Failed(refusal(response, body));
  }

  private Outcome refusal(Response response, @Nullable JsonNode body) {
    Duration asked = response.retryAfter(clock.instant());
    if (body == null || !body.path("error").isString()) {
      String cause = "no access token: " + response.status() + " " + response.excerpt();
      return response.status() / 100 == 4 && response.status() != 429
          ? new Outcome.AccountBroken(cause + " (check loginUrl)")
          : new Outcome.Unreachable(cause, asked == null ? Duration.ZERO : asked);
    }
    String error = body.path("error").asString();
    String said = firstLine(body.path("error_description").asString(""));
    Matcher code = CODE.matcher(said);
    String cause = "no access token: " + error + (said.isEmpty() ? "" : ": " + said);
    if (response.status() == 429) {
      return new Outcome.Throttled(ThrottleScope.ACCOUNT, asked == null ? PAUSE : asked, cause);
    }
    Outcome known = code.find() ? ERRORS.byCode(code.group(1), cause) : null;
    known = known == null ? ERRORS.byCode(error, cause) : known;
    if (known != null) {
      return known;
    }
    return response.status() / 100 == 4
        ? new Outcome.AccountBroken(cause)
        : new Outcome.Unreachable(cause);
  }

  /** Without what is another one each time. */
  private static String firstLine(String text) {
    return text.replaceFirst("(?s)\\s*(Trace ID:|[\\r\\n]).*", "");
  }
}
