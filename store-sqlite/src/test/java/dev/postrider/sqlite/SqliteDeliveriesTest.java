package dev.postrider.sqlite;

import dev.postrider.store.Store;
import dev.postrider.testkit.engine.Deliveries;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;

class SqliteDeliveriesTest extends Deliveries {
  @Override
  protected Store openStore(Path folder, VirtualTime time) {
    return VirtualStores.open(folder.resolve("test.db"), time);
  }
}
