package dev.postrider.store;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.util.Optional;

/** Opens stores of one kind. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {

  /** Whether this provider understands the URL. */
  boolean accepts(String url);

  /**
   * Opens the store and brings it up to date.
   *
   * @param cluster how this process takes part if others share the store
   * @throws StoreUnavailable if it cannot be reached or written
   * @throws StoreRefused if it must not be opened: in use, or written by a newer version
   */
  Store open(String url, ClusterSettings cluster, Scheduler scheduler);

  /**
   * Opens a store that keeps contents encrypted.
   *
   * @throws StoreRefused also if a key is missing that contents are encrypted under, or this kind
   *     of store does not encrypt
   */
  default Store open(
      String url, ClusterSettings cluster, EncryptionKeys keys, Scheduler scheduler) {
    if (!keys.isOff()) {
      throw new StoreRefused(
          "this kind of store does not encrypt; leave storage.encryptionKey out");
    }
    return open(url, cluster, scheduler);
  }

  /**
   * The number of the form in which this build writes stores of this kind, which grows with every
   * change; 0 if they do not say theirs.
   */
  default int format() {
    return 0;
  }

  /** Copies of the store as a file; nothing if this kind of store has tools of its own for that. */
  default Optional<StoreBackup> backup(String url) {
    return Optional.empty();
  }

  /** A store of this kind that lives in memory only. */
  Store openInMemory(Scheduler scheduler);
}
