package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;

/** One incoming webhook. It answers in a word of plain text and gives no id. Thread-safe. */
final class SlackWebhookLink implements Link {
  private static final String EXAMPLE = "https://hooks.slack.com/services/T…/B…/…";

  private final URI url;
  private final HttpSender http;
  private final SlackVerdict verdict;

  SlackWebhookLink(Settings settings, InstantSource clock) {
    url = URI.create(settings.requiredWeb("url", EXAMPLE));
    http = HttpSender.of(settings, Secrets.of(url.toString(), url.getPath()));
    verdict = new SlackVerdict(clock);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Outcome obstacle = SlackRequest.obstacle(dispatch);
    return obstacle == null ? post(SlackRequest.webhook(dispatch)) : obstacle;
  }

  private Outcome post(Map<String, ?> body) {
    HttpCall call = HttpCall.post(url).text("application/json; charset=utf-8", Json.write(body));
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response -> outcome(response);
    };
  }

  private Outcome outcome(HttpResult.Response response) {
    String word = response.body().strip();
    String cause = response.status() + " " + word;
    return switch (word) {
      case "ok" -> response.status() == 200 ? Outcome.delivered("") : new Outcome.Unknown(cause);
      case "no_service", "no_team", "invalid_token" -> new Outcome.AccountBroken(cause);
      case "channel_not_found",
          "channel_is_archived",
          "user_not_found",
          "action_prohibited",
          "posting_to_general_channel_denied" ->
          new Outcome.Rejected(Blame.TARGET, cause);
      case "invalid_payload", "no_text", "too_many_attachments" ->
          new Outcome.Rejected(Blame.MESSAGE, cause);
      default -> verdict.notSlack(response);
    };
  }

  /** Offers nothing to post: a webhook that lives refuses that for its lack of text. */
  @Override
  public Probe probe() {
    Outcome outcome = post(Map.of());
    return outcome instanceof Outcome.Rejected(Blame blame, _) && blame == Blame.MESSAGE
        ? new Probe.Healthy("an incoming webhook")
        : Probe.of(outcome, "");
  }

  @Override
  public void close() {
    http.close();
  }
}
