package dev.postrider.channels.slack;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fetches files from Slack with the bot's token; files that are not Slack's, without it. */
record SlackInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final Set<String> HOSTS = Set.of("slack.com", "slack-files.com");

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    InboundMessage.File file = message.media().get(index);
    Settings settings = Settings.of(account);
    String token = settings.required("token");
    InboundFetch fetch = new InboundFetch(settings, Secrets.of(token), media);
    URI own = InboundFetch.own(file.url(), settings.web("baseUrl", SlackApi.HOME), HOSTS);
    if (own == null) {
      return fetch.openElsewhere(file.url());
    }
    return switch (fetch.get(HttpCall.get(own).bearer(token))) {
      case FileAnswer.Found found -> {
        if (isSignIn(found.type(), file.type())) {
          found.file().close();
          throw signIn();
        }
        yield found.file();
      }
      case FileAnswer.Other(HttpResult.Response response) when response.status() / 100 == 3 ->
          throw signIn();
      case FileAnswer.Other(HttpResult.Response response) ->
          throw InboundFetch.refusal(response, "Slack");
    };
  }

  /** Whoever may not see a file is shown a page instead, with status 200. */
  private static boolean isSignIn(String type, @Nullable String wanted) {
    return type.startsWith("text/html") && !"text/html".equals(wanted);
  }

  private static Unavailable signIn() {
    return new Unavailable(
        Why.REFUSED,
        "Slack asks to sign in: the app needs the scope files:read, and must be in"
            + " the channel");
  }
}
