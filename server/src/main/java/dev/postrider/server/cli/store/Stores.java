package dev.postrider.server.cli.store;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.store.Store;
import dev.postrider.store.StoreBackup;
import dev.postrider.store.StoreExport;
import dev.postrider.store.StoreProvider;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Opens stores for commands that work on them without a server. */
final class Stores {
  private static final String SQLITE = "sqlite:";

  private Stores() {}

  /**
   * @param named what the user called it
   * @param node the name that the command has if others share the store
   */
  static Store open(String url, String named, String node, EncryptionKeys keys, Scheduler time) {
    try {
      return provider(url, named).open(url, ClusterSettings.of(node), keys, time);
    } catch (StoreUnavailable | StoreRefused e) {
      throw Failure.because(named + ": " + e.getMessage());
    }
  }

  /** A store of the kind that the URL names, which forgets everything. */
  static Store openInMemory(String url, String named, Scheduler time) {
    return provider(url, named).openInMemory(time);
  }

  private static StoreProvider provider(String url, String named) {
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(candidate -> candidate.accepts(url))
        .findFirst()
        .orElseThrow(() -> Failure.usage(named + " must begin with sqlite: or jdbc:postgresql:"));
  }

  /** Backups of the store; another kind of store has tools of its own for that. */
  static StoreBackup backup(String url) {
    return provider(url, "store")
        .backup(url)
        .orElseThrow(
            () ->
                Failure.because(
                    "The store is PostgreSQL: back it up and bring it back with the database's own"
                        + " tools, such as pg_dump; then run 'postrider hold'."
                        + " docs/operations.md says how."));
  }

  /** Whether opening the store would make a new file. */
  static boolean isMissing(String url) {
    return url.startsWith(SQLITE) && !Files.exists(Path.of(url.substring(SQLITE.length())));
  }

  /** Opening a file that is not there would make an empty store. */
  static void requireFile(String url, String purpose) {
    if (isMissing(url)) {
      throw Failure.because("There is no " + url.substring(SQLITE.length()) + " " + purpose + ".");
    }
  }

  /** Keys that decrypt, and let nothing be noted in a store that is only read. */
  static EncryptionKeys reading(EncryptionKeys keys) {
    if (!keys.encrypts()) {
      return keys;
    }
    List<String> all = new ArrayList<>(keys.keys());
    all.addFirst(EncryptionKeys.NONE);
    return new EncryptionKeys(all);
  }

  /** Whatever is put into a store in memory is gone when the command ends. */
  static void requireDurable(Store store) {
    if (!store.durable()) {
      throw Failure.because(
          "The store is in memory and would forget everything; nothing was changed. Name a file or"
              + " a database as store.");
    }
  }

  /** Why a store cannot be worked on now; an empty text if it can. */
  static String inUseBecause(Store store) {
    return store.export().map(StoreExport::inUseBecause).orElse("");
  }

  /** Everything a store holds, if nobody else works on it. */
  static StoreExport export(Store store, String named) {
    StoreExport export =
        store
            .export()
            .orElseThrow(() -> Failure.because(named + ": this store cannot be exported."));
    String inUse = export.inUseBecause();
    if (!inUse.isEmpty()) {
      throw Failure.because(named + ": " + inUse + ".");
    }
    return export;
  }
}
