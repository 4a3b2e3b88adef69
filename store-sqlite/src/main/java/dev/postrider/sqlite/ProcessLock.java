package dev.postrider.sqlite;

import dev.postrider.store.StoreRefused;
import dev.postrider.store.StoreUnavailable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * One process per file. The operating system holds the lock and drops it the moment the process is
 * gone, however it went: a dead process never has to be waited for, and a living one can never be
 * mistaken for a dead one.
 */
final class ProcessLock implements AutoCloseable {
  private final FileChannel channel;
  private final FileLock lock;

  private ProcessLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  static ProcessLock take(Path database) {
    Path path = database.resolveSibling(database.getFileName() + ".lock");
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        String holder = read(channel);
        channel.close();
        throw new StoreRefused(
            database
                + " is in use by another process"
                + (holder.isEmpty() ? "" : " (" + holder + ")")
                + "; stop that one first, or use another file");
      }
      String self = "pid " + ProcessHandle.current().pid();
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
      return new ProcessLock(channel, lock);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new StoreUnavailable("cannot write beside " + database + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very process
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer holder = ByteBuffer.allocate(64);
    channel.read(holder, 0);
    return new String(holder.array(), 0, holder.position(), StandardCharsets.UTF_8).strip();
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // The first problem is the one to report.
      }
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw new StoreUnavailable("cannot give back the lock of the database: " + e.getMessage(), e);
    }
  }
}
