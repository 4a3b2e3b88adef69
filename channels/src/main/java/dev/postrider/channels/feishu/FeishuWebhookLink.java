package dev.postrider.channels.feishu;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.message.Fix;
import dev.postrider.problem.InvalidInput;
import java.net.URI;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** A group's custom bot. It gives no ids, and takes a repeat for a new message. Thread-safe. */
final class FeishuWebhookLink implements Link {
  private static final String EXAMPLE = "https://open.feishu.cn/open-apis/bot/v2/hook/…";

  private final URI url;
  private final String secret;
  private final boolean cards;
  private final HttpSender http;
  private final FeishuVerdict verdict;
  private final InstantSource clock;

  FeishuWebhookLink(Settings settings, InstantSource clock) {
    this.clock = clock;
    url = URI.create(settings.requiredWeb("webhookUrl", EXAMPLE));
    secret = settings.text("secret", "");
    cards = FeishuLink.cards(settings);
    String token = url.getPath().substring(url.getPath().lastIndexOf('/') + 1);
    http = HttpSender.of(settings, Secrets.of(url.toString(), url.getPath(), token, secret));
    verdict = new FeishuVerdict(PermanentErrors.of(settings), clock);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    try {
      return post(said(FeishuContent.of(dispatch, cards)), dispatch.isMarkup());
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  private static Map<String, Object> said(FeishuContent content) {
    return switch (content.type()) {
      case "interactive" -> Map.of("msg_type", content.type(), "card", content.body());
      case "post" -> Map.of("msg_type", content.type(), "content", Map.of("post", content.body()));
      default -> Map.of("msg_type", content.type(), "content", content.body());
    };
  }

  private Outcome post(Map<String, Object> said, boolean markup) {
    Map<String, Object> body = new LinkedHashMap<>(said);
    if (!secret.isEmpty()) {
      String now = String.valueOf(clock.instant().getEpochSecond());
      body.put("timestamp", now);
      body.put("sign", sign(now, secret));
    }
    return switch (http.send(HttpCall.post(url).json(body))) {
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response ->
          FeishuVerdict.done(response) == null
              ? fitting(verdict.refusal(response), markup)
              : Outcome.delivered("");
    };
  }

  /** Of what can be mended, only a card can here. */
  private static Outcome fitting(Outcome outcome, boolean markup) {
    return outcome instanceof Outcome.Repairable(Fix fix, String cause)
            && !(fix instanceof Fix.PlainText && markup)
        ? new Outcome.Rejected(Blame.MESSAGE, cause)
        : outcome;
  }

  /** As Feishu wants it: the text is the key, and nothing is signed with it. */
  static String sign(String timestamp, String secret) {
    byte[] key = (timestamp + "\n" + secret).getBytes(UTF_8);
    return Base64.getEncoder().encodeToString(Hmac.sha256(key));
  }

  /** Offers nothing to post: a bot that lives refuses that for its lack of content. */
  @Override
  public Probe probe() {
    Outcome outcome = post(Map.of(), false);
    return outcome instanceof Outcome.Rejected(Blame blame, _) && blame == Blame.MESSAGE
        ? new Probe.Healthy("a custom bot")
        : Probe.of(outcome, "");
  }

  @Override
  public void close() {
    http.close();
  }
}
