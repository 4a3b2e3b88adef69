package dev.postrider.channels.whatsapp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Meta's webhook: several events per request, signed with the app's secret. It carries no time, so
 * an old request cannot be told from a late one; its events are recognised by their ids.
 */
final class WhatsAppHook implements Hook {
  private static final int LARGEST = 3 << 20; // as Meta documents

  private final byte[] secret;
  private final String verifyToken;
  private final String phoneNumberId;

  WhatsAppHook(String appSecret, String verifyToken, String phoneNumberId) {
    this.secret = appSecret.getBytes(UTF_8);
    this.verifyToken = verifyToken;
    this.phoneNumberId = phoneNumberId;
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    if (request.method().equals("GET")) {
      return handshake(request);
    }
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than Meta sends at once");
    }
    if (!isSigned(request)) {
      return new Answer.Forged("the signature is missing or wrong");
    }
    JsonNode body = Json.readObject(request.text());
    return body != null && body.path("entry").isArray()
        ? genuine(body)
        : new Answer.Malformed("this is no notification");
  }

  private Answer handshake(Request request) {
    String token = request.query().getOrDefault("hub.verify_token", "");
    String challenge = request.query().get("hub.challenge");
    boolean ours = !verifyToken.isEmpty() && Hmac.same(verifyToken, token);
    if (!ours) {
      return new Answer.Forged("the verify token is missing or wrong");
    }
    return "subscribe".equals(request.query().get("hub.mode")) && challenge != null
        ? Answer.Genuine.only(Reply.text(challenge))
        : new Answer.Malformed("this is no handshake");
  }

  private boolean isSigned(Request request) {
    String signature = request.header("x-hub-signature-256");
    return signature != null
        && Hmac.same(
            "sha256=" + HexFormat.of().formatHex(Hmac.sha256(secret, request.body())), signature);
  }

  /** What concerns our number; an app is told of all its numbers. */
  private Answer genuine(JsonNode body) {
    List<InboundMessage> arrivals = new ArrayList<>();
    List<DeliveryReport> reports = new ArrayList<>();
    for (JsonNode entry : body.path("entry")) {
      for (JsonNode change : entry.path("changes")) {
        JsonNode value = change.path("value");
        if (value.path("metadata").path("phone_number_id").asString("").equals(phoneNumberId)) {
          value
              .path("messages")
              .forEach(message -> add(arrivals, WhatsAppEvents.message(message, value)));
          value.path("statuses").forEach(status -> add(reports, WhatsAppEvents.status(status)));
        }
      }
    }
    return new Answer.Genuine(arrivals, reports, Reply.OK, ServiceWindow.remember(arrivals));
  }

  private static <T> void add(List<T> all, @Nullable T one) {
    if (one != null) {
      all.add(one);
    }
  }
}
