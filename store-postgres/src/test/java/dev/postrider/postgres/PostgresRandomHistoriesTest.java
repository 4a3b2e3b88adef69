package dev.postrider.postgres;

import dev.postrider.store.Store;
import dev.postrider.testkit.engine.RandomHistories;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;

class PostgresRandomHistoriesTest extends RandomHistories {
  @Override
  protected Store openStore(Path folder, VirtualTime time) {
    return VirtualStores.open(Schemas.of(folder), World.ALONE, time);
  }

  @Override
  protected int usually() {
    return 8;
  }
}
