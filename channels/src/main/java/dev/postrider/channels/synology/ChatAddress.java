package dev.postrider.channels.synology;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.Settings;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.WebForm;
import dev.postrider.config.AccountConfig;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where and as whom an account posts: to the one channel behind an incoming webhook, or as a bot to
 * people.
 *
 * @param webapi the NAS's {@code …/webapi/}
 */
record ChatAddress(URI webapi, String token, boolean bot) {
  private static final String API = "SYNO.Chat.External";
  private static final String EXAMPLE = "https://nas.example.org:5001";
  private static final String WAYS =
      "give webhookUrl for an incoming webhook, or baseUrl and token for a bot";

  /** Whether it is a bot; refuses one that is a webhook, too, and one that is neither. */
  static boolean isBot(Settings settings) {
    boolean webhook = !settings.text("webhookUrl", "").isBlank();
    boolean bot = !settings.text("token", "").isBlank();
    if (webhook == bot) {
      throw settings.wrong(
          "webhookUrl", "and token are " + (bot ? "both set" : "both missing") + "; " + WAYS);
    }
    return bot;
  }

  static ChatAddress of(Settings settings) {
    return isBot(settings)
        ? new ChatAddress(
            URI.create(settings.requiredWeb("baseUrl", EXAMPLE) + "/webapi/"),
            unquoted(settings.required("token")),
            true)
        : ofWebhook(settings);
  }

  /** The address as Chat shows it, in which the token stands between quotation marks. */
  private static ChatAddress ofWebhook(Settings settings) {
    URI uri = WebAddress.of(settings.required("webhookUrl").strip().replace("\"", "%22"));
    Map<String, String> query = query(uri);
    if (uri == null
        || !uri.getPath().endsWith("/webapi/entry.cgi")
        || !API.equals(query.get("api"))
        || unquoted(query.getOrDefault("token", "")).isEmpty()) {
      throw settings.wrong(
          "webhookUrl",
          "is not the address that Chat shows for an incoming webhook, as "
              + EXAMPLE
              + "/webapi/entry.cgi?api=SYNO.Chat.External&method=incoming&version=2&token=%22…%22");
    }
    if (!"incoming".equals(query.get("method"))) {
      throw settings.wrong(
          "webhookUrl",
          "is a bot's, or none of an incoming webhook; for a bot give baseUrl and token");
    }
    return new ChatAddress(uri.resolve("./"), unquoted(query.getOrDefault("token", "")), false);
  }

  private static Map<String, String> query(@Nullable URI uri) {
    return uri == null || uri.getRawQuery() == null ? Map.of() : WebForm.read(uri.getRawQuery());
  }

  /** People copy the quotation marks of the address along. */
  static String unquoted(String token) {
    return token.strip().replace("%22", "").replace("\"", "");
  }

  /** The NAS, however its services are called; null if the settings do not say. */
  static @Nullable String nas(AccountConfig account) {
    String address = account.text("webhookUrl", account.text("baseUrl", ""));
    URI uri = WebAddress.of(address.strip().replace("\"", "%22"));
    return uri == null ? null : uri.getHost().toLowerCase(Locale.ROOT);
  }

  String host() {
    return webapi.getHost();
  }

  /** Where a method of Chat's API is called. */
  URI method(String method) {
    return webapi.resolve(
        "entry.cgi?api=%s&method=%s&version=2&token=%%22%s%%22"
            .formatted(API, method, URLEncoder.encode(token, UTF_8)));
  }

  /** Where the NAS says which calls it knows; it tells everybody. */
  URI knownCalls() {
    return webapi.resolve("query.cgi?api=SYNO.API.Info&version=1&method=query&query=" + API);
  }

  @Override
  public String toString() {
    return (bot ? "a bot on " : "a webhook on ") + host();
  }
}
