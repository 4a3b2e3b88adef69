package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.Pace;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.time.Cron;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.Restored;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.message.MessageFilter;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A store that came back from a backup: nothing goes out twice unless a person says so. */
class RestoredTest extends RunsBehaviour {
  private Instant takenAt = Instant.EPOCH;

  /** Copies the store while it is worked on. */
  private void backUp() throws SQLException {
    takenAt = world.time.instant();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file("test.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM INTO '" + file("backup.db") + "'");
    }
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** The store is lost, and the backup takes its place. */
  private void bringBack() throws IOException {
    world.crash();
    Files.deleteIfExists(file("test.db-wal"));
    Files.deleteIfExists(file("test.db-shm"));
    Files.move(file("backup.db"), file("test.db"), StandardCopyOption.REPLACE_EXISTING);
  }

  private Restored hold(int steps) {
    try (Store store = VirtualSqlite.open(file("test.db"), world.time)) {
      var restoration = store.restoration(takenAt, world.time.instant(), false).orElseThrow();
      Restored restored = restoration.next();
      for (int step = 1; step < steps && !restored.finished(); step++) {
        restored = restoration.next();
      }
      return restored;
    }
  }

  private Restored restore() throws IOException {
    bringBack();
    return hold(1_000);
  }

  private List<StoredRun> runs(Reminder reminder) {
    return reminders.runs().list(RunFilter.of(reminder.id().value()), null, 99).items();
  }

  private void assertNothingTwice() {
    assertThat(new HashSet<>(chats())).hasSameSizeAs(chats());
  }

  @Test
  void a_run_that_was_under_way_is_paused_and_nobody_gets_anything_twice() throws Exception {
    pace(Pace.perSecond(1));
    start();
    UUID run = fire(notice(60));
    world.pass(seconds(20));
    backUp();
    world.pass(seconds(20));
    int before = chats().size();

    Restored restored = restore();
    start();
    world.pass(minutes(120));

    assertThat(chats()).hasSize(before);
    assertNothingTwice();
    assertThat(restored.runs()).isOne();
    assertThat(run(run).run().status()).isEqualTo(RunStatus.PAUSED);
    assertThat(run(run).run().reason()).contains("restored from a backup of " + takenAt);
    assertThat(targets(run, TargetStatus.SENDING)).isEmpty();
    assertThat(targets(run, TargetStatus.FAILED))
        .isNotEmpty()
        .allSatisfy(target -> assertThat(target.error()).contains("may have been sent since"));
  }

  @Test
  void a_person_may_let_such_a_run_go_on_and_everybody_is_reached() throws Exception {
    pace(Pace.perSecond(1));
    start();
    UUID run = fire(notice(30));
    world.pass(seconds(10));
    backUp();
    world.pass(seconds(5));
    restore();
    start();

    reminders.runs().resume(run, ResumeScope.ALL);
    world.pass(minutes(10));

    assertThat(run(run).run().status()).isEqualTo(RunStatus.SUCCESS);
    assertThat(new HashSet<>(chats())).hasSize(30);
  }

  @Test
  void what_may_have_fired_since_the_backup_does_not_fire_again() throws Exception {
    start();
    Reminder reminder = reminders.create(notice(3).schedule(new Cron("0 10 * * *")));
    until("2026-01-05T09:00:00Z");
    backUp();
    until("2026-01-05T10:10:00Z");
    assertThat(chats()).hasSize(3);

    restore();
    start();
    world.pass(minutes(5));

    assertThat(chats()).hasSize(3);
    assertThat(runs(reminder)).extracting(StoredRun::status).containsExactly(RunStatus.FAILED);
    assertThat(runs(reminder).getFirst().summary())
        .isEqualTo(
            "Not fired: it was due at 2026-01-05T10:00, before the store came back from a backup,"
                + " and may have fired then. Fire it by hand if it has not.");
    until("2026-01-06T10:10:00Z");
    assertThat(chats()).as("the next day it fires").hasSize(6);
  }

  @Test
  void what_was_due_after_the_restore_is_made_up_for_as_after_any_downtime() throws Exception {
    start();
    Reminder reminder = reminders.create(notice(3).schedule(new Cron("0 10 * * *")));
    until("2026-01-05T09:00:00Z");
    backUp();
    until("2026-01-05T09:30:00Z");
    restore();
    until("2026-01-05T10:20:00Z");

    start();
    world.pass(minutes(5));

    assertThat(chats()).hasSize(3);
    assertThat(runs(reminder)).extracting(StoredRun::status).containsExactly(RunStatus.SUCCESS);
  }

  @Test
  void held_messages_are_sent_in_the_order_of_their_lanes_once_a_person_replays_them()
      throws Exception {
    pace(Pace.perMinute(1));
    start();
    for (int i = 0; i < 20; i++) {
      world.send("ann", "message " + i);
    }
    backUp();
    world.pass(minutes(5));
    restore();
    start();
    List<StoredMessage> held =
        world.postrider().list(MessageFilter.status(Status.HELD), null, 99).items();
    int before = arrived().size();

    held.stream()
        .sorted(Comparator.comparing(StoredMessage::endedAt))
        .map(StoredMessage::id)
        .forEach(world.postrider()::replay);
    world.pass(minutes(60));

    assertThat(arrived().stream().skip(before).map(request -> request.text()).toList())
        .isEqualTo(held.reversed().stream().map(old -> old.message().text()).toList());
    assertThat(world.postrider().list(MessageFilter.status(Status.DELIVERED), null, 99).items())
        .filteredOn(message -> message.replayOf() != null)
        .hasSameSizeAs(held)
        .allMatch(StoredMessage::possibleDuplicate);
  }

  @Test
  void a_store_that_is_half_held_is_not_opened() throws Exception {
    pace(Pace.perMinute(1));
    start();
    MessageId waits = world.send("ann", "one").id();
    MessageId behind = world.send("ann", "two").id();
    backUp();
    bringBack();
    hold(1);

    assertThatThrownBy(world::start)
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("run 'postrider hold --taken " + takenAt + "' until it says");

    assertThat(hold(1_000).finished()).isTrue();
    start();
    assertThat(world.message(behind).status()).isEqualTo(Status.HELD);
    assertThat(world.message(waits).status()).isIn(Status.DELIVERED, Status.HELD);
  }
}
