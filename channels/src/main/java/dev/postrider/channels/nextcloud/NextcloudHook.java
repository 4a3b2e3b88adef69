package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Talk's webhook. Talk tries once, waits five seconds and does not come again. What it signs has no
 * time but the one in the event; a request that is played back has the same ids.
 */
final class NextcloudHook implements Hook {
  private static final int LARGEST = 1 << 20;

  private final String secret;
  private final Duration tolerance;

  NextcloudHook(String secret, Duration tolerance) {
    this.secret = secret;
    this.tolerance = tolerance;
  }

  @Override
  public Answer read(Request request) {
    String random = request.header("x-nextcloud-talk-random");
    String signature = request.header("x-nextcloud-talk-signature");
    if (random == null || signature == null) {
      return new Answer.Forged("not signed");
    }
    if (request.body().length > LARGEST) {
      return new Answer.Forged("longer than anything that Talk sends");
    }
    if (!Hmac.same(
        NextcloudApi.sign(secret, random, request.body()), signature.toLowerCase(Locale.ROOT))) {
      return new Answer.Forged("the signature is wrong");
    }
    JsonNode event = Json.readObject(request.text());
    NextcloudEvents.Told told = event == null ? null : NextcloudEvents.read(event, random);
    if (told == null) {
      return new Answer.Malformed("an event without a type, a conversation or an id");
    }
    return isOld(told.at(), request.receivedAt())
        ? new Answer.Forged("signed too long ago, or by a wrong clock")
        : Answer.Genuine.of(list(told.arrival())).remembering(told.memory());
  }

  private boolean isOld(@Nullable Instant at, Instant now) {
    return at != null && Duration.between(at, now).abs().compareTo(tolerance) > 0;
  }

  private static List<InboundMessage> list(@Nullable InboundMessage arrival) {
    return arrival == null ? List.of() : List.of(arrival);
  }
}
