package dev.postrider.sqlite;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.store.Store;
import dev.postrider.testkit.store.StoreContract;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;

/** A store that encrypts keeps the same contract. */
class SqliteEncryptedContractTest extends StoreContract {
  private static final EncryptionKeys KEYS = EncryptionKeys.of(EncryptionKeys.random());

  @Override
  protected Store open(Path folder, Scheduler time) {
    return new SqliteStoreProvider()
        .open(
            "sqlite:" + EmptyDatabase.at(folder.resolve("test.db")),
            ClusterSettings.of("test"),
            KEYS,
            time);
  }
}
