package dev.postrider.channels.nextcloud;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/**
 * Fetches a file as the account's user, if it has one: a bot cannot. Nextcloud is asked for an
 * address that is good for some hours, since nobody tells where in the user's folders the file is.
 */
record NextcloudInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final String WHO = "Nextcloud";

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String id = message.media().get(index).id();
    if (id == null || !id.matches("\\d{1,18}")) {
      throw new Unavailable(Why.GONE, "Nextcloud has not said what the file is called");
    }
    Settings settings = Settings.of(account);
    UserLogin user = UserLogin.of(settings);
    if (user == null) {
      throw new Unavailable(
          Why.REFUSED,
          "a bot of Talk cannot fetch files; set user and appPassword of somebody who is in the"
              + " conversation");
    }
    InboundFetch fetch = new InboundFetch(settings, NextcloudLink.secrets(settings, user), media);
    String base = NextcloudApi.base(settings);
    HttpResult.Response answer =
        fetch.ask(
            user.on(HttpCall.post(URI.create(base + "/ocs/v2.php/apps/dav/api/v1/direct")))
                .fields(Map.of("fileId", id)));
    OcsAnswer told = OcsAnswer.of(answer);
    if (told == null || told.status() != 200) {
      throw InboundFetch.refusal(answer, WHO);
    }
    URI file = InboundFetch.own(told.data().path("url").asString(""), base, Set.of());
    if (file == null) {
      throw new Unavailable(Why.REFUSED, "Nextcloud names an address that is not its own");
    }
    return fetch.open(HttpCall.get(file), WHO);
  }
}
