package dev.postrider.sqlite.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a database and the files beside it from everybody but their owner: 0600 in a folder of
 * 0700. What is wider at the start, from an earlier version or a careless copy, is narrowed.
 *
 * <p>A folder that holds other things too, such as {@code /tmp}, is not ours to close: it stays as
 * it is, and the files alone are narrowed. Where there are no such permissions (Windows), nothing
 * is done.
 */
public final class OwnersOnly {
  private static final Logger log = LoggerFactory.getLogger(OwnersOnly.class);
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> FOLDER_MODE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-------");

  /** SQLite gives the files it makes beside a database the permissions of the database. */
  private static final List<String> BESIDE = List.of("", "-wal", "-shm", "-journal", ".lock");

  public static final String MEDIA = "-media";
  public static final FileAttribute<?>[] FOLDER = attribute(FOLDER_MODE);
  public static final FileAttribute<?>[] FILE = attribute(FILE_MODE);

  private OwnersOnly() {}

  private static FileAttribute<?>[] attribute(Set<PosixFilePermission> mode) {
    return POSIX
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
        : new FileAttribute<?>[0];
  }

  /**
   * Makes the database's file if there is none, since SQLite would make one that others can read,
   * and narrows what is there. The caller holds the lock of the database.
   */
  public static void protect(Path database) throws IOException {
    if (!Files.exists(database)) {
      FileChannel.open(database, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), FILE)
          .close();
    }
    Path real = database.toRealPath(); // by whatever link it was named
    String name = real.getFileName().toString();
    for (String end : BESIDE) {
      narrow(real.resolveSibling(name + end), FILE_MODE);
    }
    narrow(real.resolveSibling(name + MEDIA), FOLDER_MODE);
    Path folder = real.resolveSibling("");
    if (holdsNothingElse(folder, name)) {
      narrow(folder, FOLDER_MODE);
    }
  }

  private static boolean holdsNothingElse(Path folder, String name) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.allMatch(file -> file.getFileName().toString().startsWith(name));
    } catch (IOException | UncheckedIOException e) {
      return false; // whoever keeps us from looking into it, it is his
    }
  }

  private static void narrow(Path path, Set<PosixFilePermission> mode) {
    if (!POSIX || !Files.exists(path)) {
      return;
    }
    try {
      Set<PosixFilePermission> found = Files.getPosixFilePermissions(path);
      if (!mode.containsAll(found)) {
        Files.setPosixFilePermissions(path, mode);
        log.warn(
            "{} was open to others ({}); now only its owner may use it",
            path,
            PosixFilePermissions.toString(found));
      }
    } catch (IOException e) {
      log.warn("{} is open to others and cannot be closed to them: {}", path, e.toString());
    }
  }
}
