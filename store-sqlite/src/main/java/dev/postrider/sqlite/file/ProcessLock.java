package dev.postrider.sqlite.file;

import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One process per file, and one store per process. The operating system holds the lock and drops it
 * the moment the process is gone, however it went: a dead process never has to be waited for, and a
 * living one can never be mistaken for a dead one.
 *
 * <p>It also drops the lock when the process closes <em>any</em> channel to the locked file. So
 * this class remembers what the process holds, and never opens a second channel to look.
 */
public final class ProcessLock implements AutoCloseable {
  static final String SUFFIX = ".lock";

  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;

  private ProcessLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  public static ProcessLock take(Path database) {
    String self = "pid " + ProcessHandle.current().pid();
    FileChannel channel = null;
    Path held = null;
    try {
      Path path = lockFile(database);
      if (!HELD.add(path)) {
        throw refused(database, "this process", self);
      }
      held = path;
      channel =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              OwnersOnly.FILE);
      if (channel.tryLock() == null) {
        throw refused(database, "another process", read(channel));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
      return new ProcessLock(path, channel);
    } catch (IOException e) {
      giveUp(held, channel);
      throw new StoreUnavailable("cannot write beside " + database + ": " + e.getMessage(), e);
    } catch (StoreRefused e) {
      giveUp(held, channel);
      throw e;
    }
  }

  /** Beside the file itself, by whatever link it was named. */
  private static Path lockFile(Path database) throws IOException {
    Path folder = database.getParent();
    Path file =
        Files.exists(database) || folder == null
            ? database.toRealPath()
            : folder.toRealPath().resolve(database.getFileName());
    return file.resolveSibling(file.getFileName() + SUFFIX);
  }

  private static StoreRefused refused(Path database, String who, String holder) {
    return new StoreRefused(
        database
            + " is in use by "
            + who
            + (holder.isEmpty() ? "" : " (" + holder + ")")
            + "; stop that one first, or use another file");
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer holder = ByteBuffer.allocate(64);
    channel.read(holder, 0);
    return new String(holder.array(), 0, holder.position(), StandardCharsets.UTF_8).strip();
  }

  private static void giveUp(@Nullable Path held, @Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The first problem is the one to report.
    } finally {
      if (held != null) {
        HELD.remove(held);
      }
    }
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close(); // and the lock with it
    } catch (IOException e) {
      throw new StoreUnavailable("cannot give back the lock of the database: " + e.getMessage(), e);
    } finally {
      HELD.remove(path);
    }
  }
}
