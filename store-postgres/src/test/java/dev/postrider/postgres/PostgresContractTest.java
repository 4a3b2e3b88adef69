package dev.postrider.postgres;

import dev.postrider.config.ClusterSettings;
import dev.postrider.store.Store;
import dev.postrider.testkit.store.StoreContract;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;

class PostgresContractTest extends StoreContract {
  @Override
  protected Store open(Path folder, Scheduler time) {
    return new PostgresStoreProvider().open(Schemas.of(folder), ClusterSettings.of("test"), time);
  }
}
