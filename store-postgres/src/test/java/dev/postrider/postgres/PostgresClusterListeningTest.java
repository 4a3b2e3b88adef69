package dev.postrider.postgres;

import dev.postrider.testkit.engine.ClusterListening;
import dev.postrider.testkit.engine.ClusterWorld;
import java.nio.file.Path;

/** How connections to platforms move between engines that share a PostgreSQL. */
class PostgresClusterListeningTest extends ClusterListening {
  @Override
  protected ClusterWorld.StoreOpener opener(Path folder) {
    String url = Schemas.of(folder);
    return (cluster, node, clock) -> VirtualStores.open(url, cluster, node, clock);
  }
}
