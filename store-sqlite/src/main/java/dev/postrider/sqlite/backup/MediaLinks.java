package dev.postrider.sqlite.backup;

import dev.postrider.sqlite.file.OwnersOnly;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Second names of the files in custody, so that a server that removes one meanwhile does not take
 * it away from a backup. They stand where the server keeps what is on its way, and are removed at
 * its next start if nobody else does.
 */
final class MediaLinks implements AutoCloseable {
  private static final String OURS = "backup-";
  private static final Pattern NAME = Pattern.compile(OURS + "(\\d{1,18})-.*");
  private static final Duration LONGEST = Duration.ofDays(1); // that a backup may take

  private final Path media;
  private final Path temporary;
  private final String prefix =
      OURS
          + Instant.now().getEpochSecond()
          + "-"
          + UUID.randomUUID().toString().substring(0, 8)
          + "-";
  private final Map<String, Path> links = new TreeMap<>(); // by the file's own name

  MediaLinks(Path media) {
    this.media = media;
    this.temporary = media.resolve("tmp");
  }

  /** All that are there now. */
  void linkAll() throws IOException {
    removeOld();
    for (Path home : list(media)) {
      if (home.getFileName().toString().length() == 2) {
        for (Path file : list(home)) {
          link(file);
        }
      }
    }
  }

  /** Those of this hash, whichever way it is stored; null: it is not there. */
  @Nullable String link(String hash) throws IOException {
    Path plain = media.resolve(hash.substring(0, 2)).resolve(hash);
    for (Path file : List.of(plain.resolveSibling(hash + ".enc"), plain)) {
      String name = file.getFileName().toString();
      if (links.containsKey(name) || link(file)) {
        return name;
      }
    }
    return null;
  }

  /** Where the bytes of a file are. */
  Path path(String name) {
    Path link = links.get(name);
    return link != null && Files.exists(link)
        ? link
        : media.resolve(name.substring(0, 2)).resolve(name); // a server that starts tidies up
  }

  private boolean link(Path file) throws IOException {
    String name = file.getFileName().toString();
    Path link = temporary.resolve(prefix + name);
    try {
      Files.createDirectories(temporary, OwnersOnly.FOLDER);
      Files.createLink(link, file);
    } catch (NoSuchFileException e) {
      return false;
    } catch (UnsupportedOperationException | FileSystemException e) {
      if (!Files.exists(file)) {
        return false;
      }
      Files.copy(file, link); // there are file systems that know no second names
    }
    links.put(name, link);
    return true;
  }

  /** What backups have left that were killed. */
  private void removeOld() throws IOException {
    long young = Instant.now().minus(LONGEST).getEpochSecond();
    for (Path file : list(temporary)) {
      Matcher ours = NAME.matcher(file.getFileName().toString());
      if (ours.matches() && Long.parseLong(ours.group(1)) < young) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static List<Path> list(Path of) throws IOException {
    if (!Files.isDirectory(of)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(of)) {
      return files.toList();
    }
  }

  @Override
  public void close() throws IOException {
    for (Path link : links.values()) {
      Files.deleteIfExists(link);
    }
  }
}
