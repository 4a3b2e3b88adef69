package dev.postrider.sqlite;

import dev.postrider.store.Store;
import dev.postrider.testkit.engine.RandomHistories;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;

class SqliteRandomHistoriesTest extends RandomHistories {
  @Override
  protected Store openStore(Path folder, VirtualTime time) {
    return VirtualStores.open(folder.resolve("history.db"), time);
  }
}
