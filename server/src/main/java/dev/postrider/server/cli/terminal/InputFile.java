package dev.postrider.server.cli.terminal;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command is given to read. */
public final class InputFile {
  private InputFile() {}

  /** Refuses what cannot be read, before anything else is done; a pipe will do. */
  public static Path checked(Path file) {
    if (!Files.exists(file)) {
      throw Failure.usage("'" + file + "' does not exist.");
    }
    if (Files.isDirectory(file)) {
      throw Failure.usage("'" + file + "' is a folder, not a file.");
    }
    if (!Files.isReadable(file)) {
      throw Failure.usage("'" + file + "' must not be read by you; look at its permissions.");
    }
    return file;
  }
}
