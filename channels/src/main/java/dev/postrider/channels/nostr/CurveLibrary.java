package dev.postrider.channels.nostr;

import fr.acinq.secp256k1.Secp256k1;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads libsecp256k1 when it is first needed. Its binding keeps it in its jar and copies it to a
 * file to load it. A process that is killed would leave the copy behind, so it is deleted as soon
 * as it is loaded: where a file can be deleted while it is in use, nothing is ever left. What
 * earlier processes left is removed too, once it is old enough to be nobody's who is just starting.
 */
final class CurveLibrary {
  private static final Logger log = LoggerFactory.getLogger(CurveLibrary.class);
  private static final String FOLDER = "fr.acinq.secp256k1.tmpdir";
  private static final String OURS = "postrider-secp256k1-";

  /** As the binding names its copies, and the marks beside them. */
  private static final Pattern COPY =
      Pattern.compile("secp256k1-[0-9a-f-]{36}-(lib)?secp256k1-jni\\.(so|dylib|dll)(\\.lck)?");

  private static final Duration STARTING = Duration.ofHours(1);

  private CurveLibrary() {}

  /** Loaded once for the process, by whoever comes first. */
  private static final class Loaded {
    static final Secp256k1 CURVE = load();
  }

  static Secp256k1 curve() {
    return Loaded.CURVE;
  }

  private static Secp256k1 load() {
    Path own = System.getProperty(FOLDER) == null ? ownFolder() : null;
    if (own == null) {
      return Secp256k1.get(); // whoever names a folder looks after it
    }
    System.setProperty(FOLDER, own.toString());
    try {
      return Secp256k1.get();
    } finally {
      System.clearProperty(FOLDER);
      delete(own);
    }
  }

  private static @Nullable Path ownFolder() {
    Path shared = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      removeLeftovers(shared);
      return Files.createTempDirectory(shared, OURS); // of this user alone
    } catch (IOException e) {
      log.debug("No folder for libsecp256k1: {}", e.toString());
      return null;
    }
  }

  private static void removeLeftovers(Path shared) {
    FileTime young = FileTime.from(Instant.now().minus(STARTING));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shared, "*secp256k1-*")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if ((name.startsWith(OURS) || COPY.matcher(name).matches())
            && Files.getLastModifiedTime(file).compareTo(young) < 0) {
          delete(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) { // perhaps another process was quicker
      log.debug("Leftovers of libsecp256k1 stay: {}", e.toString());
    }
  }

  /** A file, or a folder of files; what cannot be deleted stays. */
  private static void delete(Path file) {
    try {
      if (Files.isDirectory(file)) {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(file)) {
          inside.forEach(CurveLibrary::delete);
        }
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.debug("{} stays: {}", file, e.toString());
    }
  }
}
