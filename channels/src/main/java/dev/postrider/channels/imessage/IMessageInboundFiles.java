package dev.postrider.channels.imessage;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Opens files where Messages keeps them on this Mac, and nowhere else.
 *
 * @param folder where Messages keeps files
 */
record IMessageInboundFiles(Path folder) implements InboundFiles {
  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String named = message.media().get(index).id();
    if (named == null) {
      throw new Unavailable(Why.GONE, "imsg has not said where the file is");
    }
    Path file;
    try {
      String home = System.getProperty("user.home", "");
      file = Path.of(named.startsWith("~/") ? home + named.substring(1) : named).toRealPath();
    } catch (IOException | InvalidPathException e) {
      throw new Unavailable(Why.GONE, "the file is not on this Mac, or not downloaded yet");
    }
    if (!Files.isDirectory(folder)
        || !file.startsWith(folder.toRealPath())
        || !Files.isRegularFile(file)) {
      throw new Unavailable(Why.REFUSED, "the file is not among those that Messages keeps");
    }
    return new Opened(Files.newInputStream(file), Files.size(file));
  }
}
