package dev.postrider.channels.zalo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Sha256;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An app's webhook: one event per request, signed with a key that is not the app's secret. Zalo
 * tells again for two hours what was not taken, so anything older is refused; within that time
 * events are recognised by their ids.
 */
final class OaHook implements Hook {
  private static final int LARGEST = 1 << 20;
  private static final Duration OLDEST = Duration.ofHours(3);
  private static final Duration CLOCKS_APART = Duration.ofMinutes(15);
  static final String OLD = "the event is older than three hours, or not of this time";

  private final String appId;
  private final String secret;
  private final String oaId;

  OaHook(String appId, String secret, String oaId) {
    this.appId = appId;
    this.secret = secret;
    this.oaId = oaId;
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than Zalo sends at once");
    }
    JsonNode event = Json.readObject(request.text());
    String signature = request.header("x-zevent-signature");
    if (signature == null) {
      // Before Zalo takes an address, it looks whether somebody answers there.
      return event != null && event.isEmpty()
          ? Answer.Genuine.only(Reply.OK)
          : new Answer.Forged("the signature is missing");
    }
    String time = signedTime(request, event, signature);
    if (time == null) {
      return new Answer.Forged(
          "the signature is wrong (oaSecretKey must be the app's OA Secret Key)");
    }
    Instant at = ZaloText.time(time);
    if (at == null || !isOfNow(at, request.receivedAt())) {
      return new Answer.Forged(OLD);
    }
    return event == null || !event.path("event_name").isString()
        ? new Answer.Malformed("this is no event")
        : genuine(event);
  }

  static boolean isOfNow(Instant at, Instant now) {
    return !at.isBefore(now.minus(OLDEST)) && !at.isAfter(now.plus(CLOCKS_APART));
  }

  /** The time that the signature covers: of the request, or of the event; null if it is wrong. */
  private @Nullable String signedTime(Request request, @Nullable JsonNode event, String signature) {
    String presented = signature.strip().replaceFirst("^mac=", "").toLowerCase(Locale.ROOT);
    String ofRequest = request.header("x-zevent-timestamp");
    String ofEvent = event == null ? null : ZaloText.of(event, "timestamp");
    return Stream.of(ofRequest, ofEvent)
        .filter(time -> time != null && Hmac.same(mac(request.body(), time), presented))
        .findFirst()
        .orElse(null);
  }

  private String mac(byte[] body, String time) {
    return HexFormat.of()
        .formatHex(
            Sha256.of(appId.getBytes(UTF_8), body, time.getBytes(UTF_8), secret.getBytes(UTF_8)));
  }

  /** What concerns our account; an app is told of all its accounts. */
  private Answer genuine(JsonNode event) {
    if (!oaId.isEmpty() && !isAbout(event)) {
      return Answer.Genuine.only(Reply.OK);
    }
    InboundMessage arrival = OaEvents.message(event);
    return arrival == null
        ? new Answer.Genuine(List.of(), OaEvents.reports(event), Reply.OK)
        : Answer.Genuine.of(List.of(arrival)).remembering(LastInteraction.remember(arrival));
  }

  private boolean isAbout(JsonNode event) {
    return Stream.of(
            event.path("oa_id"),
            event.path("recipient").path("id"),
            event.path("sender").path("id"))
        .anyMatch(id -> id.asString("").equals(oaId));
  }
}
