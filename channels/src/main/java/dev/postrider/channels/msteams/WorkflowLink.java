package dev.postrider.channels.msteams;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * One webhook of Power Automate. It queues what it is given, says so, and gives no id; what then
 * becomes of it is shown in the flow's run history alone. Thread-safe.
 */
final class WorkflowLink implements Link {
  private static final String EXAMPLE =
      "https://prod-00.westeurope.logic.azure.com/workflows/…/invoke?…&sig=…";

  private static final Duration PAUSE = Duration.ofSeconds(30);

  static final ErrorTable STATUSES =
      ErrorTable.of(
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause
                          + " (the webhook is gone, switched off or its address incomplete: copy it"
                          + " again from the workflow, with everything after sig=)"),
              401,
              403,
              404,
              410),
          ErrorTable.rejected(Blame.MESSAGE, 400, 413, 415));

  /** What the retired Office 365 connectors say with status 200. */
  static final ErrorTable TEXTS =
      ErrorTable.of(
          ErrorTable.throttled(ThrottleScope.ACCOUNT, PAUSE, "http error 429"),
          ErrorTable.rejected(
              Blame.MESSAGE, "http error 413", "bad payload", "summary or text is required"),
          ErrorTable.broken("http error 403", "http error 404", "connector configuration"));

  private final URI url;
  private final HttpSender http;
  private final PermanentErrors permanent;
  private final InstantSource clock;

  WorkflowLink(Settings settings, InstantSource clock) {
    url = URI.create(settings.requiredWeb("webhookUrl", EXAMPLE));
    http = HttpSender.of(settings, Secrets.ofAddress(url.toString(), url.getPath()));
    permanent = PermanentErrors.of(settings);
    this.clock = clock;
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    for (String key : dispatch.message().channelData().keySet()) {
      if (!key.equals("attachments")) {
        return new Outcome.Rejected(
            Blame.MESSAGE, "channelData." + key + " is not for a webhook, which takes cards alone");
      }
    }
    try {
      return switch (http.send(HttpCall.post(url).json(TeamsRequest.cards(dispatch)))) {
        case HttpResult.Failed failed -> failed.outcome();
        case Response response -> outcome(response);
      };
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be read: " + e.getMessage());
    }
  }

  Outcome outcome(Response response) {
    String said = response.body().strip();
    String cause = response.status() + " " + response.excerpt();
    if (response.status() == 202) {
      return Outcome.accepted("");
    }
    if (response.status() == 200 && response.whole() && (said.isEmpty() || said.equals("1"))) {
      return Outcome.delivered("");
    }
    Outcome known =
        response.status() == 200
            ? TEXTS.byText(said, cause)
            : STATUSES.byCode(response.status(), cause);
    return known == null
        ? new ForeignAnswer(clock, permanent, ThrottleScope.ACCOUNT, Set.of(), "webhookUrl")
            .read(response)
        : known;
  }

  // There is nothing to ask that would not make the flow run: the probe of Link says so.

  @Override
  public void close() {
    http.close();
  }
}
