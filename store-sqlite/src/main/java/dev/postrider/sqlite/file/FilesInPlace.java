package dev.postrider.sqlite.file;

import dev.postrider.store.failure.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Looks before each commit whether the files that are written are still those that the next start
 * will find. The operating system lets a program go on writing to a file that was deleted or moved
 * away: all that was acknowledged then would be gone with the process.
 */
public final class FilesInPlace implements WriteTransaction.Around {
  private final List<Path> files;
  private final Map<Path, Object> keys = new HashMap<>();

  private FilesInPlace(List<Path> files) {
    this.files = files;
  }

  /** The database, its log and its lock. */
  public static FilesInPlace of(Path database) throws IOException {
    Path file = database.toRealPath();
    return new FilesInPlace(List.of(file, beside(file, "-wal"), beside(file, ProcessLock.SUFFIX)));
  }

  /** Nothing that could be lost. */
  public static FilesInPlace none() {
    return new FilesInPlace(List.of());
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  @Override
  public void beforeCommit() {
    for (Path file : files) {
      Object key = key(file);
      Object first = keys.putIfAbsent(file, key);
      if (first != null && !first.equals(key)) {
        throw new StoreUnavailable(said(file, "was replaced"));
      }
    }
  }

  /** What tells a file from another one that has its name. */
  private static Object key(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return Objects.requireNonNullElse(attributes.fileKey(), file); // Windows knows none
    } catch (IOException e) {
      throw new StoreUnavailable(said(file, "is not there any more"), e);
    }
  }

  private static String said(Path file, String what) {
    return file + " " + what + " while it is in use; put the very file back, or stop the server";
  }

  @Override
  public void committed() {}

  @Override
  public void rolledBack() {}
}
