package dev.postrider.testkit.internal.formats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A store as the version of some commit left it when it was killed: the statements that make it
 * again ({@code 012.sql}), and what that version said of it ({@code 012.said}).
 *
 * @param number of the format
 */
public record KeptFormat(int number, Path sql) {

  /** All that are kept in a folder, the earliest first. */
  public static List<KeptFormat> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".sql"))
          .sorted()
          .map(file -> new KeptFormat(Integer.parseInt(stem(file)), file))
          .toList();
    }
  }

  private static String stem(Path file) {
    return file.getFileName().toString().replaceFirst("\\..*", "");
  }

  /** Whether a version was released, by the change log. */
  public static boolean anyRelease(Path changelog) throws IOException {
    try (Stream<String> lines = Files.lines(changelog)) {
      return lines.anyMatch(line -> line.matches("## \\[\\d.*"));
    }
  }

  public String script() {
    return read(sql);
  }

  /** Lines of what the version said: what it is about, its id, and then its fields. */
  List<List<String>> said() {
    return read(sql.resolveSibling(stem(sql) + ".said"))
        .lines()
        .map(line -> List.of(line.split("\t", -1)))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "format " + number;
  }
}
