package dev.postrider.channels.feishu;

import dev.postrider.channel.Hook;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PlatformTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where Feishu delivers events. With an encrypt key they are encrypted and signed; without one they
 * only bring the verification token along. Feishu delivers again what was not answered, for some
 * seven hours; what comes twice has the same id.
 */
final class FeishuHook implements Hook {
  private static final int LARGEST = 1 << 20;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,15}");
  private static final Duration TOLERANCE = Duration.ofHours(8);

  private final @Nullable FeishuCipher cipher;
  private final String token;
  private final Duration tolerance;

  private FeishuHook(@Nullable FeishuCipher cipher, String token, Duration tolerance) {
    this.cipher = cipher;
    this.token = token;
    this.tolerance = tolerance;
  }

  /** Null if the account has nothing to know Feishu by. */
  static @Nullable FeishuHook of(Settings settings) {
    String key = settings.text("encryptKey", settings.text("webhookSecret", ""));
    String token = settings.text("verificationToken", "");
    return key.isEmpty() && token.isEmpty()
        ? null
        : new FeishuHook(
            key.isEmpty() ? null : new FeishuCipher(key),
            token,
            settings.duration("tolerance", TOLERANCE));
  }

  @Override
  public boolean overInternet() {
    return true;
  }

  @Override
  public Answer read(Request request) {
    if (request.body().length > LARGEST) {
      return new Answer.Malformed("more than Feishu sends at once");
    }
    JsonNode body = Json.readObject(request.text());
    if (cipher != null && body != null) {
      String text = cipher.decrypt(body.path("encrypt").asString(""));
      if (text == null) {
        return new Answer.Forged(
            body.has("encrypt")
                ? "encrypted with another key than encryptKey"
                : "not encrypted, though encryptKey is set");
      }
      body = Json.readObject(text);
    }
    if (body == null) {
      return new Answer.Malformed("this is no JSON object");
    }
    boolean challenge = body.path("type").asString("").equals("url_verification");
    String forgery = forgery(request, body, challenge);
    if (forgery != null) {
      return new Answer.Forged(forgery);
    }
    return challenge ? greeted(body) : FeishuEvents.read(body);
  }

  /** What is wrong with it; null if it is Feishu's. */
  private @Nullable String forgery(Request request, JsonNode body, boolean challenge) {
    String presented = body.path("header").path("token").asString(body.path("token").asString(""));
    if (!token.isEmpty() && !Hmac.same(token, presented)) {
      return "the verification token is missing or wrong";
    }
    if (challenge) {
      return null; // Feishu signs events only; whoever has encrypted this has the key
    }
    if (cipher == null) {
      return isFresh(createdAt(body), request)
          ? null
          : "it was created too long ago, or by a wrong clock";
    }
    String timestamp = request.headers().getOrDefault("x-lark-request-timestamp", "");
    String nonce = request.headers().getOrDefault("x-lark-request-nonce", "");
    String signature = request.headers().getOrDefault("x-lark-signature", "");
    if (!cipher.signed(signature, timestamp, nonce, request.body())) {
      return "the signature is missing or wrong";
    }
    return isFresh(seconds(timestamp), request) ? null : "signed too long ago, or by a wrong clock";
  }

  private boolean isFresh(@Nullable Instant at, Request request) {
    return at != null && Duration.between(at, request.receivedAt()).abs().compareTo(tolerance) <= 0;
  }

  private static @Nullable Instant seconds(String timestamp) {
    return NUMBER.matcher(timestamp).matches()
        ? PlatformTime.ofSeconds(Long.parseLong(timestamp))
        : null;
  }

  private static @Nullable Instant createdAt(JsonNode body) {
    return FeishuEvents.millis(body.path("header").path("create_time").asString(""));
  }

  private static Answer greeted(JsonNode body) {
    return body.path("challenge").isString()
        ? Answer.Genuine.only(
            Reply.json(Json.write(Map.of("challenge", body.path("challenge").asString("")))))
        : new Answer.Malformed("a challenge without a challenge");
  }
}
