package dev.postrider.channels.whatsappweb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Hook;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A bridge's webhook, signed over its raw body: WAHA with HMAC-SHA512, GOWA with HMAC-SHA256.
 * WAHA's time is part of what is signed: what is older than ids are remembered for is refused.
 */
final class WhatsAppWebHook implements Hook {
  private static final int LARGEST = 8 << 20;
  private static final Duration OLDEST = Duration.ofDays(29);
  private static final String VERSION = "x-webhook-hmac-version";

  private final byte[] secret;
  private final boolean gowa;
  private final String mine;

  /**
   * @param mine WAHA's session or GOWA's device; empty if all are ours
   */
  WhatsAppWebHook(String secret, boolean gowa, String mine) {
    this.secret = secret.getBytes(UTF_8);
    this.gowa = gowa;
    this.mine = mine;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than a bridge sends at once");
    }
    if (!(gowa ? isSignedByGowa(request) : isSignedByWaha(request))) {
      return new Answer.Forged(
          "the signature is missing or wrong; if the bridge sent it, check webhookSecret");
    }
    JsonNode event = Json.readObject(request.text());
    if (event == null || !event.path("event").isString() || !event.path("payload").isObject()) {
      return new Answer.Malformed("this is no event");
    }
    if (isOld(event, request.receivedAt())) {
      return new Answer.Malformed("the event is more than " + OLDEST.toDays() + " days old");
    }
    if (!isMine(event)) {
      return Answer.Genuine.only(Reply.OK); // of another account of the bridge
    }
    Heard heard =
        gowa
            ? GowaEvents.read(event, request.receivedAt())
            : WahaEvents.read(event, request.receivedAt());
    return heard.answer();
  }

  private boolean isSignedByWaha(Request request) {
    String signature = request.header("x-webhook-hmac");
    if (signature == null) {
      return false;
    }
    String time = request.header("x-webhook-timestamp");
    boolean dated = "2".equals(request.header(VERSION));
    if (dated && time == null) {
      return false;
    }
    byte[] head = dated ? (time + ".").getBytes(UTF_8) : new byte[0];
    return same(Hmac.sha512(secret, head, request.body()), "", signature);
  }

  private boolean isSignedByGowa(Request request) {
    return same(
        Hmac.sha256(secret, request.body()), "sha256=", request.header("x-hub-signature-256"));
  }

  private static boolean same(byte[] expected, String before, @Nullable String presented) {
    return presented != null && Hmac.same(before + HexFormat.of().formatHex(expected), presented);
  }

  private boolean isOld(JsonNode event, Instant now) {
    Long millis = gowa ? null : Json.count(event.path("timestamp"));
    return millis != null && millis < now.minus(OLDEST).toEpochMilli();
  }

  private boolean isMine(JsonNode event) {
    String told = event.path(gowa ? "session_id" : "session").asString("");
    return mine.isEmpty() || told.isEmpty() || told.equals(mine);
  }
}
