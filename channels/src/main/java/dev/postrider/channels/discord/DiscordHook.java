package dev.postrider.channels.discord;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where Discord delivers interactions. They must be answered within three seconds, so the answer
 * only asks for more time; the real one follows as a message. Thread-safe.
 */
final class DiscordHook implements Hook {
  private static final int LARGEST = 1 << 20;
  private static final int PING = 1;

  private final PublicKey key;
  private final Duration oldest;
  private final PrivateCommands commands;

  DiscordHook(Settings settings) {
    oldest = settings.duration("signatureAge", Duration.ofMinutes(5));
    commands = PrivateCommands.of(settings);
    try {
      key = key(HexFormat.of().parseHex(settings.required("publicKey")));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw settings.wrong("publicKey", "is not the 64 hex digits of the developer portal");
    }
  }

  /** 32 bytes, the lowest first: a number, and in its highest bit the sign of another. */
  private static PublicKey key(byte[] raw) throws GeneralSecurityException {
    if (raw.length != 32) {
      throw new IllegalArgumentException("a key has 32 bytes");
    }
    byte[] number = new byte[32];
    for (int i = 0; i < 32; i++) {
      number[i] = raw[31 - i];
    }
    boolean odd = (number[0] & 0x80) != 0;
    number[0] &= 0x7f;
    EdECPoint point = new EdECPoint(odd, new BigInteger(1, number));
    return KeyFactory.getInstance("Ed25519")
        .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    String forged = forgery(request);
    if (forged != null) {
      return new Answer.Forged(forged);
    }
    JsonNode body = Json.readObject(request.text());
    if (body == null) {
      return new Answer.Malformed("not a JSON object");
    }
    int type = body.path("type").asInt(0);
    if (type == PING) {
      return Answer.Genuine.only(reply(Map.of("type", PING)));
    }
    if (type == DiscordEvents.AUTOCOMPLETE) {
      return Answer.Genuine.only(reply(DiscordEvents.acknowledgement(body, false)));
    }
    boolean hidden = commands.isPrivate(body);
    InboundMessage arrival = DiscordEvents.interaction(body);
    return arrival == null
        ? new Answer.Malformed("not an interaction")
        : new Answer.Genuine(
            List.of(arrival),
            List.of(),
            reply(DiscordEvents.acknowledgement(body, hidden)),
            OpenCommand.remember(body, hidden));
  }

  private static Reply reply(Map<String, ?> body) {
    return Reply.json(Json.write(body));
  }

  /** Why the request is not Discord's, or null if it is. */
  private @Nullable String forgery(Request request) {
    String signature = request.header("x-signature-ed25519");
    String timestamp = request.header("x-signature-timestamp");
    if (signature == null || timestamp == null) {
      return "not signed";
    }
    if (request.body().length > LARGEST) {
      return "larger than anything Discord sends";
    }
    if (!timestamp.matches("\\d{1,12}")) {
      return "signed at no time";
    }
    Instant signedAt = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(signedAt, request.receivedAt()).abs().compareTo(oldest) > 0) {
      return "signed too long ago, or not yet";
    }
    return verifies(signature, timestamp, request.body()) ? null : "not signed by Discord";
  }

  private boolean verifies(String signature, String timestamp, byte[] body) {
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(timestamp.getBytes(StandardCharsets.UTF_8));
      verifier.update(body);
      return verifier.verify(HexFormat.of().parseHex(signature));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return false;
    }
  }
}
