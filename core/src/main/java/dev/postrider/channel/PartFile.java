package dev.postrider.channel;

import dev.postrider.message.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One file of a part at the moment of sending, in the form the platform is to get it: a handle it
 * gave before, else the bytes, else the address for it to fetch.
 *
 * @param attachment the file as planned; its kind, type and size are those of the bytes, once known
 * @param handle what the platform calls the bytes, which it has
 * @param bytes what to upload; null with a handle, or if the platform fetches the address itself
 */
public record PartFile(Attachment attachment, @Nullable FileHandle handle, @Nullable Bytes bytes) {

  /** The least that is expected of a line to a platform. */
  private static final long BYTES_PER_SECOND = 256 << 10;

  /** How much longer a request may take because of the bytes it brings. */
  public static Duration allowance(List<PartFile> files) {
    long bytes = 0;
    for (PartFile file : files) {
      bytes += file.bytes == null ? 0 : file.bytes.size();
    }
    return allowance(bytes);
  }

  public static Duration allowance(long bytes) {
    return Duration.ofSeconds(bytes / BYTES_PER_SECOND);
  }

  /** Bytes at hand. They can be read more than once. */
  public interface Bytes {
    long size();

    InputStream open() throws IOException;
  }
}
