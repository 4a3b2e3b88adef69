package dev.postrider.channels.feishu;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** What an app shows with each request: good for two hours, and got with the app's secret. */
final class FeishuToken {
  /** Feishu gives the same token again unless it ends within half an hour. */
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private FeishuToken() {}

  /** Where both regions' APIs are. */
  static String base(Settings settings) {
    String home =
        switch (settings.text("region", "feishu")) {
          case "feishu" -> "https://open.feishu.cn";
          case "lark" -> "https://open.larksuite.com";
          default -> throw settings.wrong("region", "is neither feishu nor lark");
        };
    return settings.web("baseUrl", home) + "/open-apis";
  }

  /**
   * An app's tokens.
   *
   * @param http makes a request
   */
  static TokenSource source(
      Settings settings,
      InstantSource clock,
      FeishuVerdict verdict,
      Function<HttpCall, HttpResult> http) {
    HttpCall question =
        HttpCall.post(URI.create(base(settings) + "/auth/v3/tenant_access_token/internal"))
            .json(
                Map.of(
                    "app_id",
                    settings.required("appId"),
                    "app_secret",
                    settings.required("appSecret")));
    return new TokenSource(
        clock,
        AHEAD,
        TokenSource.Store.inMemory(),
        _ ->
            switch (http.apply(question)) {
              case HttpResult.Response response -> read(response, clock, verdict);
              case HttpResult.Failed failed -> new Result.Failed(unsent(failed.outcome()));
            });
  }

  private static Result read(
      HttpResult.Response response, InstantSource clock, FeishuVerdict verdict) {
    JsonNode body = FeishuVerdict.done(response);
    String token = body == null ? "" : body.path("tenant_access_token").asString("");
    if (body == null || token.isEmpty()) {
      return new Result.Failed(unsent(verdict.refusal(response)));
    }
    Duration lasts = Duration.ofSeconds(body.path("expire").asInt(0));
    return new Result.Good(new Token(token, clock.instant().plus(lasts), null));
  }

  /** What needs the token was not sent, however unclear the answer was. */
  private static Outcome unsent(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Unknown(String cause) -> new Outcome.NotSent(cause);
      // It is not about a message: a request for a token has none.
      case Outcome.Rejected(_, String cause) -> new Outcome.AccountBroken(cause);
      default -> outcome;
    };
  }
}
