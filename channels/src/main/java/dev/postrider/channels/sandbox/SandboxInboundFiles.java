package dev.postrider.channels.sandbox;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Gives files back that came with their bytes; fetches those that came as an address. */
record SandboxInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final String MARK = ";base64,";

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String url = message.media().get(index).url();
    if (url == null || !isData(url)) {
      return new InboundFetch(Settings.of(account), Secrets.of(), media).openElsewhere(url);
    }
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(url.substring(end(url) + MARK.length()));
      return new Opened(new ByteArrayInputStream(bytes), bytes.length);
    } catch (IllegalArgumentException e) {
      throw new Unavailable(Why.REFUSED, "the data URI is not Base64");
    }
  }

  private static boolean isData(String url) {
    return url.startsWith("data:") && end(url) > 0;
  }

  private static int end(String url) {
    return url.indexOf(MARK);
  }

  /** What a data URI says it is; null if it is none, or says nothing. */
  static @Nullable String type(String url) {
    String type = isData(url) ? url.substring("data:".length(), end(url)) : "";
    return type.isEmpty() ? null : type;
  }
}
