package dev.postrider.channels.googlechat;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;

/**
 * Fetches files that people uploaded, with a token of the app; files on Drive are not the app's.
 */
record GoogleChatInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final String WHO = "Google Chat";

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String name = message.media().get(index).id();
    if (name == null) {
      throw new Unavailable(
          Why.REFUSED,
          "the file is not in Google Chat but on Google Drive, where the app is a stranger");
    }
    if (!name.matches("[\\w/=+.-]+") || name.contains("..")) {
      throw new Unavailable(Why.GONE, "Google Chat has not said what the file is called");
    }
    Settings settings = Settings.of(account);
    ServiceAccount service = ServiceAccount.of(settings);
    URI file = URI.create(GoogleChatLink.base(settings) + "media/" + name + "?alt=media");
    return new InboundFetch(settings, service.secrets(), media)
        .open(HttpCall.get(file).bearer(token(settings, service)), WHO);
  }

  /** For one download: they are rare beside the life of a token. */
  private static String token(Settings settings, ServiceAccount service) throws Unavailable {
    try (HttpSender http = HttpSender.of(settings, service.secrets())) {
      return switch (new GoogleToken(service, http, InstantSource.system()).get()) {
        case TokenSource.Result.Good(TokenSource.Token token) -> token.value();
        case TokenSource.Result.Failed(Outcome.AccountBroken(String cause)) ->
            throw new Unavailable(Why.REFUSED, cause);
        case TokenSource.Result.Failed(Outcome outcome) ->
            throw new Unavailable(Why.UNREACHABLE, "no access token: " + outcome.label());
      };
    }
  }
}
