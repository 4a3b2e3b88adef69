package dev.postrider.channels.googlechat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.googlechat.GoogleChatRequest.Replied;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One space's webhook. It posts and can do nothing else. Thread-safe. */
final class GoogleChatWebhookLink implements Link {
  private static final String EXAMPLE =
      "https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…";
  private static final Pattern ADDRESS =
      Pattern.compile("https?://[^?#]+/v1/(spaces/[\\w-]+)/messages\\?(?=.*key=)(?=.*token=)[^#]+");

  /** It has one space: without that, it is of no use. */
  private static final String GONE = " (the webhook or its space is gone; make a new one)";

  private final URI url;
  private final String space;
  private final HttpSender http;
  private final GoogleChatVerdict verdict;

  GoogleChatWebhookLink(Settings settings, InstantSource clock) {
    String address = settings.requiredWeb("webhookUrl", EXAMPLE);
    space = space(address);
    if (space.isEmpty()) {
      throw settings.wrong(
          "webhookUrl", "is not an address such as " + EXAMPLE + "; copy it whole");
    }
    url = URI.create(address);
    http = HttpSender.of(settings, Secrets.ofAddress(address, address));
    verdict = new GoogleChatVerdict(PermanentErrors.of(settings), clock);
  }

  /** The space that a webhook's address writes to; empty if it is none. */
  static String space(String address) {
    Matcher found = ADDRESS.matcher(address);
    return found.matches() ? found.group(1) : "";
  }

  @Override
  public Outcome send(Dispatch part) {
    String name = GoogleChatRequest.repliesTo(part);
    GoogleChatRequest request =
        new GoogleChatRequest(part, name == null ? null : Replied.named(name));
    Outcome outcome =
        GoogleChatLink.repaired(
            post(URI.create(url + "&" + request.webhookQuery()), request.body()), request);
    return outcome instanceof Outcome.Rejected(Blame blame, String cause) && blame == Blame.TARGET
        ? new Outcome.AccountBroken(cause + GONE)
        : outcome;
  }

  private Outcome post(URI uri, Map<String, ?> body) {
    return switch (http.send(HttpCall.post(uri).json(body))) {
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response -> {
        String posted = GoogleChatLink.posted(response);
        yield posted == null ? verdict.refusal(response, space) : Outcome.delivered(posted);
      }
    };
  }

  /** Offers nothing to post: a webhook that lives refuses that for its lack of text. */
  @Override
  public Probe probe() {
    Outcome outcome = post(url, Map.of());
    if (outcome instanceof Outcome.Rejected(Blame blame, String cause)) {
      return blame == Blame.MESSAGE
          ? new Probe.Healthy("a webhook of " + space)
          : new Probe.Broken(cause + GONE);
    }
    return Probe.of(outcome, "");
  }

  @Override
  public void close() {
    http.close();
  }
}
