package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Remembered;
import dev.postrider.config.ClusterSettings;
import dev.postrider.server.upgrade.PostgresTools;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.testkit.internal.crash.CommandProcess;
import dev.postrider.testkit.internal.crash.RestoreHarness;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server under load, backed up, killed, and brought back. */
class RestoreTest {
  private static final long SEED = Long.getLong("postrider.seed", System.nanoTime());

  @TempDir Path folder;

  @Test
  void nothing_is_sent_twice_and_nothing_is_lost_when_a_backup_comes_back() throws Exception {
    RestoreHarness.Report report = new RestoreHarness(folder, new OnSqlite(), SEED).run();

    judge(report);
  }

  @Test
  void nor_when_a_dump_of_postgresql_does_and_hold_is_run_on_it() throws Exception {
    RestoreHarness.Report report = new RestoreHarness(folder, new OnPostgres(), SEED).run();

    judge(report);
  }

  @Test
  void a_backup_for_which_there_is_no_room_leaves_nothing() throws Exception {
    Path config = storeOf12Megabytes();
    List<String> little = List.of("sh", "-c", "ulimit -f 16384; exec \"$@\"", "sh"); // 8 MB a file

    try (CommandProcess command =
        CommandProcess.start(
            little, "backup", backups().resolve("b.zip").toString(), "--config", "" + config)) {
      CommandProcess.Ended ended = command.await();

      assertThat(ended.exit()).isEqualTo(1);
      assertThat(ended.said()).startsWith("No backup was written: cannot write ");
    }
    assertThat(names(backups())).isEmpty();
  }

  @Test
  void a_backup_that_is_killed_leaves_none_of_its_name_and_the_next_one_is_whole()
      throws Exception {
    Path config = storeOf12Megabytes();
    Path file = backups().resolve("b.zip");
    try (CommandProcess command =
        CommandProcess.start(List.of(), "backup", file.toString(), "--config", "" + config)) {
      while (command.isAlive() && names(backups()).isEmpty()) {
        Thread.onSpinWait();
      }
      command.kill();
    }
    if (Files.exists(file)) { // it was faster
      run("restore", file.toString(), "--dry-run", "--config", config.toString());
      Files.delete(file);
    }

    run("backup", file.toString(), "--config", config.toString());

    assertThat(names(backups())).containsExactly("b.zip");
    run("restore", file.toString(), "--dry-run", "--config", config.toString());
  }

  private Path backups() throws IOException {
    return Files.createDirectories(folder.resolve("backups"));
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path storeOf12Megabytes() throws IOException {
    String store = "sqlite:" + folder.resolve("data/postrider.db");
    SplittableRandom random = new SplittableRandom(SEED);
    try (SystemScheduler time = new SystemScheduler();
        Store opened = new SqliteStoreProvider().open(store, ClusterSettings.of("test"), time)) {
      for (int n = 0; n < 200; n++) {
        byte[] bytes = new byte[32_000];
        random.nextBytes(bytes);
        Remembered value = Remembered.of(null, "k" + n, HexFormat.of().formatHex(bytes));
        time.await(opened.remember("bot", null, value, Instant.now()));
      }
    }
    return Files.writeString(
        folder.resolve("postrider.yaml"),
        "store: \"%s\"\naccounts: [ { id: bot, channel: sandbox } ]\n".formatted(store));
  }

  private static void judge(RestoreHarness.Report report) {
    System.out.println("Restore harness: " + report + " (seed " + SEED + ")");
    assertThat(report.violations()).as("seed %s", SEED).isEmpty();
    assertThat(report.held()).as("held").isPositive();
    assertThat(report.acceptedMeanwhile()).as("accepted meanwhile").isPositive();
    assertThat(report.arrivedTwice()).as("what the replay repeats").isGreaterThanOrEqualTo(40);
  }

  private static void run(String... arguments) throws IOException {
    CommandProcess.Ended ended = CommandProcess.run(arguments);
    assertThat(ended.exit()).as(ended.said()).isZero();
  }

  private final class OnSqlite implements RestoreHarness.Keeper {
    private final Path backup = folder.resolve("backup.zip");
    private final Path data = folder.resolve("data");

    @Override
    public String store() {
      return "sqlite:" + data.resolve("postrider.db");
    }

    @Override
    public void backUp(Path config) throws IOException {
      run("backup", backup.toString(), "--config", config.toString());
    }

    @Override
    public void loseAndRestore(Path config) throws IOException {
      Files.move(data, folder.resolve("lost"));
      run("restore", backup.toString(), "--config", config.toString());
    }
  }

  private final class OnPostgres implements RestoreHarness.Keeper {
    private final PostgresServer server = PostgresServer.shared();
    private final String database = "restored_" + ProcessHandle.current().pid();
    private final Path dump = folder.resolve("postrider.dump");
    private Instant taken = Instant.EPOCH;

    OnPostgres() {
      server.execute("CREATE DATABASE " + database);
    }

    @Override
    public String store() {
      return server.url().replace("/postgres?", "/" + database + "?");
    }

    @Override
    public void backUp(Path config) throws IOException {
      taken = Instant.now();
      PostgresTools.run(server, "pg_dump", "--format=custom", "--file=" + dump, database);
    }

    @Override
    public void loseAndRestore(Path config) throws IOException {
      server.execute("DROP DATABASE " + database + " WITH (FORCE)");
      server.execute("CREATE DATABASE " + database);
      PostgresTools.run(server, "pg_restore", "--dbname=" + database, dump.toString());
      run("hold", "--taken", taken.toString(), "--config", config.toString());
    }
  }
}
