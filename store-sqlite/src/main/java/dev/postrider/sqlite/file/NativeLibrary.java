package dev.postrider.sqlite.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite, which the driver keeps in its jar and copies to a file to load it. A process that
 * is killed would leave the copy behind, so it is deleted as soon as it is loaded: where a file can
 * be deleted while it is in use, nothing is ever left. What earlier processes left is removed too,
 * once it is old enough to be nobody's who is just starting.
 */
public final class NativeLibrary {
  private static final Logger log = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String FOLDER = "org.sqlite.tmpdir";
  private static final String OURS = "postrider-sqlite-";

  /** As the driver names its copies, and the marks beside them. */
  private static final Pattern COPY =
      Pattern.compile(
          "sqlite-[\\w.]+-[0-9a-f-]{36}-(lib)?sqlitejdbc\\.(so|dylib|jnilib|dll)(\\.lck)?");

  private static final Duration STARTING = Duration.ofHours(1);

  private static boolean loaded;

  private NativeLibrary() {}

  /** Loads it, once for the process. */
  public static synchronized void load() {
    if (loaded || System.getProperty(FOLDER) != null) {
      return; // whoever names a folder looks after it
    }
    loaded = true;
    Path shared = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      removeLeftovers(shared);
      Path own = Files.createTempDirectory(shared, OURS); // of this user alone
      System.setProperty(FOLDER, own.toString());
      try {
        SQLiteJDBCLoader.initialize();
      } finally {
        System.clearProperty(FOLDER);
        delete(own);
      }
    } catch (Exception e) {
      log.debug("SQLite will be loaded when it is needed: {}", e.toString());
    }
  }

  private static void removeLeftovers(Path shared) throws IOException {
    FileTime young = FileTime.from(Instant.now().minus(STARTING));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shared)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        boolean folder = name.startsWith(OURS);
        if ((folder || COPY.matcher(name).matches())
            && Files.getLastModifiedTime(file).compareTo(young) < 0) {
          delete(file);
        }
      }
    }
  }

  /** A file, or a folder of files; what cannot be deleted stays. */
  private static void delete(Path file) {
    try {
      if (Files.isDirectory(file)) {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(file)) {
          inside.forEach(NativeLibrary::delete);
        }
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.debug("{} stays: {}", file, e.toString());
    }
  }
}
