package dev.postrider.channels.nextcloud;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Hmac;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import java.net.URI;
import java.util.HexFormat;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Talk's API on one server, as one bot sees it. Thread-safe. */
final class NextcloudApi {
  /** What Talk's own examples send; it wants 32 characters at least. */
  private static final int RANDOM_BYTES = 32;

  private static final String EXAMPLE = "https://cloud.example.org";

  private final HttpSender http;
  private final String base;
  private final String secret;
  private final RandomGenerator random;

  NextcloudApi(HttpSender http, Settings settings, RandomGenerator random) {
    this.http = http;
    this.base = base(settings);
    this.secret = secret(settings);
    this.random = random;
  }

  static String base(Settings settings) {
    return settings.requiredWeb("baseUrl", EXAMPLE).replaceFirst("/index\\.php$", "");
  }

  static String secret(Settings settings) {
    String secret = settings.text("secret", settings.text("webhookSecret", ""));
    if (secret.isBlank()) {
      throw settings.wrong("secret", "is missing: the one that occ talk:bot:install was given");
    }
    return secret;
  }

  /** Posts a message. What is signed is its text, and not the request. */
  HttpResult post(String conversation, Map<String, @Nullable Object> message) {
    return bot(conversation + "/message", String.valueOf(message.get("message")), message);
  }

  /**
   * Reacts to a message that cannot exist. Nobody sees anything, but first Talk checks whether this
   * bot may post in the conversation.
   */
  HttpResult reactToNothing(String conversation) {
    String reaction = "👍";
    return bot(conversation + "/reaction/0", reaction, Map.of("reaction", reaction));
  }

  /** Asks for the bot's features, which is possible even without any; since Talk 25. */
  HttpResult features(String conversation) {
    return bot("ask-features", conversation, Map.of("token", conversation));
  }

  private HttpResult bot(String path, String signed, Map<String, ? extends @Nullable Object> body) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String once = HexFormat.of().formatHex(bytes);
    String signature = sign(secret, once, signed.getBytes(UTF_8));
    return http.send(
        ocs(HttpCall.post(URI.create(base + "/ocs/v2.php/apps/spreed/api/v1/bot/" + path)))
            .header("X-Nextcloud-Talk-Bot-Random", once)
            .header("X-Nextcloud-Talk-Bot-Signature", signature)
            .json(body));
  }

  /** What the server can do; it tells everybody. */
  HttpResult capabilities() {
    return http.send(ocs(HttpCall.get(URI.create(base + "/ocs/v2.php/cloud/capabilities"))));
  }

  /** Without this Nextcloud takes a call for a forged one, and answers in XML. */
  static HttpCall ocs(HttpCall call) {
    return call.header("OCS-APIRequest", "true").header("Accept", "application/json");
  }

  /** The same both ways, but for what is signed. */
  static String sign(String secret, String random, byte[] signed) {
    return HexFormat.of()
        .formatHex(Hmac.sha256(secret.getBytes(UTF_8), random.getBytes(UTF_8), signed));
  }
}
