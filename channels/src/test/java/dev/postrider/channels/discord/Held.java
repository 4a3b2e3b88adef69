package dev.postrider.channels.discord;

import dev.postrider.channel.PartFile;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Bytes at hand. */
record Held(byte[] content) implements PartFile.Bytes {

  static PartFile file(String name, String type, int size) {
    Attachment file =
        new Attachment(
            "media:" + "0".repeat(64), MediaKind.DOCUMENT, name, type, size, false, false);
    return new PartFile(file, null, new Held(new byte[size]));
  }

  @Override
  public long size() {
    return content.length;
  }

  @Override
  public InputStream open() {
    return new ByteArrayInputStream(content);
  }
}
