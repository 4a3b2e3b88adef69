package dev.postrider.sqlite;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.testkit.store.StoreContract;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;

class SqliteContractTest extends StoreContract {
  @Override
  protected Store open(Path folder, Scheduler time) {
    return new SqliteStoreProvider()
        .open(
            "sqlite:" + EmptyDatabase.at(folder.resolve("test.db")),
            ClusterSettings.of("test"),
            time);
  }
}
