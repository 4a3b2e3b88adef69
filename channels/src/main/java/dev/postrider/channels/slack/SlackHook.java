package dev.postrider.channels.slack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.WebForm;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where Slack delivers events, interactions and slash commands: one address for all three. Slack
 * delivers an event again if it got no answer; that one has the same id, and is stored once.
 */
final class SlackHook implements Hook {
  private static final int LONGEST = 1 << 20;
  private static final Pattern SECONDS = Pattern.compile("\\d{1,11}");

  private final String secret;
  private final Duration tolerance;

  private SlackHook(String secret, Duration tolerance) {
    this.secret = secret;
    this.tolerance = tolerance;
  }

  static SlackHook of(Settings settings, String secret) {
    return new SlackHook(secret, settings.duration("tolerance", Duration.ofMinutes(5)));
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    String forgery = forgery(request);
    if (forgery != null) {
      return new Answer.Forged(forgery);
    }
    JsonNode payload = payload(request);
    if (payload == null) {
      return new Answer.Malformed("neither JSON nor a form that Slack would send");
    }
    if (payload.path("type").asString("").equals("url_verification")) {
      return Answer.Genuine.only(Reply.text(payload.path("challenge").asString("")));
    }
    List<InboundMessage> arrivals = SlackEvents.read(payload);
    return arrivals == null
        ? new Answer.Malformed("an event without an id")
        : Answer.Genuine.of(arrivals);
  }

  private @Nullable String forgery(Request request) {
    String timestamp = request.header("x-slack-request-timestamp");
    String signature = request.header("x-slack-signature");
    if (timestamp == null || signature == null || !SECONDS.matcher(timestamp).matches()) {
      return "not signed";
    }
    if (request.body().length > LONGEST) {
      return "longer than anything that Slack sends";
    }
    Instant signedAt = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(signedAt, request.receivedAt()).abs().compareTo(tolerance) > 0) {
      return "signed too long ago, or by a wrong clock";
    }
    return Hmac.same(sign(timestamp, request.body()), signature) ? null : "the signature is wrong";
  }

  private String sign(String timestamp, byte[] body) {
    byte[] head = ("v0:" + timestamp + ":").getBytes(UTF_8);
    return "v0=" + HexFormat.of().formatHex(Hmac.sha256(secret.getBytes(UTF_8), head, body));
  }

  /** Events are JSON; interactions are JSON in a field of a form; commands are a form. */
  private static @Nullable JsonNode payload(Request request) {
    String type = request.headers().getOrDefault("content-type", "");
    if (!type.startsWith("application/x-www-form-urlencoded")) {
      return Json.readObject(request.text());
    }
    Map<String, String> form = WebForm.read(request.text());
    String inner = form.get("payload");
    return inner == null ? Json.tree(form) : Json.readObject(inner);
  }
}
