package dev.postrider.channels.webhook;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Receives webhooks of anybody who has the secret. */
final class WebhookHook implements Hook {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");

  private final Signatures signatures;
  private final Duration tolerance;

  WebhookHook(Settings settings) {
    signatures = Signatures.of(settings, "webhookSecret");
    tolerance = settings.duration("tolerance", Duration.ofMinutes(5));
  }

  @Override
  public Answer read(Request request) {
    String id = request.header("webhook-id");
    String timestamp = request.header("webhook-timestamp");
    String signature = request.header("webhook-signature");
    if (id == null || id.isBlank() || timestamp == null || signature == null) {
      return new Answer.Forged("not signed: webhook-id, -timestamp or -signature is missing");
    }
    if (!signatures.vouchFor(id, timestamp, request.body(), signature)) {
      return new Answer.Forged("no signature matches");
    }
    if (!isNow(timestamp, request.receivedAt())) {
      return new Answer.Forged("webhook-timestamp is further away than " + tolerance);
    }
    JsonNode payload = Json.readObject(request.text());
    return payload == null
        ? new Answer.Malformed("the body is not a JSON object")
        : Answer.Genuine.of(List.of(WebhookInbound.of(id, payload)));
  }

  private boolean isNow(String timestamp, Instant now) {
    if (!SECONDS.matcher(timestamp).matches()) {
      return false;
    }
    Instant then = Instant.ofEpochSecond(Long.parseLong(timestamp));
    return Duration.between(then, now).abs().compareTo(tolerance) <= 0;
  }
}
