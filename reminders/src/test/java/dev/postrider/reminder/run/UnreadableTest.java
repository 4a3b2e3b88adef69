package dev.postrider.reminder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.Content;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.time.Cron;
import dev.postrider.sqlite.VirtualSqlite;
import dev.postrider.store.reminder.RunFilter;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.engine.World;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reminders, runs and targets whose contents do not decrypt: they harm no others. */
class UnreadableTest extends RunsBehaviour {
  private final EncryptionKeys keys = EncryptionKeys.of(EncryptionKeys.random());

  @BeforeEach
  void encrypted() {
    world = new World(time -> VirtualSqlite.open(folder.resolve("test.db"), keys, time));
  }

  private void change(String statement) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("test.db"));
        var change = connection.createStatement()) {
      change.execute(statement);
    }
  }

  @Test
  void a_damaged_reminder_sends_nothing_and_the_others_fire() throws Exception {
    start();
    Reminder damaged = reminders.create(notice(2).schedule(new Cron("0 12 * * *")));
    Reminder other = reminders.create(notice(3).schedule(new Cron("0 12 * * *")));
    world.crash();
    change(
        "UPDATE reminder SET document = substr(document, 1, length(document) - 1)"
            + " WHERE id = (SELECT min(id) FROM reminder)");
    start();
    until("2026-01-06T13:00:00Z");

    assertThat(chats()).containsExactlyInAnyOrder("g0", "g1", "g2", "g0", "g1", "g2");
    assertThat(reminders.runs().list(RunFilter.of(other.id().value()), null, 10).items())
        .hasSize(2);
    assertThat(reminders.runs().list(RunFilter.of(damaged.id().value()), null, 10).items())
        .singleElement()
        .satisfies(run -> assertThat(run.status()).isEqualTo(RunStatus.FAILED));
    assertThat(reminders.find(damaged.id()).orElseThrow().name()).contains("does not decrypt");
    assertThatThrownBy(() -> reminders.test(damaged.id(), Target.to("g0")))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("does not decrypt");
  }

  @Test
  void a_damaged_target_fails_alone_if_the_message_needs_its_variables() throws Exception {
    start();
    Reminder reminder = reminders.create(notice(3).schedule(new Cron("0 12 * * *")));
    Reminder plain =
        reminders.create(
            notice(1)
                .messages(List.of(Content.text("Hello all")))
                .schedule(new Cron("0 12 * * *")));
    world.crash();
    change(
        "UPDATE reminder_target SET content = substr(content, 1, length(content) - 1) WHERE n = 0");
    start();
    until("2026-01-05T13:00:00Z");

    var run =
        reminders.runs().list(RunFilter.of(reminder.id().value()), null, 10).items().getFirst();
    assertThat(run.status()).isEqualTo(RunStatus.PARTIAL);
    assertThat(targets(run.id(), TargetStatus.SENT)).hasSize(2);
    var whole =
        reminders.runs().list(RunFilter.of(plain.id().value()), null, 10).items().getFirst();
    assertThat(whole.status()).isEqualTo(RunStatus.SUCCESS);
  }
}
