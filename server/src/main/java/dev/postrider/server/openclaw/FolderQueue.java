package dev.postrider.server.openclaw;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder with a file per entry: {@code <id>.json} pending, {@code <id>.delivered} left by a crash
 * after the entry had arrived, and {@code failed/<id>.json}. An imported file gets the suffix
 * {@code .migrated}. Links are never followed.
 */
final class FolderQueue implements EntryQueue {
  private static final String FAILED = "failed";
  private static final String ENTRY = ".json";
  private static final String DONE = ".delivered";
  private static final String MIGRATED = ".migrated";

  private final Path folder;
  private final List<Place> places = new ArrayList<>();
  private final List<Noted> left = new ArrayList<>();

  FolderQueue(Path folder) throws IOException {
    this.folder = folder;
    list("");
    Path failed = folder.resolve(FAILED);
    if (Files.isDirectory(failed, LinkOption.NOFOLLOW_LINKS)) {
      list(FAILED + "/");
    }
    places.sort(Comparator.comparing(Place::name));
  }

  private void list(String within) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(within))) {
      files.map(file -> String.valueOf(file.getFileName())).sorted().forEach(n -> look(within, n));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void look(String within, String file) {
    String name = within + file;
    if (file.endsWith(MIGRATED)) {
      return;
    }
    if (Files.isDirectory(folder.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
      if (!file.equals(FAILED)) {
        left.add(new Noted(name, "it is a folder"));
      }
    } else if (file.endsWith(".tmp")) {
      left.add(new Noted(name, "it is what an interrupted write has left"));
    } else if (file.endsWith(ENTRY)) {
      Standing standing = within.isEmpty() ? Standing.PENDING : Standing.FAILED;
      places.add(new Place(name, cut(file, ENTRY), standing));
    } else if (file.endsWith(DONE)) {
      places.add(new Place(name, cut(file, DONE), Standing.DELIVERED));
    } else {
      left.add(new Noted(name, "it is no entry of a queue"));
    }
  }

  private static String cut(String file, String suffix) {
    return file.substring(0, file.length() - suffix.length());
  }

  @Override
  public List<Place> places() {
    return places;
  }

  @Override
  public List<Noted> left() {
    return left;
  }

  @Override
  public byte[] read(Place place) throws Unusable {
    Path file = folder.resolve(place.name());
    if (Files.isSymbolicLink(file)) {
      throw new Unusable("it is a link");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new Unusable("it is no file");
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new Unusable("it is larger than 16 MiB");
      }
      return bytes;
    } catch (IOException e) {
      throw new Unusable("it cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  @Override
  public void archive(Place place) throws IOException {
    Path file = folder.resolve(place.name());
    Path aside = folder.resolve(place.name() + MIGRATED);
    if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(place.name() + MIGRATED);
    }
    Files.move(file, aside);
  }

  @Override
  public void close() {}
}
