package dev.postrider.channels.imessage;

import dev.postrider.channel.PartFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A part's file under its own name, where {@code imsg} can copy it from. */
record StagedFile(Path path) implements AutoCloseable {

  static StagedFile of(PartFile file) throws IOException {
    Path folder = Files.createTempDirectory("postrider-imessage");
    StagedFile staged = new StagedFile(folder.resolve(IMessageRequest.filename(file.attachment())));
    try (InputStream bytes =
        Objects.requireNonNull(file.bytes(), "imsg gets every file as bytes").open()) {
      Files.copy(bytes, staged.path);
      return staged;
    } catch (IOException | RuntimeException e) {
      staged.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
    Files.deleteIfExists(Objects.requireNonNull(path.getParent()));
  }
}
