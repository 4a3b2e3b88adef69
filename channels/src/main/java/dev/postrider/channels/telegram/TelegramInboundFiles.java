package dev.postrider.channels.telegram;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks Telegram where a file is, and fetches it there; the token is part of both addresses. */
record TelegramInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  /** A path on Telegram's server; what is one on a disk, or leads elsewhere, is not. */
  private static final Pattern PATH = Pattern.compile("[\\w-]+(\\.?[\\w/-]+)*");

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String id = message.media().get(index).id();
    if (id == null) {
      throw new Unavailable(Why.GONE, "Telegram has not said what the file is called");
    }
    Settings settings = Settings.of(account);
    InboundFetch fetch = new InboundFetch(settings, TelegramLink.secrets(settings), media);
    URI question = TelegramLink.uri(settings, "/bot", "getFile");
    HttpResult.Response answer = fetch.ask(HttpCall.post(question).json(Map.of("file_id", id)));
    JsonNode body = Json.readObject(answer.body());
    if (answer.status() != 200 || body == null || !body.path("ok").asBoolean(false)) {
      throw refusal(answer, body);
    }
    String path = body.path("result").path("file_path").asString("");
    if (!PATH.matcher(path).matches()) {
      throw new Unavailable(
          Why.REFUSED,
          path.startsWith("/")
              ? "the Bot API server runs with --local: it names a file on its own disk"
              : "Telegram has not said where the file is");
    }
    return fetch.open(HttpCall.get(TelegramLink.uri(settings, "/file/bot", path)), "Telegram");
  }

  private static Unavailable refusal(HttpResult.Response answer, @Nullable JsonNode body) {
    String said = body == null ? "" : body.path("description").asString("");
    if (said.contains("file is too big")) {
      return new Unavailable(Why.REFUSED, "Telegram gives bots no file of more than 20 MB");
    }
    if (said.contains("wrong file_id") || said.contains("invalid file_id")) {
      return new Unavailable(Why.GONE, "Telegram does not know the file (any more): " + said);
    }
    return InboundFetch.refusal(answer, "Telegram");
  }
}
