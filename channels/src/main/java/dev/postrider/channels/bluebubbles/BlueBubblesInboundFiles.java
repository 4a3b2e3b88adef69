package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;

/** Fetches files from the Mac by their guid, with the password. */
record BlueBubblesInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String guid = message.media().get(index).id();
    if (guid == null) {
      throw new Unavailable(Why.GONE, "BlueBubbles has not said what it calls the file");
    }
    Settings settings = Settings.of(account);
    String path = "/attachment/" + BlueBubblesApi.encoded(guid) + "/download?original=true";
    return new InboundFetch(settings, BlueBubblesLink.secrets(settings), media)
        .open(
            HttpCall.get(
                BlueBubblesApi.address(
                    BlueBubblesApi.site(settings), settings.required("password"), path)),
            "BlueBubbles");
  }
}
