package dev.postrider.postgres;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import dev.postrider.time.Scheduler;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/** Opens PostgreSQL stores whose commits are turns in virtual time. */
final class VirtualStores {
  private VirtualStores() {}

  static Store open(String url, ClusterSettings cluster, VirtualTime time) {
    return open(url, cluster, time, time);
  }

  static Store open(String url, ClusterSettings cluster, EncryptionKeys keys, VirtualTime time) {
    Executor tasks = task -> time.start("store", task);
    return PostgresStoreProvider.open(
        url, cluster, keys, time, new Workers(tasks, tasks, Runnable::run), time);
  }

  /**
   * @param clock the database's
   */
  static Store open(String url, ClusterSettings cluster, Scheduler time, InstantSource clock) {
    Executor tasks = task -> time.start("store", task);
    return PostgresStoreProvider.open(
        url, cluster, time, new Workers(tasks, tasks, Runnable::run), clock);
  }
}
