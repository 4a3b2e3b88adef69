package dev.postrider.channels;

import dev.postrider.channel.PartFile;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A file whose readings are counted. */
public record CountedFile(String text, AtomicInteger reads) implements PartFile.Bytes {
  public CountedFile(String text) {
    this(text, new AtomicInteger());
  }

  /** As a part has it that one of many chats gets. */
  public PartFile inCustody() {
    Attachment file =
        new Attachment(
            "media:x", MediaKind.DOCUMENT, "x.txt", "text/plain", text.length(), false, false);
    return new PartFile(file.held("ab".repeat(32)), null, this);
  }

  @Override
  public long size() {
    return text.length();
  }

  @Override
  public InputStream open() {
    reads.incrementAndGet();
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }
}
