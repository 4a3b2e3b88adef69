package dev.postrider.sqlite;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.Workers;
import dev.postrider.store.Store;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** Opens SQLite stores whose commits are turns in virtual time. */
public final class VirtualSqlite {
  private VirtualSqlite() {}

  public static Store open(Path path, VirtualTime time) {
    Executor tasks = task -> time.start("store", task);
    return SqliteStoreProvider.open(
        path, new Workers(tasks, tasks, Runnable::run), EncryptionKeys.OFF, time);
  }
}
