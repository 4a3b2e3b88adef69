package dev.postrider.channels.msteams;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Fetches pictures from the Bot Connector with the bot's token, and other files from where people
 * keep them: an address that is good for some minutes, and wants no token.
 */
final class TeamsInboundFiles implements InboundFiles {
  private final Settings settings;
  private final MediaSettings media;
  private final TokenSource tokens;

  TeamsInboundFiles(AccountConfig account, MediaSettings media) {
    this.settings = Settings.of(account);
    this.media = media;
    this.tokens = BotToken.source(settings, this::ask, InstantSource.system());
  }

  private HttpResult ask(HttpCall call) {
    try (HttpSender http = HttpSender.of(settings, Secrets.of(settings.required("appPassword")))) {
      return http.send(call);
    }
  }

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String url = message.media().get(index).url();
    URI own = InboundFetch.own(url, ConnectorApi.home(settings), ConnectorApi.hosts(settings));
    if (own == null) {
      return new InboundFetch(settings, Secrets.of(), media).openElsewhere(url);
    }
    String token = token();
    InboundFetch fetch =
        new InboundFetch(settings, Secrets.of(settings.required("appPassword")), media);
    return switch (fetch.get(HttpCall.get(own).bearer(token))) {
      case FileAnswer.Found found -> found.file();
      case FileAnswer.Other(HttpResult.Response response) -> {
        if (response.status() == 401) {
          tokens.refused(token); // whoever asks again gets another one
        }
        throw InboundFetch.refusal(response, "Teams");
      }
    };
  }

  private String token() throws Unavailable {
    return switch (tokens.get()) {
      case TokenSource.Result.Good(TokenSource.Token token) -> token.value();
      case TokenSource.Result.Failed(Outcome.AccountBroken(String cause)) ->
          throw new Unavailable(Why.REFUSED, cause);
      case TokenSource.Result.Failed _ ->
          throw new Unavailable(Why.UNREACHABLE, "Entra ID gives no access token at the moment");
    };
  }
}
