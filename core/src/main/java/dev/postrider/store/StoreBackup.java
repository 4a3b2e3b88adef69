package dev.postrider.store;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a store that lies in files into one file, while others may work on it, and brings such a
 * copy back. Calls block, and throw {@link StoreUnavailable} if a disk does not do what it should;
 * then nothing is left behind.
 */
public interface StoreBackup {

  /**
   * What a backup holds.
   *
   * @param takenAt everything that was stored before then is in it
   * @param version of Postrider that took it
   * @param format of the store
   * @param messages how many, whatever has become of them
   * @param waiting how many of them had not ended
   * @param files in custody
   * @param missing files that messages name and that were not there to be copied
   * @param bytes the size of the backup
   */
  record Contents(
      Instant takenAt,
      String version,
      int format,
      long messages,
      long waiting,
      long files,
      List<String> missing,
      long bytes) {
    public Contents {
      missing = List.copyOf(missing);
    }
  }

  /**
   * What came of bringing a backup back.
   *
   * @param aside where the store is now that was there before; null if there was none
   */
  record Result(Contents contents, Restored restored, @Nullable Path aside) {}

  /** Is told how far it has come. */
  @FunctionalInterface
  interface Progress {
    void at(String step, long bytes, long of);
  }

  /**
   * Writes a backup to a new file, reads it back, and gives what is in it. Nobody who works on the
   * store has to wait.
   *
   * @throws StoreRefused if there is no such store, or the file is there already
   */
  Contents write(Path file, Progress progress);

  /**
   * Reads a backup to its end.
   *
   * @throws StoreRefused if it is none, is damaged, or was taken by a newer version
   */
  Contents check(Path file, Progress progress);

  /**
   * Puts the store of a backup in its place, with everything held that may have been sent since.
   * Until that is done nothing that was there before is touched.
   *
   * @param keys decrypt its contents
   * @param aside whether a store that is there is moved away; else that is refused
   * @param everything whether also what was not due yet is held
   * @throws StoreRefused if the backup is not good, the store is in use, or one is there
   */
  Result restore(
      Path file,
      EncryptionKeys keys,
      boolean aside,
      boolean everything,
      Scheduler time,
      Progress progress);
}
