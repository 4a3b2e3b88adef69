package dev.postrider.sqlite;

import dev.postrider.store.Store;
import dev.postrider.testkit.store.StoreContract;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;

class InMemoryContractTest extends StoreContract {
  @Override
  protected Store open(Path folder, Scheduler time) {
    return new SqliteStoreProvider().openInMemory(time);
  }

  @Override
  protected boolean remembers() {
    return false;
  }
}
