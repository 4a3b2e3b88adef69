package dev.postrider.postgres;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.postgres.connection.Migrations;
import dev.postrider.store.Store;
import dev.postrider.testkit.store.StoreContract;
import dev.postrider.time.Scheduler;
import java.nio.file.Path;
import java.time.Duration;

class PostgresContractTest extends StoreContract {
  /** An answer may take as long as a lease: on a busy machine, fifty thousand messages do. */
  private static final ClusterSettings PATIENT =
      new ClusterSettings("test", "", ClusterSettings.HEARTBEAT, Duration.ofMinutes(10));

  @Override
  protected Store open(Path folder, Scheduler time) {
    // Alone, it has nobody to listen to; connections are what takes the time of these tests.
    return PostgresStoreProvider.open(
        Schemas.of(folder),
        PATIENT,
        EncryptionKeys.OFF,
        time,
        Workers.threads(6),
        null,
        Migrations.OURS,
        false);
  }
}
