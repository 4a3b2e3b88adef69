package dev.postrider.channels.mattermost;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;

/** Fetches files from Mattermost by their id, with the token. */
record MattermostInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    if (MattermostChannel.isWebhook(account)) {
      throw new Unavailable(
          Why.REFUSED, "an incoming webhook can fetch nothing; give the account baseUrl and token");
    }
    String id = message.media().get(index).id();
    if (id == null || !MattermostRequest.isId(id)) {
      throw new Unavailable(Why.GONE, "Mattermost has not said what it calls the file");
    }
    Settings settings = Settings.of(account);
    String token = settings.required("token");
    return new InboundFetch(settings, Secrets.of(token), media)
        .open(
            HttpCall.get(MattermostApi.address(MattermostApi.site(settings), "/files/" + id))
                .bearer(token),
            "Mattermost");
  }
}
