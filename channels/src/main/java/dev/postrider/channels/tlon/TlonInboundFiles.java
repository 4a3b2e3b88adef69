package dev.postrider.channels.tlon;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;

/** Fetches pictures from where their senders have put them, as a stranger would. */
record TlonInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    return new InboundFetch(Settings.of(account), Secrets.of(), media)
        .openElsewhere(message.media().get(index).url());
  }
}
