package dev.postrider.testkit.engine;

import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;

/** Opens the store that the suites run on; a store's tests implement it once, for all of them. */
public interface StoreUnderTest {
  /** Opens the store on a folder; called again after a restart, for the same data. */
  Store openStore(Path folder, VirtualTime time);
}
