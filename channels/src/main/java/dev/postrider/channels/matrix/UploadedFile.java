package dev.postrider.channels.matrix;

import dev.postrider.channel.FileHandle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file on the homeserver, as the engine remembers it: its address and, of a picture, its size,
 * which is read when the bytes are at hand and told when they no longer are.
 */
record UploadedFile(String uri, @Nullable ImageSize size) {
  private static final Pattern SIZED = Pattern.compile("(\\S+) (\\d{1,9})x(\\d{1,9})");

  static UploadedFile of(FileHandle handle) {
    Matcher sized = SIZED.matcher(handle.value());
    return sized.matches()
        ? new UploadedFile(
            sized.group(1),
            new ImageSize(Integer.parseInt(sized.group(2)), Integer.parseInt(sized.group(3))))
        : new UploadedFile(handle.value(), null);
  }

  FileHandle handle() {
    return FileHandle.of(size == null ? uri : uri + " " + size.width() + "x" + size.height());
  }
}
