package dev.postrider.postgres;

import dev.postrider.testkit.engine.ClusterWorld;
import dev.postrider.testkit.engine.Clusters;
import java.nio.file.Path;

/** How engines that share a PostgreSQL behave. */
class PostgresClusterTest extends Clusters {
  @Override
  protected ClusterWorld.StoreOpener opener(Path folder) {
    String url = Schemas.of(folder);
    return (cluster, node, clock) -> VirtualStores.open(url, cluster, node, clock);
  }
}
