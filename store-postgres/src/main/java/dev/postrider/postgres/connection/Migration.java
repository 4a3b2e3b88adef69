package dev.postrider.postgres.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * A step that brings a database from one format to the next.
 *
 * @param compatible whether servers that do not know the step may go on working beside those that
 *     do: it only adds, nobody reads or writes anything in another way than before, and no table
 *     that grows is rewritten or looked through under a lock
 */
public record Migration(String name, boolean compatible, Supplier<String> script) {

  /** One that servers of an earlier version must not see. */
  static Migration breaking(String name) {
    return new Migration(name, false, () -> read(name));
  }

  static Migration compatible(String name) {
    return new Migration(name, true, () -> read(name));
  }

  private static String read(String name) {
    try (InputStream in = Migration.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
