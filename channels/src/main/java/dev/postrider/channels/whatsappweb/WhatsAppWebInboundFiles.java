package dev.postrider.channels.whatsappweb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Fetches files from the bridge, which alone is shown our key. */
record WhatsAppWebInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    Settings settings = Settings.of(account);
    InboundMessage.File file = message.media().get(index);
    return WhatsAppWebChannel.isGowa(settings)
        ? fromGowa(settings, message, file)
        : fromWaha(settings, file);
  }

  /**
   * WAHA names its files by the address that it has for itself, which need not be the one that we
   * reach it by.
   */
  private Opened fromWaha(Settings settings, InboundMessage.File file) throws IOException {
    String base = settings.web("baseUrl", WahaBridge.USUAL);
    String key = settings.required("apiKey");
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(key), media);
    String url = file.url();
    int path = url == null ? -1 : url.indexOf("/api/files/");
    URI own =
        InboundFetch.own(
            path < 0 || url == null ? url : base + url.substring(path), base, Set.of());
    return own == null
        ? fetch.openElsewhere(url)
        : fetch.open(HttpCall.get(own).header("X-Api-Key", key), "WAHA");
  }

  private Opened fromGowa(Settings settings, InboundMessage message, InboundMessage.File file)
      throws IOException {
    String base = settings.web("baseUrl", WahaBridge.USUAL);
    InboundFetch fetch =
        new InboundFetch(settings, Secrets.of(settings.text("password", "")), media);
    String path = file.id() == null ? download(settings, fetch, base, message) : file.id();
    if (path == null || !path.matches("[\\w./@ -]+") || path.contains("..")) {
      throw new Unavailable(Why.GONE, "GOWA has not said where the file is");
    }
    URI uri = URI.create(base + "/" + path.replaceFirst("^/", "").replace(" ", "%20"));
    return fetch.open(signed(settings, HttpCall.get(uri)), "GOWA");
  }

  /** Makes GOWA fetch what it has not fetched by itself. */
  private static @Nullable String download(
      Settings settings, InboundFetch fetch, String base, InboundMessage message)
      throws IOException {
    String id = message.messageId();
    if (id == null || !id.matches("\\w+")) {
      return null;
    }
    String phone = URLEncoder.encode(Jid.onWire(message.chat()), UTF_8);
    URI uri = URI.create(base + "/message/" + id + "/download?phone=" + phone);
    HttpResult.Response answer = fetch.ask(signed(settings, HttpCall.get(uri)));
    JsonNode body = Json.readObject(answer.body());
    if (answer.status() != 200 || body == null) {
      throw InboundFetch.refusal(answer, "GOWA");
    }
    return Json.text(body.path("results"), "file_path");
  }

  private static HttpCall signed(Settings settings, HttpCall call) {
    return GowaBridge.signed(call, GowaBridge.authorization(settings), GowaBridge.device(settings));
  }
}
