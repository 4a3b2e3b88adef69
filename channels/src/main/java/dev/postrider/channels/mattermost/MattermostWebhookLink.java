package dev.postrider.channels.mattermost;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.message.Fix;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One incoming webhook. It answers "ok" and gives no id. Thread-safe. */
final class MattermostWebhookLink implements Link {
  private static final String EXAMPLE = MattermostApi.EXAMPLE + "/hooks/…";

  /** The same for whatever is wrong with a request. */
  private static final String GENERAL = "web.incoming_webhook.general.app_error";

  /** A name that no channel has. */
  private static final String NOWHERE = "postrider-asks-whether-this-webhook-is-alive";

  private final URI url;
  private final HttpSender http;
  private final MattermostVerdict verdict;

  MattermostWebhookLink(Settings settings, InstantSource clock) {
    url = URI.create(settings.requiredWeb("webhookUrl", EXAMPLE));
    if (settings.flag("websocket", false)) {
      throw settings.wrong("websocket", "needs baseUrl and token; a webhook can only post");
    }
    String id = url.getPath().substring(url.getPath().lastIndexOf('/') + 1);
    http = HttpSender.of(settings, Secrets.of(url.toString(), url.getPath(), id));
    verdict = new MattermostVerdict(clock);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    if (MattermostRequest.ephemeral(dispatch) != null) {
      return new Outcome.Rejected(
          Blame.MESSAGE, "channelData.ephemeral needs an account with baseUrl and token");
    }
    String root = MattermostRequest.root(dispatch);
    if (root != null && !MattermostRequest.isId(root)) {
      return new Outcome.Repairable(new Fix.DropReply(), "replyToId is not the id of a post");
    }
    Map<String, @Nullable Object> body =
        MattermostRequest.webhook(dispatch, channel(dispatch.to()));
    return post(body, root != null);
  }

  private static @Nullable String channel(String to) {
    return to.equals(MattermostChannel.DEFAULT) ? null : to;
  }

  private Outcome post(Map<String, ? extends @Nullable Object> body, boolean answering) {
    return switch (http.send(HttpCall.post(url).json(body))) {
      case HttpResult.Failed failed -> failed.outcome();
      case Response response when response.status() == 200 ->
          response.body().strip().equals("ok")
              ? Outcome.delivered("")
              : verdict.notMattermost(response);
      case Response response -> refusal(response, answering);
    };
  }

  /**
   * Mattermost hides what is wrong behind one id, and leaves its status: 404 and 403 are about the
   * channel; 400 is about the webhook, the person, the thread or the text.
   */
  private Outcome refusal(Response response, boolean answering) {
    Outcome outcome = verdict.refusal(response, Blame.MESSAGE);
    JsonNode error = Json.readObject(response.body());
    String id = error == null ? null : Json.text(error, "id");
    if (response.status() != 400 || !(outcome instanceof Outcome.Rejected(_, String cause))) {
      return outcome;
    }
    if (GENERAL.equals(id) && answering) {
      return new Outcome.Repairable(new Fix.DropReply(), cause);
    }
    // A probe tells whether it is the webhook; if it is not, the message is rejected next time.
    return GENERAL.equals(id) || "web.incoming_webhook.invalid.app_error".equals(id)
        ? new Outcome.AccountBroken(cause + " (is the webhook still there?)")
        : outcome;
  }

  /** Posts to a channel that is not there: a webhook that lives refuses that for the channel. */
  @Override
  public Probe probe() {
    Outcome outcome = post(Map.of("text", "Are you there?", "channel", NOWHERE), false);
    return outcome instanceof Outcome.Rejected(Blame blame, _) && blame == Blame.TARGET
        ? new Probe.Healthy("an incoming webhook")
        : Probe.of(outcome, "");
  }

  @Override
  public void close() {
    http.close();
  }
}
