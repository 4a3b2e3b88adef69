package dev.postrider.channels.line;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Fetches what people send from LINE, by the id of the message, with the account's token. What is
 * elsewhere is fetched there, without it.
 */
record LineInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final String WHO = "LINE";

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    InboundMessage.File file = message.media().get(index);
    Settings settings = Settings.of(account);
    String id = file.id();
    if (id == null) {
      return new InboundFetch(settings, Secrets.of(), media).openElsewhere(file.url());
    }
    if (!id.matches("\\w+")) {
      throw new Unavailable(Why.GONE, "LINE has not said what the file is called");
    }
    String token = token(settings);
    String data = settings.web("dataUrl", settings.text("baseUrl", "https://api-data.line.me"));
    URI content = URI.create(data + "/v2/bot/message/" + id + "/content");
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(), media);
    return switch (fetch.get(HttpCall.get(content).bearer(token))) {
      case FileAnswer.Found found -> found.file();
      case FileAnswer.Other(var answer) when answer.status() == 202 ->
          throw new Unavailable(Why.UNREACHABLE, "LINE is still preparing the file; ask later");
      case FileAnswer.Other(var answer) -> throw InboundFetch.refusal(answer, WHO);
    };
  }

  private static String token(Settings settings) throws Unavailable {
    try (LineApi api = new LineApi(settings, InstantSource.system())) {
      return switch (api.token()) {
        case TokenSource.Result.Good(var token) -> token.value();
        case TokenSource.Result.Failed(Outcome.AccountBroken(String cause)) ->
            throw new Unavailable(Why.REFUSED, cause);
        case TokenSource.Result.Failed failed ->
            throw new Unavailable(Why.UNREACHABLE, "no token: " + failed.outcome().label());
      };
    }
  }
}
