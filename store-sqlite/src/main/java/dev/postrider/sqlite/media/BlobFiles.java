package dev.postrider.sqlite.media;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.sqlite.file.OwnersOnly;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes in custody, as files in a folder beside the database: {@code ab/ab12…}, by their hash;
 * {@code ab/ab12….enc} if they are encrypted.
 *
 * <p><b>A row has its file.</b> A file is written under a temporary name, synced, and moved to its
 * place; the folder is synced; then comes the row. When it goes, the row goes first. So after a
 * crash there may be a file without a row, never a row without its file, and {@link #clean} removes
 * what is too much when the store opens.
 *
 * <p><b>Coming and going at once.</b> Whoever brings a file {@linkplain #hold holds} its name from
 * before the move until the row is durable. Files are removed on the writer's thread, right after
 * the commit that deleted their rows, and not while their name is held. So either the file is
 * removed before the newcomer moves his to its place, or his row is still to be written and the
 * file stays.
 *
 * <p>Thread-safe. Only their owner may read the files.
 */
public final class BlobFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BlobFiles.class);
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  /** Ends the name of a file that is encrypted. */
  private static final String SEALED = ".enc";

  private final Path folder;
  private final Path temporary;
  private final ContentCipher cipher;
  private final boolean durable;
  private final boolean passing;
  private final Executor beside;
  private final Set<Path> made = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> held = new ConcurrentHashMap<>();

  private BlobFiles(
      Path folder, ContentCipher cipher, boolean durable, boolean passing, Executor beside) {
    this.folder = folder;
    this.cipher = cipher;
    this.temporary = folder.resolve("tmp");
    this.durable = durable;
    this.passing = passing;
    this.beside = beside;
  }

  /**
   * The files that belong to a database.
   *
   * @param durable whether they must survive the machine
   * @param beside deletes files, which may take a while
   */
  public static BlobFiles of(
      Path database, ContentCipher cipher, boolean durable, Executor beside) {
    try {
      Path real = database.toRealPath(); // by whatever link it was named
      Path folder = real.resolveSibling(real.getFileName() + OwnersOnly.MEDIA);
      return new BlobFiles(folder, cipher, durable, false, beside);
    } catch (IOException e) {
      throw new StoreUnavailable("cannot open " + database + ": " + e.getMessage(), e);
    }
  }

  /** Files that go when the store is closed. */
  public static BlobFiles passing(Executor beside) {
    Path folder =
        Path.of(System.getProperty("java.io.tmpdir")).resolve("postrider-" + UUID.randomUUID());
    return new BlobFiles(folder, ContentCipher.OFF, false, true, beside);
  }

  // ---- coming

  /** Bytes that have come and have not got their place yet; closing it drops them. */
  record Draft(Path file, IncomingBytes bytes, boolean sealed) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      Files.deleteIfExists(file);
    }
  }

  Draft write(InputStream bytes, long limit) throws IOException {
    Path file = make(temporary).resolve(UUID.randomUUID().toString());
    boolean written = false;
    try (FileChannel channel = create(file)) {
      IncomingBytes incoming =
          cipher.encrypts()
              ? SealedFile.copy(cipher, bytes, channel, limit)
              : IncomingBytes.copy(bytes, Channels.newOutputStream(channel), limit);
      sync(channel);
      written = true;
      return new Draft(file, incoming, cipher.encrypts());
    } finally {
      if (!written) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static FileChannel create(Path file) {
    try {
      return FileChannel.open(
          file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnersOnly.FILE);
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  private void sync(FileChannel channel) {
    try {
      if (durable) {
        channel.force(true);
      }
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  /** From here on the file is not removed. */
  void hold(String hash) {
    held.merge(hash, 1, Integer::sum);
  }

  void letGo(String hash) {
    held.computeIfPresent(hash, (_, holders) -> holders == 1 ? null : holders - 1);
  }

  /** Moves the bytes to their place, where the same bytes may be already. */
  void place(Draft draft) {
    String hash = draft.bytes.hash();
    Path home = make(folder.resolve(hash.substring(0, 2)));
    try {
      Path place = draft.sealed ? sealed(hash) : plain(hash);
      Files.move(draft.file, place, StandardCopyOption.ATOMIC_MOVE);
      syncFolder(home);
      Files.deleteIfExists(draft.sealed ? plain(hash) : sealed(hash)); // from before
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  private Path plain(String hash) {
    return folder.resolve(hash.substring(0, 2)).resolve(hash);
  }

  private Path sealed(String hash) {
    return folder.resolve(hash.substring(0, 2)).resolve(hash + SEALED);
  }

  /** Makes a folder, once; whoever comes second finds it durable. */
  private Path make(Path wanted) {
    if (!made.contains(wanted)) {
      synchronized (made) {
        try {
          Files.createDirectories(wanted, OwnersOnly.FOLDER);
          syncFolder(folder);
          syncFolder(folder.resolveSibling(""));
        } catch (IOException e) {
          throw IncomingBytes.unwritable(e);
        }
        made.add(wanted);
      }
    }
    return wanted;
  }

  /** What was moved into a folder is there for certain once the folder is synced. */
  private void syncFolder(Path changed) throws IOException {
    if (durable && POSIX) {
      try (FileChannel channel = FileChannel.open(changed, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  // ---- reading

  InputStream open(String hash) throws IOException {
    try {
      if (IncomingBytes.isName(hash)) {
        return Files.exists(sealed(hash))
            ? SealedFile.open(cipher, hash, sealed(hash))
            : Files.newInputStream(plain(hash));
      }
    } catch (NoSuchFileException e) {
      // as with any other name that is not there
    }
    throw new FileNotFoundException("there is no file " + hash);
  }

  // ---- changing keys

  /** The key that a file is encrypted under; null: it is not, or is not there. */
  public @Nullable Integer key(String hash) {
    return Files.exists(sealed(hash)) ? SealedFile.key(sealed(hash)) : null;
  }

  /**
   * Writes a file anew, under the key that encrypts now; false if there is nothing to do.
   *
   * @throws IOException if it cannot be read, or is not what it is called
   */
  public boolean reencrypt(String hash) throws IOException {
    boolean done = Objects.equals(key(hash), cipher.first());
    if (done && !(cipher.encrypts() && Files.exists(plain(hash)))) {
      return false;
    }
    try (InputStream in = open(hash);
        Draft draft = write(in, Long.MAX_VALUE)) {
      if (!draft.bytes.hash().equals(hash)) {
        throw new IOException("file " + hash + " is not what it is called");
      }
      place(draft);
      return true;
    }
  }

  // ---- going

  /** Removes files whose rows are gone, unless they are about to come again. */
  void remove(List<String> hashes) {
    for (String hash : hashes) {
      held.compute(
          hash,
          (_, holders) -> {
            if (holders == null) {
              remove(hash);
            }
            return holders;
          });
    }
  }

  private void remove(String hash) {
    remove(sealed(hash));
    remove(plain(hash));
  }

  /** A large file takes a while to delete: it is only moved out of the way here. */
  private void remove(Path file) {
    Path going = temporary.resolve(UUID.randomUUID().toString());
    try {
      if (Files.exists(file)) {
        Files.move(file, going, StandardCopyOption.ATOMIC_MOVE);
        beside.execute(() -> delete(going));
      }
    } catch (RejectedExecutionException e) {
      delete(going);
    } catch (IOException e) {
      delete(file); // if it is there at all
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("{} cannot be deleted; the next start tries again: {}", file, e.toString());
    }
  }

  // ---- opening and closing

  /** Whether there is a row of that name. */
  @FunctionalInterface
  public interface Known {
    boolean test(String hash) throws SQLException;
  }

  /** Removes what a crash has left: temporary files, and files without a row. */
  public void clean(Known known) throws SQLException {
    try {
      list(temporary).forEach(BlobFiles::delete);
      for (Path home : list(folder)) {
        if (home.getFileName().toString().length() == 2) {
          for (Path file : list(home)) {
            String name = hash(file);
            if (IncomingBytes.isName(name) && !known.test(name)) {
              delete(file);
            }
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      log.warn("{} cannot be tidied up; files nobody needs may be left: {}", folder, e.toString());
    }
  }

  private static String hash(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SEALED) ? name.substring(0, name.length() - SEALED.length()) : name;
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
  public void close() {
    if (!passing || !Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted((one, other) -> other.compareTo(one)).forEach(BlobFiles::delete);
    } catch (IOException | UncheckedIOException e) {
      log.warn("{} cannot be deleted: {}", folder, e.toString());
    }
  }
}
