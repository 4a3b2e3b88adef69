package dev.postrider.sqlite;

import dev.postrider.config.ClusterSettings;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * An empty database with its tables, made once per test process and copied from then on: hundreds
 * of tests begin with one.
 */
final class EmptyDatabase {
  private static final byte[] BYTES = make();

  private EmptyDatabase() {}

  /** Puts it there, unless there is one already. */
  static Path at(Path file) {
    try {
      if (Files.notExists(file)) {
        Files.createDirectories(file.getParent());
        Files.write(file, BYTES);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] make() {
    try (SystemScheduler time = new SystemScheduler()) {
      Path folder = Files.createTempDirectory("empty-database");
      Path file = folder.resolve("empty.db");
      new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time).close();
      byte[] bytes = Files.readAllBytes(file);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path each : files.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(folder);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
