package dev.postrider.channels.matrix;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fetches files from the homeserver, which has them or gets them from another one. It may send us
 * on to where it stores them; nobody there is shown the token.
 */
record MatrixInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final Pattern MXC =
      Pattern.compile("mxc://(?<server>[\\w.:\\[\\]-]+)/(?<id>[\\w-]+)");

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String id = message.media().get(index).id();
    Matcher mxc = MXC.matcher(id == null ? "" : id);
    if (!mxc.matches()) {
      throw new Unavailable(Why.GONE, "the file has no address such as mxc://server/id");
    }
    Settings settings = Settings.of(account);
    String token = settings.required("token");
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(token), media);
    String path = mxc.group("server") + "/" + mxc.group("id");
    return switch (fetch.get(call(settings, "client/v1/media/download/" + path).bearer(token))) {
      case FileAnswer.Found found -> found.file();
      case FileAnswer.Other(HttpResult.Response response) when isOldServer(response) ->
          // Before 1.11 there was only this way, which asks for no token.
          fetch.open(call(settings, "media/v3/download/" + path), "the homeserver");
      case FileAnswer.Other(HttpResult.Response response) when isSentOn(response) ->
          fetch.openElsewhere(onward(settings, response));
      case FileAnswer.Other(HttpResult.Response response) ->
          throw InboundFetch.refusal(response, "the homeserver");
    };
  }

  private static HttpCall call(Settings settings, String path) {
    String base = settings.requiredWeb("baseUrl", "https://matrix.org");
    return HttpCall.get(
        URI.create(base + "/_matrix/" + path.replace("[", "%5B").replace("]", "%5D")));
  }

  private static boolean isOldServer(HttpResult.Response response) {
    return response.status() == 404 && response.body().contains("M_UNRECOGNIZED");
  }

  private static boolean isSentOn(HttpResult.Response response) {
    return response.status() / 100 == 3 && response.headers().containsKey("location");
  }

  private static String onward(Settings settings, HttpResult.Response response) throws Unavailable {
    try {
      String base = settings.requiredWeb("baseUrl", "https://matrix.org");
      return URI.create(base + "/").resolve(response.headers().get("location")).toString();
    } catch (IllegalArgumentException e) {
      throw new Unavailable(Why.REFUSED, "the homeserver sends us to what is not an address");
    }
  }
}
