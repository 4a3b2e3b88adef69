package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.Store;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.ReminderStore.Begun;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTargetFilter;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

/** What reminders leave in the file. */
class SqliteReminderStoreTest {
  private static final Instant NOW = Plain.NOW;

  @SuppressWarnings("NullAway.Init") // set by JUnit
  @TempDir
  Path folder;

  private final SystemScheduler time = new SystemScheduler();

  @AfterEach
  void stop() {
    time.close();
  }

  @Test
  void what_is_forgotten_leaves_nothing_behind() throws Exception {
    Path file = folder.resolve("test.db");
    try (Store store =
        new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time)) {
      runOnce(store.reminders());
    }

    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file)) {
      JdbcSession session = new JdbcSession(connection);
      for (String table :
          List.of("reminder", "reminder_target", "run", "run_account", "run_target", "run_day")) {
        List<Integer> rows = session.all("SELECT 1 FROM " + table, row -> row.getInt(1));
        assertThat(rows).as(table).isEmpty();
      }
    }
  }

  /** A reminder is saved, fired, run, deleted, and its run forgotten. */
  private void runOnce(ReminderStore reminders) {
    StoredReminder reminder =
        new StoredReminder(new UUID(1, 1), "n", "bot", null, "{}", 2, 1, NOW, NOW);
    List<ReminderTarget> targets =
        List.of(
            new ReminderTarget("bot", "ann", null, Map.of()),
            new ReminderTarget("other", "ben", null, Map.of()));
    assertThat(time.await(reminders.save(reminder, targets, null))).isTrue();
    Firing firing = new Firing(new UUID(1, 2), reminder, NOW, null, false, null, false, NOW);
    StoredRun run = time.await(reminders.fire(firing)).orElseThrow();
    time.await(reminders.update(run.with(RunStatus.RUNNING, null, null)));
    reminders
        .targets(run.id(), RunTargetFilter.ALL, null, 9)
        .items()
        .forEach(
            target ->
                assertThat(
                        time.await(reminders.begin(target, 1, LocalDate.of(2026, 3, 1), null, NOW)))
                    .isEqualTo(Begun.YES));
    StoredRun read = reminders.run(run.id()).orElseThrow();
    assertThat(time.await(reminders.update(read.ended(RunStatus.PARTIAL, "over", NOW)))).isTrue();

    assertThat(time.await(reminders.delete(reminder.id()))).isTrue();
    assertThat(time.await(reminders.prune(NOW.plus(Duration.ofDays(3)), 100))).isEqualTo(3);
  }
}
